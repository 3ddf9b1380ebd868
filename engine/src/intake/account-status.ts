import type { ErrorBody } from '../base/error.ts';

/** State of fetching one account; times are ISO 8601. */
export interface AccountStatus {
  readonly accountId: string;
  /** `elsewhere`: another process fetches the account, or no process yet; then the other fields are unknown here. */
  readonly state: 'idle' | 'fetching' | 'failed' | 'elsewhere';
  /** `host/pid` of that process, where it is known. */
  readonly fetchedBy?: string;
  readonly lastFetchAt?: string;
  readonly lastError?: ErrorBody;
  /**
   * Mails that could not be read, by file name. A mail is tried again when it changes, when another process fetches the
   * account, or after some minutes where the provider failed.
   */
  readonly unreadable: readonly { readonly name: string; readonly error: ErrorBody }[];
  /** Mails stored since the process started. */
  readonly taken: number;
  /** During a fetch: how many of the mails that it has found are done. */
  readonly progress?: { readonly done: number; readonly total: number };
}

/** Counts of one fetch. */
export interface AccountFetchResult {
  readonly taken: number;
  readonly failed: number;
}
