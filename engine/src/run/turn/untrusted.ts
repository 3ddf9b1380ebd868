import { DISCOVERY_TOOLS } from '../../config/permissions.ts';
import { AGENT_PREFIX } from '../../tool/toolset.ts';
import type { Tool } from '../../tool/tool.ts';
import type { Message } from '../../model/model.ts';
import type { MachineFacts } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/** How the marks around untrusted memories begin (memory/memory-text.ts). */
const MEMORY_MARK = '<<MEMORY-';
const DISCOVERY: ReadonlySet<string> = new Set(DISCOVERY_TOOLS);

/**
 * Whether the threads of a run contain text that may come from a stranger: the run is about a mail, a tool has read something
 * outside our own store, or an untrusted memory was recalled.
 */
export async function hasReadUntrusted(step: Step, { threadId, mailId }: MachineFacts): Promise<boolean> {
  const { run } = step.runState.record;
  if (mailId !== '' || run.emailId !== undefined) return true;
  const threads = await step.draft.list('thread', { where: [['run', '=', run.id]], bodies: false });
  for (const id of new Set([threadId, ...threads.map((thread) => thread.id)]))
    if (containsUntrusted(await step.runState.transcript(id), step.deps.tools.builtIn)) return true;
  return false;
}

/** Whether messages contain an untrusted memory or the result of a tool that reads outside our own store. */
export function containsUntrusted(messages: readonly Message[], tools: ReadonlyMap<string, Tool>): boolean {
  const isOurs = (name: string) => {
    const tool = tools.get(name);
    if (tool === undefined) return DISCOVERY.has(name) || name.startsWith(AGENT_PREFIX);
    return tool.effects === 'none' || tool.family === 'memory';
  };
  return messages.some((message) => {
    if (message.role === 'assistant') return (message.tool_calls ?? []).some((call) => !isOurs(call.function.name));
    return (message.role === 'tool' || message.role === 'user') && message.content.includes(MEMORY_MARK);
  });
}
