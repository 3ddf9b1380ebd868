import type { Abortable } from '../base/abort.ts';

/** A folder whose files tools may open, and the name that messages use for it. */
export interface FileRoot {
  /** Name in messages: `virtualRoot`, or the name of a notebook. Models read it. */
  readonly name: string;
  /** Absolute path of the folder. Models never read it. */
  readonly folder: string;
}

/** What is known of a file or a folder below a root. */
export interface FileFacts {
  /** Real path below the root, with `/` between folders: `notes/a.md`; empty for the root itself. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Time of the last change, in epoch milliseconds. */
  readonly modifiedAt: number;
}

/** How a path of a caller is read. */
export interface PathOptions extends Abortable {
  /**
   * Meaning of a leading `/`. `root`: it stands for the root itself, as in a notebook (`/notes/a.md`). `below`: the path is
   * one of the machine, and must be the root's folder or below it. Default `below`.
   */
  readonly absolute?: 'root' | 'below';
}
