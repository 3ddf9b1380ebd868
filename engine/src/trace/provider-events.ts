import { isoTime } from '../base/clock.ts';
import type { ErrorBody } from '../base/error.ts';
import { isTooDeep } from '../base/json.ts';
import { listBounded, MAX_PAGE_CHARACTERS } from '../store/bounded-list.ts';
import type { Change, Reader, Row } from '../store/store.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { type RequestWindow, shownMessages, windowedMessages } from './windowed.ts';

/** A request to a model, its response or its error, as the API returns it (seed 000, 3.2.0b). */
export interface ProviderEvent {
  readonly id: string;
  readonly threadId: string;
  readonly runId: string;
  readonly turn: number;
  readonly attempt: number;
  readonly kind: 'request' | 'response' | 'error';
  readonly apiId: string;
  readonly provider: string;
  readonly model: string;
  /** ISO 8601. */
  readonly at: string;
  readonly latencyMs?: number;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedInputTokens?: number };
  /** Of a response: US dollars; null where the price is unknown, and in events of older versions. */
  readonly cost?: number | null;
  /** request: the messages and tools as they were sent; response: the answer of the provider, with secrets redacted. */
  readonly payload?: unknown;
  readonly error?: ErrorBody;
}

/**
 * An event as it is stored. A request contains no messages: `upTo` is how many messages of the thread were sent,
 * `toolset` the hash of the set of tools, so that the bytes per turn do not grow. The messages and tools are added when
 * the event is shown.
 */
export type EventBody = {
  readonly runId: string;
  readonly turn: number;
  readonly attempt: number;
  readonly apiId: string;
  readonly provider: string;
  readonly model: string;
} & (
  | ({ readonly kind: 'request' } & StoredRequest)
  | {
      readonly kind: 'response';
      readonly latencyMs: number;
      readonly usage?: ProviderEvent['usage'];
      readonly cost?: number | null;
      /** Why the answer ended; absent in events that older versions stored. */
      readonly stop?: string;
      /** The text of an answer that is a summary. */
      readonly summary?: string;
      readonly payload: string;
    }
  | {
      readonly kind: 'error';
      readonly latencyMs: number;
      readonly error: ErrorBody;
      /** Whether the same request may succeed later, and after what time the provider asks to retry. */
      readonly retryable?: boolean;
      readonly retryAfterMs?: number;
    }
);

/** How a request is stored. */
export interface StoredRequest {
  readonly upTo: number;
  /** `''` where no tools were sent. */
  readonly toolset: string;
  /** Set where the first messages of the thread were left out. */
  readonly window?: RequestWindow;
  /** The messages themselves, of a request for a summary of the first `upTo` messages. */
  readonly own?: readonly unknown[];
  /** Set where the messages were sent with placeholders in place of private values. */
  readonly isRedacted?: true;
}

/** The change that appends an event; `seq` counts from 1 within the thread. */
export function eventChange(threadId: string, seq: number, at: number, body: EventBody): Change {
  return { op: 'insert', table: 'event', row: { thread: threadId, seq, at, body: JSON.stringify(body) } };
}

/** `seq` of the newest event of a thread, or 0. */
export async function lastEventSeq(reader: Reader, threadId: string): Promise<number> {
  const [row] = await reader.list('event', {
    where: [['thread', '=', threadId]],
    order: [['seq', 'desc']],
    limit: 1,
    bodies: false,
  });
  return row?.seq ?? 0;
}

/**
 * Reads a page of a thread's provider events in order. Requests contain the exact messages and tools that were sent;
 * with `isCompact`, only the number of messages and the hash of the set of tools.
 */
export async function listEvents(
  reader: Reader,
  threadId: string,
  page: { after?: number; limit?: number; isCompact?: boolean } = {},
): Promise<ProviderEvent[]> {
  const rows = await eventRows(reader, threadId, page);
  const sent = page.isCompact === true ? undefined : new SentReader(reader, threadId);
  const events: ProviderEvent[] = [];
  for (const row of rows) events.push(await expand(row, sent));
  return events;
}

/** An event as it is stored, without the messages and tools that it refers to. */
export interface StoredEvent {
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly body: EventBody;
}

/** Reads a thread's events in order, at most `limit` after `seq` `after`, for views that do not show the requests. */
export async function storedEvents(reader: Reader, threadId: string, limit: number, after = 0): Promise<StoredEvent[]> {
  const rows = await eventRows(reader, threadId, { after, limit });
  return rows.map((row) => ({ seq: row.seq, at: row.at, body: bodyOf<EventBody>('event', row) }));
}

function eventRows(
  reader: Reader,
  threadId: string,
  { after = 0, limit }: { readonly after?: number; readonly limit?: number },
): Promise<Row<'event'>[]> {
  return reader.list('event', {
    where: [
      ['thread', '=', threadId],
      ['seq', '>', after],
    ],
    order: [['seq', 'asc']],
    ...(limit !== undefined && { limit }),
  });
}

