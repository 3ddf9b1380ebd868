import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { EngineError } from '../../base/error.ts';
import type { AccountTokens, Endpoints } from '../account.ts';

/** Options of `createGraph`. */
export interface GraphOptions {
  readonly accountId: string;
  /** One object for each account: the requests of mail, calendar and to-dos are counted by it. */
  readonly tokens: AccountTokens;
  readonly endpoints?: Pick<Endpoints, 'api'> | undefined;
  readonly clock: Clock;
  /** Longest time without a byte of the response. Default 60,000. */
  readonly timeoutMs?: number;
}

/** A request below `/v1.0`. */
export interface GraphRequest extends Abortable {
  /** Short names of the scopes that the token must cover, and that an error names: `Mail.Read`, `Calendars.ReadWrite`. */
  readonly scopes: readonly string[];
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/me/messages?$top=10` (see `withQuery`), or a whole link from a response. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, as text/plain, in place of `body`: MIME in base64. */
  readonly text?: string;
  /** Further preferences: `odata.maxpagesize=50`, `outlook.timezone="UTC"`. Immutable ids are always requested. */
  readonly prefer?: readonly string[];
  /** Runs the request only while the item still has this `@odata.etag`; else `CONFLICT`. */
  readonly ifMatch?: string | undefined;
  /** True where the request may be repeated when its outcome is unknown. Default: all but POST. */
  readonly isRepeatable?: boolean;
}

/** A page of a collection. */
export interface GraphPage {
  readonly items: readonly Record<string, unknown>[];
  /** Link to the next page. */
  readonly nextLink?: string;
  /** On the last page of a delta query: link to the later changes. */
  readonly deltaLink?: string;
}

/** A file, and the upload session that receives it. */
export interface GraphUpload extends Abortable {
  readonly scopes: readonly string[];
  /** `uploadUrl` of the session. A secret: it gives access without a token. */
  readonly uploadUrl: string;
  readonly bytes: Uint8Array;
}

/** A request within a batch. */
export type BatchRequest = Omit<GraphRequest, 'signal' | 'text' | 'ifMatch'>;

/** Outcome of one request of a batch. `body` is JSON or text; binary content is base64. */
export type BatchAnswer =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | { readonly ok: false; readonly error: EngineError };

/**
 * Client of Microsoft Graph for one account. A refused token is refreshed once. A throttled request (429, 503) or a transient
 * failure is retried after the time in Retry-After, within a minute in total; a POST only where Graph certainly did not run it.
 * At most four requests of an account run at a time. Throws the errors of `AccountTokens` and `graphError`; rejects on abort.
 */
export interface Graph {
  /** The JSON object of the response; empty without a body (202, 204). */
  json(request: GraphRequest): Promise<Record<string, unknown>>;
  /** The bytes of the response; above `maxBytes` `TOO_LARGE`. */
  bytes(request: GraphRequest & { readonly maxBytes: number }): Promise<Uint8Array>;
  /** One page of a collection. */
  page(request: GraphRequest): Promise<GraphPage>;
  /** All items of a collection. A page is requested when the caller reaches it. */
  items(request: GraphRequest): AsyncIterable<Record<string, unknown>>;
  /**
   * Sends up to 20 requests at a time in one (`$batch`), with paths below `/v1.0`. Returns one outcome for each request, in
   * their order. Only the requests with a transient failure are retried. `maxBytes` as in `bytes`, for one batch.
   */
  batch(
    requests: readonly BatchRequest[],
    options?: Abortable & { readonly maxBytes?: number },
  ): Promise<readonly BatchAnswer[]>;
  /**
   * Sends a file to an upload session in ranges, without a token; after a broken connection it continues at the byte that the
   * session names. False where the session is gone or names no byte: it may have expired, or the file may be complete.
   */
  upload(request: GraphUpload): Promise<boolean>;
}

/** Appends a query to a path; names as OData spells them (`$select`). */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** Text as a quoted literal for `$filter` (OData 4.01 5.1.1.6.1). */
export function odataText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
