import type { Agent, Director, Snapshot } from '../../config/config.ts';
import { type FileOperation, openNotebooks, type Permission, type Scope } from '../../config/permissions.ts';
import { checkPermission } from '../../guard/permissions.ts';
import type { Tool } from '../../tool/tool.ts';
import { toolsetFacts } from '../../tool/toolset.ts';
import { layersOf } from './actor.ts';

/** What each operation permits, in the order in which models read it. */
const OPERATIONS: Readonly<Record<FileOperation, string>> = {
  read: 'read, list and search files',
  write: 'change files and their properties',
  create: 'create new files',
  delete: 'delete files',
};

const RULES = [
  'Explain what you are going to change before you change it.',
  'If a task is outside this scope, say what you cannot do and why.',
  'Respect how the notebook is organised.',
];

/** Whose scope is described, under which config. */
export interface ScopeOwner {
  readonly config: Pick<Snapshot, 'settings' | 'directors' | 'agents'>;
  readonly director: Director | undefined;
  /** Undefined for the director itself. */
  readonly agent: Agent | undefined;
  readonly tools: ReadonlyMap<string, Tool>;
}

/**
 * The scope of a director or an agent in words, for `{{scope}}` and for a system message that Callsheet writes (seed 002): only
 * the operations that it has, which of them ask a person, the notebooks, the folders, the file types and fixed rules. Empty
 * where no notebook is open to it.
 */
export function scopeText({ config, director, agent, tools }: ScopeOwner): string {
  const actor = agent ?? director;
  if (actor?.scope === undefined) return '';
  const layers = layersOf(config, config, director, agent);
  const offered = [...tools.values()].filter(
    ({ name, family }) => actor.tools.includes(name) || actor.tools.includes(family),
  );
  const lines = Object.entries(OPERATIONS).flatMap(([operation, text]) => {
    const permissions = offered
      .filter((tool) => tool.operation === operation)
      .map((tool) => checkPermission(toolsetFacts(tool), layers).permission)
      .filter((permission) => permission !== 'deny');
    return permissions.length === 0 ? [] : [`- ${text}${asking(permissions)}`];
  });
  if (lines.length === 0) return '';
  return [
    `You work on files in ${notebooksOf(actor.scope, config.settings.roots)}. You can:`,
    ...lines,
    foldersOf(actor.scope),
    ...RULES,
  ].join('\n');
}

function asking(permissions: readonly Permission[]): string {
  if (!permissions.includes('ask')) return '';
  return permissions.includes('allow')
    ? ' (a person must confirm some of these calls)'
    : ' (a person must confirm each call)';
}

function notebooksOf(scope: Scope, roots: Snapshot['settings']['roots']): string {
  const names = openNotebooks(scope, roots);
  if (names.length === 1) return `the notebook ${names[0]}`;
  return `the notebooks ${names.join(', ')} (each call names one of them)`;
}

function foldersOf({ folders, fileTypes }: Scope): string {
  const where = folders.includes('*') ? 'all folders' : `these folders: ${folders.join(', ')}`;
  const which = fileTypes.includes('*') ? '' : `, and there only these file names: ${fileTypes.join(', ')}`;
  return `You can access ${where}${which}.`;
}
