import type { Agent, Director } from '../config/config.ts';
import type { NotebookFolders, PermissionRules, Scope } from '../config/permissions.ts';

/** One document whose permissions apply to a call: an agent, its director, or the newest version of either. */
export interface Layer {
  /** The document as people read it: `director boss`. */
  readonly who: string;
  readonly kind: 'director' | 'agent';
  readonly id: string;
  /** True for the newest version of a document, where the run works with another one. */
  readonly isNewest: boolean;
  readonly permissions: PermissionRules | undefined;
  /** The whole document. */
  readonly document: Director | Agent;
  /** Of the caller itself: its scope, and the notebooks that the settings have. Undefined for the director of an agent. */
  readonly files?: { readonly scope: Scope | undefined; readonly roots: NotebookFolders } | undefined;
}
