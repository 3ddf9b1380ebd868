import type { ErrorBody } from '../base/error.ts';

/** How one account stands; times are ISO 8601. */
export interface AccountStatus {
  readonly accountId: string;
  /** `elsewhere`: another process fetches it, or none yet; what follows is not known here then. */
  readonly state: 'idle' | 'fetching' | 'failed' | 'elsewhere';
  /** `host/pid` of that process, as far as it is known. */
  readonly fetchedBy?: string;
  readonly lastFetchAt?: string;
  readonly lastError?: ErrorBody;
  /** Mails that could not be read, by file name; tried again when changed, by the next process, or soon if the server failed. */
  readonly unreadable: readonly { readonly name: string; readonly error: ErrorBody }[];
  /** Mails taken since the process started. */
  readonly taken: number;
  /** While it is fetching: how many of the mails that this look has found are dealt with. */
  readonly progress?: { readonly done: number; readonly total: number };
}
