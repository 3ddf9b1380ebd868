import type { Permission } from '../config/permissions.ts';
import type { OfferedTool } from './offered-tool.ts';
import { listParameters } from './parameter-list.ts';

const PERMISSIONS: Readonly<Record<Permission, string>> = {
  allow: 'Runs at once.',
  ask: 'A person is asked first.',
  deny: 'Denied.',
};

const EFFECTS = {
  none: 'Touches only data of Callsheet itself.',
  read: 'Reads, and changes nothing.',
  write: 'Changes something outside this run.',
} as const;

const REACH = {
  private: 'Its result has private data of the user.',
  outward: 'Its arguments reach other people.',
} as const;

/** The documentation of a tool as Markdown: purpose, effects, permission and every parameter. */
export function documentTool(tool: OfferedTool, permission: Permission): string {
  const facts = 'kind' in tool ? [] : [EFFECTS[tool.effects], ...(tool.reach === undefined ? [] : [REACH[tool.reach]])];
  const parameters = listParameters(tool.parameters).map(
    ({ name, type, required, description }) =>
      `- \`${name}\` (${type}${required ? ', required' : ''})${description === '' ? '' : `: ${description}`}`,
  );
  return [
    `## ${tool.name}`,
    tool.description,
    [...facts, PERMISSIONS[permission]].join(' '),
    parameters.length === 0 ? 'It has no parameters.' : parameters.join('\n'),
  ].join('\n\n');
}
