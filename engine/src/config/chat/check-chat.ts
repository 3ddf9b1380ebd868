import type { ChatPreset } from '../config.ts';
import type { Finding } from '../problem.ts';

/** Checks the participants of a preset: who speaks for each, names that can be told apart, and the folder of those that roam. */
export function checkChat({ participants }: ChatPreset): Finding[] {
  const names = new Map<string, number>();
  return participants.flatMap(({ displayName, apiConfigId, agentId, roaming }, i): Finding[] => {
    const path = ['participants', i];
    const found: Finding[] = [];
    const add = (path: Finding['path'], message: string, hint: string) =>
      void found.push({ code: 'CONFIG_PARTICIPANT', path, message, hint });
    const hint = 'write apiConfigId for a model or a command-line agent, or agentId for an agent of agents/';
    if (apiConfigId === undefined && agentId === undefined) add(path, `nothing speaks for "${displayName}"`, hint);
    if (apiConfigId !== undefined && agentId !== undefined)
      add([...path, 'agentId'], `"${displayName}" has an apiConfigId and an agentId`, hint);
    const name = displayName.trim().toLowerCase();
    const other = names.get(name);
    if (other !== undefined)
      add(
        [...path, 'displayName'],
        `participant ${other + 1} has the name "${displayName}" as well, so a mention could mean both`,
        'give each participant a name of its own',
      );
    else names.set(name, i);
    if (roaming.enabled && roaming.workspaceDir === undefined)
      add([...path, 'roaming'], `"${displayName}" roams without a folder`, 'write workspaceDir: ./folder');
    if (roaming.enabled && agentId !== undefined)
      add(
        [...path, 'roaming', 'enabled'],
        `"${displayName}" is an agent, which works with its tools and does not roam`,
        'remove roaming, or use an API with provider: cli',
      );
    return found;
  });
}
