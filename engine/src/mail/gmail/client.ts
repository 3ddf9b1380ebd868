import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { EngineError } from '../../base/error.ts';
import { callGoogle, type GoogleCallDeps, type GoogleCall } from '../../account/google/google-call.ts';
import { isTransient, isThrottled } from '../../account/google/google-error.ts';
import type { AccountTokens, Endpoints } from '../../account/account.ts';
import { gmailError, type GmailTarget } from './error.ts';
import { type GmailQuota, quotaOf, unlimitedQuota } from './quota.ts';

export interface GmailOptions {
  readonly accountId: string;
  /** The account's own address: mail from it counts as own mail. */
  readonly email: string;
  readonly clock: Clock;
  /** Always the same object for one account: all clients that share it share one quota. */
  readonly tokens: AccountTokens;
  readonly endpoints?: Endpoints | undefined;
  /** Default: the quota of a new project at Google; unlimited at any other host. */
  readonly quota?: GmailQuota;
}

/** Options of each call of the library. */
export interface GmailCallOptions extends GoogleCallDeps {
  readonly rootUrl: string;
}

export interface GmailRequest<T> {
  /** See `UNITS`. */
  readonly units: number;
  readonly scopes: readonly string[];
  /** The request must take effect at most once: it is repeated only where Gmail said that it did nothing. */
  readonly isOnce?: boolean;
  /** The request can wait: it leaves a part of the quota for others. */
  readonly isBackground?: boolean;
  /** The request carries a whole mail, which may take minutes on a slow line. */
  readonly isWholeMail?: boolean;
  /** The subject of a 404; see `GmailTarget`. */
  readonly resource?: string;
  readonly send: (api: gmail_v1.Gmail, options: GmailCallOptions) => ReturnType<GoogleCall<T>>;
}

/** Most tries of a request, and most tries where the effect of the last try is unknown. */
const MAX_TRIES = 6;
const MAX_UNCERTAIN_TRIES = 3;

/** Longest time for one request, and for one with a mail of 25 MB at a megabit per second. */
const TIMEOUT_MS = 60_000;
const WHOLE_TIMEOUT_MS = 5 * 60_000;

/**
 * Requests of one account to Gmail. Stays within the quota, and retries after the delay that Gmail asks for. Errors as
 * in `gmailError` and `AccountTokens`; rejects on abort.
 */
export class GmailClient {
  readonly #options: GmailOptions;
  readonly #rootUrl: string;
  readonly #quota: GmailQuota;
  /** Created at the first request, since the library is loaded then. */
  #api: gmail_v1.Gmail | undefined;
  /** Set where Gmail asked for a longer delay than a caller can wait: until then every request fails at once. */
  #pause: { readonly error: EngineError; readonly untilMs: number } | undefined;

  constructor(options: GmailOptions) {
    this.#options = options;
    this.#rootUrl = options.endpoints?.api ?? 'https://gmail.googleapis.com';
    const isGoogle = new URL(this.#rootUrl).hostname.endsWith('.googleapis.com');
    this.#quota = options.quota ?? (isGoogle ? quotaOf(options.tokens, options.clock) : unlimitedQuota);
  }

  get accountId(): string {
    return this.#options.accountId;
  }

  async request<T>(request: GmailRequest<T>, { signal }: Abortable = {}): Promise<T> {
    const { clock, accountId } = this.#options;
    const { units, scopes, isBackground = false, isWholeMail = false, isOnce = false, resource } = request;
    const target: GmailTarget = { accountId, scopes, resource, host: new URL(this.#rootUrl).host };
    const { gmail } = await import('@googleapis/gmail');
    this.#api ??= gmail({ version: 'v1' });
    const api = this.#api;
    return callGoogle(
      this.#options,
      {
        ...{ scopes, signal, timeoutMs: isWholeMail ? WHOLE_TIMEOUT_MS : TIMEOUT_MS },
        before: async () => {
          if (this.#pause !== undefined && clock.now() < this.#pause.untilMs) throw this.#pause.error;
          await this.#quota.acquire(units, { signal, isBackground });
        },
        maxTries: (problem) =>
          isThrottled(problem) ? MAX_TRIES : isTransient(problem) && !isOnce ? MAX_UNCERTAIN_TRIES : 1,
        errorOf: (problem, waitMs) => {
          const error = gmailError(problem, target);
          if (waitMs !== undefined && problem.retryAfterMs !== undefined)
            this.#pause = { error, untilMs: clock.now() + waitMs };
          return error;
        },
      },
      // Set for each call and not for the whole library, which would drop a path in it.
      (options) => request.send(api, { ...options, rootUrl: this.#rootUrl }),
    );
  }
}
