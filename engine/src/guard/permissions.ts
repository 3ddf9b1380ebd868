import {
  type NotebookFolders,
  type Permission,
  permissionOf,
  type PermissionRules,
  type Scope,
  type ToolFacts,
  whyNever,
} from '../config/permissions.ts';

/** One document whose permissions apply to a call: an agent, its director, or the newest version of either. */
export interface Layer {
  /** The document as people read it: `director boss`. */
  readonly who: string;
  readonly permissions: PermissionRules | undefined;
  /** Of the caller itself: its scope, and the notebooks that the settings have. Undefined for the director of an agent. */
  readonly files?: { readonly scope: Scope | undefined; readonly roots: NotebookFolders } | undefined;
}

/** The permission of a call, and the reason for it. */
export interface PermissionCheck {
  readonly permission: Permission;
  /** One sentence for models and people. */
  readonly reason: string;
}

const STRICTNESS: Record<Permission, number> = { allow: 0, ask: 1, deny: 2 };

/**
 * The permission of a tool under several documents: the strictest one wins (design.md, Safety). A tool that the scope of the
 * caller can never permit is denied.
 */
export function checkPermission(tool: ToolFacts, layers: readonly Layer[]): PermissionCheck {
  let strictest: PermissionCheck = { permission: 'allow', reason: '' };
  for (const layer of layers) {
    const check = checkLayer(tool, layer);
    if (STRICTNESS[check.permission] > STRICTNESS[strictest.permission]) strictest = check;
  }
  return strictest;
}

function checkLayer(tool: ToolFacts, { who, permissions, files }: Layer): PermissionCheck {
  const never =
    tool.operation === undefined || files === undefined
      ? undefined
      : whyNever(files.scope, tool.operation, files.roots);
  if (never !== undefined) return { permission: 'deny', reason: `${who}: ${never}` };
  const { permission, glob } = permissionOf(permissions, tool);
  if (glob !== undefined) return { permission, reason: `${who}: permissions.${permission} has "${glob}"` };
  return { permission, reason: `${who}: ${REASONS[permission]}` };
}

/** The reason of each permission where no rule names the tool. */
const REASONS: Record<Permission, string> = {
  allow: 'allowed unless denied',
  ask: 'no rule of its permissions names it, so a person is asked',
  deny: 'no rule of its permissions names it',
};
