import { isRecord } from '../../base/json.ts';

/** How far the mails of a folder are dealt with. */
export interface OutlookCursor {
  /** Mailbox, folder and API: another one begins anew. */
  readonly folder: string;
  /** Where the delta query goes on: a next page, or what changed since. Absent at the very first. */
  readonly link?: string;
  /** True until the first round through the folder has ended. */
  readonly isBacklog: boolean;
  /** Mails of the backlog that are dealt with. */
  readonly done: number;
  /** ISO time at which the newest mail was received that was given; `''` for none. */
  readonly newest: string;
  /**
   * Kept mails after this have yet to be compared with what lies in the folder, since what became of them was not told; `''` for
   * all of them, absent for none.
   */
  readonly uncompared?: string;
  /** Ids of mails that could not be read, for when the process starts anew. */
  readonly unread: readonly string[];
}

/** A mailbox where more mails than this cannot be read is not helped by trying them again. */
const MOST_UNREAD = 500;

/** The place at the very beginning. */
export function initialCursor(folder: string): OutlookCursor {
  return { folder, isBacklog: true, done: 0, newest: '', unread: [] };
}

/** What a kept place says of a folder; the beginning where it is about another one. */
export function readOutlookCursor(kept: unknown, folder: string): OutlookCursor {
  if (!isRecord(kept) || kept['folder'] !== folder) return initialCursor(folder);
  const { link, isBacklog, done, newest, uncompared, unread } = kept;
  return {
    folder,
    ...(typeof link === 'string' && { link }),
    isBacklog: isBacklog !== false,
    done: typeof done === 'number' ? done : 0,
    newest: typeof newest === 'string' ? newest : '',
    ...(typeof uncompared === 'string' && { uncompared }),
    unread: Array.isArray(unread) ? unread.filter((id) => typeof id === 'string') : [],
  };
}

/** Ids of both, each once, the latest ones where there are too many. */
export function mergeIds(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])].slice(-MOST_UNREAD);
}
