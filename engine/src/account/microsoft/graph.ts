import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { EngineError } from '../../base/error.ts';
import type { AccountTokens, Endpoints } from '../account.ts';

export interface GraphOptions {
  readonly accountId: string;
  /** One object an account: by it requests of mail, calendar and to-dos are counted together. */
  readonly tokens: AccountTokens;
  readonly endpoints?: Pick<Endpoints, 'api'> | undefined;
  readonly clock: Clock;
  /** Longest time in which nothing comes of an answer. Default 60,000. */
  readonly timeoutMs?: number;
}

/** A request below `/v1.0`. */
export interface GraphRequest extends Abortable {
  /** Short names: `Mail.Read`, `Calendars.ReadWrite`. What the token must allow, and what an error names. */
  readonly scopes: readonly string[];
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/me/messages?$top=10` (see `withQuery`), or a whole link from an answer. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`: MIME in base64 as text/plain. */
  readonly text?: string;
  /** Further preferences: `odata.maxpagesize=50`, `outlook.timezone="UTC"`. Ids are always asked for as immutable ones. */
  readonly prefer?: readonly string[];
  /** Only while it is as it was when its answer held this `@odata.etag`; else `CONFLICT`. */
  readonly ifMatch?: string | undefined;
  /** Whether it may be sent again when it is not known what became of it. Default: all but POST. */
  readonly isRepeatable?: boolean;
}

/** A page of a collection. */
export interface GraphPage {
  readonly items: readonly Record<string, unknown>[];
  /** Where the next page is. */
  readonly nextLink?: string;
  /** Of a delta query, on its last page: where to ask for what changed since. */
  readonly deltaLink?: string;
}

/** A file that goes to an upload session. */
export interface GraphUpload extends Abortable {
  readonly scopes: readonly string[];
  /** `uploadUrl` of the session: it lets in whoever knows it. */
  readonly uploadUrl: string;
  readonly bytes: Uint8Array;
}

/** A request that stands in a batch. */
export type BatchRequest = Omit<GraphRequest, 'signal' | 'text' | 'ifMatch'>;

/** What became of one request of a batch. `body` is JSON, or a text; binary content is base64. */
export type BatchAnswer =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | { readonly ok: false; readonly error: EngineError };

/**
 * Requests to Microsoft Graph as one account. A token that is refused is renewed once; what is throttled (429, 503) or fails for
 * a moment is tried again as Retry-After says, within a minute in all, and a POST only when it certainly was not done. At most
 * four requests of an account are under way. Throws what `AccountTokens` and `graphError` tell of; rejects on abort.
 */
export interface Graph {
  /** The JSON object of the answer; empty where there is no body (202, 204). */
  json(request: GraphRequest): Promise<Record<string, unknown>>;
  /** The bytes of the answer, of at most `maxBytes` (else `TOO_LARGE`). */
  bytes(request: GraphRequest & { readonly maxBytes: number }): Promise<Uint8Array>;
  /** One page. */
  page(request: GraphRequest): Promise<GraphPage>;
  /** All items of a collection, page by page as they are asked for. */
  items(request: GraphRequest): AsyncIterable<Record<string, unknown>>;
  /**
   * Up to 20 requests at a time in one (`$batch`), with paths below `/v1.0`. One answer a request, in their order, each with
   * its own outcome; those that fail for a moment are asked for again alone. `maxBytes` as in `bytes`, for one batch.
   */
  batch(
    requests: readonly BatchRequest[],
    options?: Abortable & { readonly maxBytes?: number },
  ): Promise<readonly BatchAnswer[]>;
  /**
   * Sends a file to an upload session in ranges, without a token; after a broken connection it goes on where the session says.
   * False where the session is not there any more, or says nothing: it may have run out, or the file may be complete.
   */
  upload(request: GraphUpload): Promise<boolean>;
}

/** A path with its query; names as OData spells them (`$select`). */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** Text as a literal of `$filter`, in quotes (OData 4.01 5.1.1.6.1). */
export function odataText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