/** Reads one provider event with the exact request that was sent; undefined if it does not exist. */
export async function readEvent(reader: Reader, threadId: string, seq: number): Promise<ProviderEvent | undefined> {
  const row = await reader.get('event', { thread: threadId, seq });
  return row === undefined ? undefined : expand(row, new SentReader(reader, threadId));
}

async function expand(row: Row<'event'>, sent: SentReader | undefined): Promise<ProviderEvent> {
  const body = bodyOf<EventBody>('event', row);
  const { runId, turn, attempt, apiId, provider, model, kind } = body;
  const head = {
    id: `${row.thread}.${row.seq}`,
    threadId: row.thread,
    runId,
    turn,
    attempt,
    kind,
    apiId,
    provider,
    model,
  };
  const event = { ...head, at: isoTime(row.at) };
  switch (body.kind) {
    case 'request':
      return {
        ...event,
        payload:
          sent === undefined ? { model, upTo: body.upTo, toolset: body.toolset } : await sentPayload(model, body, sent),
      };
    case 'response':
      return {
        ...event,
        latencyMs: body.latencyMs,
        ...(body.usage !== undefined && { usage: body.usage }),
        cost: body.cost ?? null,
        payload: parsePayload(body.payload),
      };
    case 'error':
      return { ...event, latencyMs: body.latencyMs, error: body.error };
    default:
      return body satisfies never;
  }
}

/** A request as it was sent. `leftOut` is the number of messages that are too many for one answer. */
async function sentPayload(
  model: string,
  { upTo, toolset, window, own, isRedacted }: StoredRequest,
  sent: SentReader,
): Promise<object> {
  if (own !== undefined) return { model, messages: own, tools: [] };
  const all = await sent.messages(upTo, isRedacted === true);
  const leftOut = upTo - all.length;
  const messages = window === undefined ? shownMessages(all) : windowedMessages(all, window);
  return { model, messages, tools: await sent.tools(toolset), ...(leftOut > 0 && { leftOut }) };
}

/** Reads the messages and tools that requests refer to, each once per page. */
class SentReader {
  readonly #reader: Reader;
  readonly #threadId: string;
  readonly #messages: { readonly seq: number; readonly message: { readonly role: string } }[] = [];
  /** Messages as models got or wrote them, where that is another text. */
  readonly #redacted = new Map<number, { readonly role: string } | null>();
  /** Number of the last message that was read. */
  #seq = 0;
  #characters = 0;
  readonly #tools = new Map<string, Promise<unknown>>();

  constructor(reader: Reader, threadId: string) {
    this.#reader = reader;
    this.#threadId = threadId;
  }

  /**
   * The first `upTo` messages, as far as one answer holds them; with `isRedacted` as models saw them. Not for concurrent calls.
   */
  async messages(upTo: number, isRedacted: boolean): Promise<{ readonly role: string }[]> {
    if (this.#seq < upTo && this.#characters < MAX_PAGE_CHARACTERS) {
      const load = (last: Row<'message'> | undefined, limit: number) =>
        this.#reader.list('message', {
          where: [
            ['thread', '=', this.#threadId],
            ['seq', '>', last?.seq ?? this.#seq],
            ['seq', '<=', upTo],
          ],
          order: [['seq', 'asc']],
          limit,
        });
      const options = { limit: upTo, sizeOf: ({ body }: Row<'message'>) => body.length, before: this.#characters };
      const { rows, isMore } = await listBounded(load, options);
      await this.#readRedacted(rows);
      for (const row of rows) {
        this.#messages.push({ seq: row.seq, message: bodyOf<{ readonly role: string }>('message', row) });
        this.#characters += row.body.length;
      }
      this.#seq = isMore ? (rows.at(-1)?.seq ?? this.#seq) : upTo;
    }
    const shown = (seq: number) => (isRedacted ? (this.#redacted.get(seq) ?? undefined) : undefined);
    return this.#messages.flatMap(({ seq, message }) => (seq <= upTo ? [shown(seq) ?? message] : []));
  }

  async #readRedacted(messages: readonly Row<'message'>[]): Promise<void> {
    const [first, last] = [messages[0], messages.at(-1)];
    if (first === undefined || last === undefined) return;
    const rows = await this.#reader.list('redactedMessage', {
      where: [
        ['thread', '=', this.#threadId],
        ['seq', '>=', first.seq],
        ['seq', '<=', last.seq],
      ],
    });
    for (const row of rows)
      this.#redacted.set(row.seq, bodyOf<{ readonly role: string } | null>('redactedMessage', row));
  }

  tools(hash: string): Promise<unknown> {
    let tools = this.#tools.get(hash);
    if (tools === undefined) {
      tools = this.#reader
        .get('toolset', { hash })
        .then((row) => (row === undefined ? [] : bodyOf<unknown>('toolset', row)));
      this.#tools.set(hash, tools);
    }
    return tools;
  }
}

/**
 * Parses a payload as JSON. Returns text that is not JSON unchanged, and text that is nested too deep to be written as JSON
 * again, which earlier versions stored.
 */
function parsePayload(text: string): unknown {
  if (isTooDeep(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
