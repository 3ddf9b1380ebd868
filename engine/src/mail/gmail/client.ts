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
  /** The account's own address: mail from it is own. */
  readonly email: string;
  readonly clock: Clock;
  /** One object an account: all that is made with it shares one quota. */
  readonly tokens: AccountTokens;
  readonly endpoints?: Endpoints | undefined;
  /** Default: that of a new project at Google, and none anywhere else. */
  readonly quota?: GmailQuota;
}

/** What each call of the library is given. */
export interface GmailCallOptions extends GoogleCallDeps {
  readonly rootUrl: string;
}

export interface GmailRequest<T> {
  /** See `UNITS`. */
  readonly units: number;
  readonly scopes: readonly string[];
  /** To be done once at most: then it is asked again only where Gmail has said that it did nothing. */
  readonly isOnce?: boolean;
  /** What can wait: something is left of the quota for others. */
  readonly isBackground?: boolean;
  /** A whole mail goes over the line: that may take minutes where the line is slow. */
  readonly isWholeMail?: boolean;
  /** What a 404 means; see `GmailTarget`. */
  readonly resource?: string;
  readonly send: (api: gmail_v1.Gmail, how: GmailCallOptions) => ReturnType<GoogleCall<T>>;
}

/** So often one request is sent at most, and so often where it is not known what became of it. */
const MOST_TRIES = 6;
const BRIEF_TRIES = 3;

/** Longest time for one request, and for one with a mail of some 25 MB in it, at a megabit a second. */
const TIMEOUT_MS = 60_000;
const WHOLE_TIMEOUT_MS = 5 * 60_000;

/**
 * Requests of one account to Gmail: within its quota, and again after a while as Gmail asks. Errors as in `gmailError` and
 * `AccountTokens`; rejects on abort.
 */
export class GmailClient {
  readonly #options: GmailOptions;
  readonly #rootUrl: string;
  readonly #pace: GmailQuota;
  /** Opened once somebody asks: the library is loaded then. */
  #api: gmail_v1.Gmail | undefined;
  /** Gmail has asked for a longer wait than anybody can make: until then nobody asks. */
  #closed: { readonly error: EngineError; readonly untilMs: number } | undefined;

  constructor(options: GmailOptions) {
    this.#options = options;
    this.#rootUrl = options.endpoints?.api ?? 'https://gmail.googleapis.com';
    const isGoogle = new URL(this.#rootUrl).hostname.endsWith('.googleapis.com');
    this.#pace = options.quota ?? (isGoogle ? quotaOf(options.tokens, options.clock) : unlimitedQuota);
  }

  get accountId(): string {
    return this.#options.accountId;
  }

  async request<T>(request: GmailRequest<T>, { signal }: Abortable = {}): Promise<T> {
    const { clock, accountId } = this.#options;
    const { units, scopes, isBackground = false, isWholeMail = false, isOnce = false, resource } = request;
    const peer: GmailTarget = { accountId, scopes, resource, host: new URL(this.#rootUrl).host };
    const { gmail } = await import('@googleapis/gmail');
    this.#api ??= gmail({ version: 'v1' });
    const api = this.#api;
    return callGoogle(
      this.#options,
      {
        ...{ scopes, signal, timeoutMs: isWholeMail ? WHOLE_TIMEOUT_MS : TIMEOUT_MS },
        before: async () => {
          if (this.#closed !== undefined && clock.now() < this.#closed.untilMs) throw this.#closed.error;
          await this.#pace.acquire(units, { signal, isBackground });
        },
        maxTries: (problem) => (isThrottled(problem) ? MOST_TRIES : isTransient(problem) && !isOnce ? BRIEF_TRIES : 1),
        errorOf: (problem, waitMs) => {
          const error = gmailError(problem, peer);
          if (waitMs !== undefined && problem.retryAfterMs !== undefined)
            this.#closed = { error, untilMs: clock.now() + waitMs };
          return error;
        },
      },
      // Given here and not to the library as a whole, which would drop a path in it.
      (options) => request.send(api, { ...options, rootUrl: this.#rootUrl }),
    );
  }
}
