import type { gmail_v1 } from '@googleapis/gmail';
import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { googleAuth } from '../../provider/google-auth.ts';
import type { AccountTokens, Endpoints } from '../../provider/provider.ts';
import { gmailError, type GmailPeer, type GmailProblem, isBrief, isRefusedForNow, problemOf } from './error.ts';
import { type GmailPace, paceOf, unpaced } from './pace.ts';

export interface GmailOptions {
  readonly accountId: string;
  /** The account's own address: mail from it is own. */
  readonly email: string;
  readonly clock: Clock;
  /** One object an account: all that is made with it shares one quota. */
  readonly tokens: AccountTokens;
  readonly endpoints?: Endpoints | undefined;
  /** Default: that of a new project at Google, and none anywhere else. */
  readonly pace?: GmailPace;
}

/** What each call of the library is given. */
export interface How {
  readonly rootUrl: string;
  readonly retry: false;
  readonly timeout: number;
  readonly signal?: AbortSignal;
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
  readonly isWhole?: boolean;
  /** What a 404 means; see `GmailPeer`. */
  readonly thing?: string;
  readonly send: (api: gmail_v1.Gmail, how: How) => Promise<{ readonly data: T }>;
}

/** So often one request is sent at most, and so long it waits for that in all. */
const MOST_TRIES = 6;
const MOST_WAIT_MS = 60_000;

/** So often where it is not known what became of it. */
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
  readonly #pace: GmailPace;
  /** The library by the scopes of its requests. */
  readonly #apis = new Map<string, Promise<gmail_v1.Gmail>>();
  /** Gmail has asked for a longer wait than anybody can make: until then nobody asks. */
  #closed: { readonly error: EngineError; readonly untilMs: number } | undefined;

  constructor(options: GmailOptions) {
    this.#options = options;
    this.#rootUrl = options.endpoints?.api ?? 'https://gmail.googleapis.com';
    const isGoogle = new URL(this.#rootUrl).hostname.endsWith('.googleapis.com');
    this.#pace = options.pace ?? (isGoogle ? paceOf(options.tokens, options.clock) : unpaced);
  }

  get accountId(): string {
    return this.#options.accountId;
  }

  async ask<T>(request: GmailRequest<T>, { signal }: Abortable = {}): Promise<T> {
    const { clock, accountId } = this.#options;
    const { units, scopes, isBackground = false, isWhole = false, thing } = request;
    const peer: GmailPeer = { accountId, scopes, thing, host: new URL(this.#rootUrl).host };
    const api = await this.#open(scopes);
    let waitedMs = 0;
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      if (this.#closed !== undefined && clock.now() < this.#closed.untilMs) throw this.#closed.error;
      await this.#pace.take(units, { signal, isBackground });
      let problem: GmailProblem;
      try {
        return (await request.send(api, this.#how(isWhole, signal))).data;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof EngineError) throw error;
        problem = problemOf(error, clock.now());
      }
      const error = gmailError(problem, peer);
      const waitMs = waitBefore(problem, tries, request.isOnce === true);
      if (waitMs === undefined) throw error;
      if (waitedMs + waitMs > MOST_WAIT_MS) {
        if (problem.retryAfterMs !== undefined) this.#closed = { error, untilMs: clock.now() + waitMs };
        throw error;
      }
      waitedMs += waitMs;
      await sleep(waitMs, { signal, clock });
    }
  }

  /** The library is loaded once somebody asks. */
  #open(scopes: readonly string[]): Promise<gmail_v1.Gmail> {
    const name = scopes.join(' ');
    const known = this.#apis.get(name);
    if (known !== undefined) return known;
    const opened = Promise.all([import('@googleapis/gmail'), googleAuth(this.#options.tokens, scopes)]).then(
      ([{ gmail }, auth]) => gmail({ version: 'v1', auth }),
    );
    this.#apis.set(name, opened);
    return opened;
  }

  #how(isWhole: boolean, signal: AbortSignal | undefined): How {
    return {
      // Given here and not to the library as a whole, which would drop a path in it.
      rootUrl: this.#rootUrl,
      // The library would wait by a clock of its own, and send a mail twice.
      retry: false,
      timeout: isWhole ? WHOLE_TIMEOUT_MS : TIMEOUT_MS,
      ...(signal !== undefined && { signal }),
    };
  }
}

/** Milliseconds until the next attempt; undefined where there is none. */
function waitBefore(problem: GmailProblem, tries: number, isOnce: boolean): number | undefined {
  const growing = 1000 * 2 ** (tries - 1);
  if (isRefusedForNow(problem)) return tries < MOST_TRIES ? (problem.retryAfterMs ?? growing) : undefined;
  if (isBrief(problem) && !isOnce) return tries < BRIEF_TRIES ? (problem.retryAfterMs ?? growing) : undefined;
  return undefined;
}
