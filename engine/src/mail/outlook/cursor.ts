import { isRecord } from '../../base/json.ts';

/** How far the mails of a folder are handled. Stored as JSON. */
export interface OutlookCursor {
  /** Mailbox, folder and API; a cursor of another one is not used. */
  readonly folder: string;
  /** Link of the delta query to continue with: the next page, or the changes since then. Absent at the very first. */
  readonly link?: string;
  /** True until the first pass through the folder has ended. */
  readonly isBacklog: boolean;
  /** Handled mails of the backlog. */
  readonly done: number;
  /** ISO time of arrival of the newest emitted mail; `''` for none. */
  readonly newest: string;
  /**
   * Position after which known mails must still be compared with the folder, since their changes are unknown; `''` for
   * all of them, absent for none.
   */
  readonly uncompared?: string;
  /** Ids of mails that could not be read; the next process tries them again. */
  readonly unread: readonly string[];
}

/** Largest number of ids of unreadable mails in a cursor; older ones are dropped. */
const MAX_UNREAD = 500;

/** The cursor before the first fetch. */
export function initialCursor(folder: string): OutlookCursor {
  return { folder, isBacklog: true, done: 0, newest: '', unread: [] };
}

/** The stored cursor of a folder; the initial one where the stored cursor is about another folder. */
export function readOutlookCursor(stored: unknown, folder: string): OutlookCursor {
  if (!isRecord(stored) || stored['folder'] !== folder) return initialCursor(folder);
  const { link, isBacklog, done, newest, uncompared, unread } = stored;
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

/** Ids of both lists, each once; only the last ones where there are too many. */
export function mergeIds(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])].slice(-MAX_UNREAD);
}
