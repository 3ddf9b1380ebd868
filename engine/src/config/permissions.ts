import type { Permissions, Scope, Settings } from './documents.gen.ts';

export type { Scope } from './documents.gen.ts';

/** What happens when a tool is called: the call runs, a person is asked first, or the call is refused. */
export type Permission = 'allow' | 'ask' | 'deny';

/** The `permissions` of a director or an agent: lists of globs over tool names. */
export type PermissionRules = Partial<Permissions>;

/** Families whose tools only touch the workspace of their run, or the memories of their caller, or ask the user. */
export const OWN_FAMILIES: ReadonlySet<string> = new Set(['workspace', 'memory', 'person']);

/**
 * Writes that reach nobody but the user: they need no person after text of strangers was read. What they write down is untrusted as
 * well.
 */
const OWN_WRITES: ReadonlySet<string> = new Set(['mail_draft', 'todo_add', 'reminder_create', 'reminder_cancel']);

/** Whether a call of a tool writes to the world, or its arguments reach other people. */
export function reachesWorld({
  name,
  effects,
  reach,
  isOurs,
}: Pick<ToolFacts, 'name' | 'effects' | 'isOurs'> & { readonly reach?: 'private' | 'outward' | undefined }): boolean {
  return !isOurs && !OWN_WRITES.has(name) && (effects === 'write' || reach === 'outward');
}

/** Tools that list and explain the agents and tools of a director (seed 000, 3.2.0c and 3.2.8b). */
export const DISCOVERY_TOOLS = [
  'list_agents',
  'list_tools',
  'describe_tool',
  'validate_tool_params',
  'read_api_docs',
] as const;

/** The properties of a tool that its permission depends on. */
export interface ToolFacts {
  readonly name: string;
  readonly effects: 'none' | 'read' | 'write';
  /** True for discovery, the tools of `OWN_FAMILIES` and `agent__x`. */
  readonly isOurs: boolean;
  /** True for a command: it asks unless a rule names it, whatever its effects. */
  readonly asks?: boolean | undefined;
  /** What it does with the files of notebooks. The `scope` of the caller must permit it. */
  readonly operation?: FileOperation | undefined;
  /** Names of its arguments that hold mail addresses. */
  readonly recipients?: readonly string[] | undefined;
}

/** A permission, and the rule that it follows from. */
export interface RuledPermission {
  readonly permission: Permission;
  /** The rule that matched; undefined where no rule names the tool. */
  readonly rule?: string;
  /** Set where `permissions.allow` names the tool, but with other arguments than those of the call. */
  readonly unmatched?: string;
}

/** What a tool does with the files of a notebook. */
export type FileOperation = Scope['operations'][number];

/** Names of notebooks, each with its folder as the settings spell it. */
export type NotebookFolders = Settings['roots'];

/** The names of the notebooks that a scope opens, in the order of the settings. */
export function openNotebooks({ notebooks }: Scope, roots: NotebookFolders): string[] {
  return Object.keys(roots).filter((name) => notebooks.includes('*') || notebooks.includes(name));
}

/** Why a scope can never permit an operation; undefined where it may. Without a scope nothing is permitted. */
export function whyNever(
  scope: Scope | undefined,
  operation: FileOperation,
  roots: NotebookFolders,
): string | undefined {
  if (scope === undefined) return 'it has no scope, so no notebook is open to it';
  if (!scope.operations.includes(operation)) return `scope.operations has no "${operation}"`;
  if (openNotebooks(scope, roots).length > 0) return undefined;
  return scope.notebooks.length === 0
    ? 'scope.notebooks names no notebook'
    : 'scope.notebooks names no notebook that the settings have in roots';
}
