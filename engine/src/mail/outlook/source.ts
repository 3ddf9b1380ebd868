import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { Graph, GraphPage } from '../../account/microsoft/graph.ts';
import { createGraph } from '../../account/microsoft/graph-client.ts';
import type { AccountTokens, Endpoints } from '../../account/account.ts';
import { OutlookReader } from './reader.ts';
import { OutlookFolder } from './folder.ts';
import { reportMissing } from './missing-mails.ts';
import { type GraphMessage, labelsOf, textOf, timeOf } from './message.ts';
import { initialCursor, mergeIds, type OutlookCursor, readOutlookCursor } from './cursor.ts';
import { UnreadableMails } from '../unreadable-mails.ts';
import type { MailParser, ParsedMail } from '../mail.ts';
import type { FoundMail, GoneMail, ListOptions, MailSource, CursorReached, IngestFacts } from '../source.ts';

/** Options of `createOutlookSource`. */
export interface OutlookSourceOptions {
  readonly accountId: string;
  /** The account's own address: mail from it counts as own mail. */
  readonly email: string;
  /** Id or well-known name of the fetched folder. Default `inbox`. */
  readonly folder?: string;
  readonly workers: MailParser;
  readonly clock: Clock;
  /** Always the same object for one account. */
  readonly tokens: AccountTokens;
  readonly endpoints?: Pick<Endpoints, 'api'> | undefined;
}

/**
 * The source of an `outlook` account: the messages of one folder of Microsoft Graph, by delta queries. It changes
 * nothing. Mails are identified by their immutable ids, which survive a move within the mailbox. A backlog comes newest
 * first, with new mail before the rest of it; the cursor is the link of the last page, so that a restart continues
 * there. Where Graph has lost the cursor (410), everything is listed again; known mails are not read again, and known
 * mails that are missing are then searched for. Labels are the categories and `\Flagged`. Drafts are skipped. Graph
 * cannot push to a machine behind a router, so the engine polls (`settings.fetch.everySeconds`).
 */
export function createOutlookSource(options: OutlookSourceOptions): MailSource {
  return new OutlookSource(options);
}

/** One fetch: its options and its progress. */
interface OutlookFetch {
  readonly options: ListOptions;
  readonly reader: OutlookReader;
  /** Whether to skip a mail that could not be read. */
  readonly isSkipped: (id: string) => boolean;
  cursor: OutlookCursor;
  /** Ids of mails that could not be read: the `unread` of the next cursor. */
  unread: readonly string[];
}

class OutlookSource implements MailSource {
  readonly #options: OutlookSourceOptions;
  readonly #graph: Graph;
  readonly #unreadable: UnreadableMails;
  readonly #folder: OutlookFolder;
  /** Identifies the folder in a cursor. */
  readonly #key: string;

  constructor(options: OutlookSourceOptions) {
    const { accountId, email, folder = 'inbox', endpoints, clock } = options;
    this.#options = options;
    this.#graph = createGraph(options);
    this.#unreadable = new UnreadableMails(clock);
    this.#folder = new OutlookFolder(this.#graph, { accountId, folder });
    this.#key = `${email}/${folder}@${endpoints?.api ?? 'graph.microsoft.com'}`;
  }

  async *list(options: ListOptions): AsyncIterable<FoundMail | GoneMail | CursorReached> {
    const { signal } = options;
    const cursor = readOutlookCursor(options.cursor, this.#key);
    const isSkipped = this.#unreadable.skips(options.isUnreadable ?? (() => false));
    const fetch = { options, reader: new OutlookReader(this.#graph), isSkipped, cursor, unread: cursor.unread };
    yield* this.#unreadAgain(fetch);
    let isAnew = false;
    for (let isFirst = true; ; isFirst = false) {
      const isChanges = isFirst && !fetch.cursor.isBacklog;
      // New mail goes before the rest of a backlog.
      if (fetch.cursor.isBacklog) yield* this.#arrived(fetch);
      // Once per fetch: a cursor that is lost again and again would make the fetch endless.
      const page = await this.#folder.page(fetch.cursor, !isAnew, signal);
      if (page === undefined) {
        fetch.cursor = { ...initialCursor(this.#key), uncompared: '' };
        isAnew = true;
        continue;
      }
      const isLast = page.nextLink === undefined;
      if (isFirst || fetch.cursor.link === undefined) await this.#announceTotal(fetch, page, isChanges && isLast);
      yield* this.#mailsOf(fetch, page, isChanges && isLast);
      if (isLast) break;
    }
    yield* this.#compareKnown(fetch);
  }

  /** Graph sends no notifications: see `createOutlookSource`. */
  async watch(): Promise<() => Promise<void>> {
    return async () => {};
  }

  /** Emits mails that another process could not read. */
  async *#unreadAgain(fetch: OutlookFetch): AsyncIterable<FoundMail | CursorReached> {
    const again = fetch.unread.filter((id) => !fetch.isSkipped(id));
    if (again.length === 0) return;
    for (const id of again) yield this.#foundOf({ id }, fetch.reader);
    fetch.unread = fetch.unread.filter((id) => !again.includes(id));
    yield reached(fetch);
  }

  /**
   * Emits mails newer than the newest one of the cursor, oldest first. The delta query has them too, but only after the
   * backlog.
   */
  async *#arrived(fetch: OutlookFetch): AsyncIterable<FoundMail> {
    for (const item of await this.#folder.newerThan(fetch.cursor, fetch.options.signal)) {
      if (!fetch.isSkipped(idOf(item))) yield this.#foundOf(item, fetch.reader);
      fetch.cursor = { ...fetch.cursor, newest: timeOf(item, 'receivedDateTime') };
    }
  }

  /** Emits the mails of a page, and the cursor after it. */
  async *#mailsOf(
    fetch: OutlookFetch,
    page: GraphPage,
    isInOrder: boolean,
  ): AsyncIterable<FoundMail | GoneMail | CursorReached> {
    const { reader, isSkipped, options } = fetch;
    const items = latest(page.items);
    const mails = items.filter((item) => item['@removed'] === undefined && item['isDraft'] !== true);
    const passed = mails.map(idOf).filter(isSkipped);
    fetch.unread = mergeIds(fetch.unread, passed);
    // A few new mails stay in order of arrival; a backlog is newest first.
    const sorted = mails.filter((item) => !passed.includes(idOf(item))).toSorted(byTime);
    const given = isInOrder ? sorted : sorted.reverse();
    reader.startPage(given.map((item) => ({ id: idOf(item), isSmall: item['hasAttachments'] === false })));
    for (const item of given) {
      options.signal?.throwIfAborted();
      yield this.#foundOf(await this.#withAllLabels(item, options.signal), reader);
    }
    for (const item of items) if (item['@removed'] !== undefined) yield goneOf(item);
    fetch.unread = fetch.unread.filter(
      (id) => !items.some((item) => item['@removed'] !== undefined && idOf(item) === id),
    );
    fetch.cursor = cursorAfter(fetch.cursor, page, items);
    yield reached(fetch);
  }

  /** Compares some of the known mails in each fetch, so that new mail does not wait for all of them. */
  async *#compareKnown(fetch: OutlookFetch): AsyncIterable<FoundMail | GoneMail | CursorReached> {
    if (fetch.cursor.uncompared === undefined) return;
    const { uncompared, ...rest } = fetch.cursor;
    const next = yield* reportMissing(this.#graph, this.#folder.path, uncompared, fetch.options);
    fetch.cursor = { ...rest, ...(next !== undefined && { uncompared: next }) };
    yield reached(fetch);
  }

  /** Reports how many mails this fetch will emit, where Graph says it. */
  async #announceTotal({ options, cursor }: OutlookFetch, page: GraphPage, isAll: boolean): Promise<void> {
    const { onTotal, signal } = options;
    if (onTotal === undefined) return;
    if (isAll) return onTotal(page.items.filter((item) => item['@removed'] === undefined).length);
    if (!cursor.isBacklog) return;
    const total = await this.#folder.total(signal);
    if (total !== undefined) onTotal(Math.max(total - cursor.done, page.items.length));
  }

  /** Adds the missing labels to a change that has only one kind of them. */
  async #withAllLabels(item: GraphMessage, signal: AbortSignal | undefined): Promise<GraphMessage> {
    const isOfOneKind = Array.isArray(item['categories']) !== isRecord(item['flag']);
    return isOfOneKind ? { ...item, ...(await this.#folder.message(idOf(item), signal)) } : item;
  }

  #foundOf(item: GraphMessage, reader: OutlookReader): FoundMail {
    const id = idOf(item);
    const labels = labelsOf(item);
    return {
      ...{ kind: 'mail', name: id, providerId: id },
      ...(labels !== undefined && { labels }),
      read: (facts, { signal } = {}) => this.#read(item, reader, facts, signal),
    };
  }

  async #read(
    item: GraphMessage,
    reader: OutlookReader,
    facts: IngestFacts,
    signal: AbortSignal | undefined,
  ): Promise<ParsedMail> {
    const { accountId, email, workers } = this.#options;
    const id = idOf(item);
    const bytes = await this.#unreadable.track(id, () => reader.read(id, { signal }));
    const known = labelsOf(item) === undefined ? { ...item, ...(await this.#folder.message(id, signal)) } : item;
    const threadId = textOf(known, 'conversationId');
    return workers.parse(
      { kind: 'bytes', bytes },
      {
        ...{ ...facts, accountId, ownAddresses: [email], readsLabelHeaders: false },
        receivedAt: timeOf(known, 'receivedDateTime') || facts.receivedAt,
        labels: [...(labelsOf(known) ?? [])],
        ...(threadId !== '' && { threadId }),
      },
      { signal },
    );
  }
}

/** An event with the current cursor, and with the unreadable mails at the time it is stored. */
function reached(fetch: OutlookFetch): CursorReached {
  const next = fetch.cursor;
  return {
    kind: 'reached',
    cursor(more) {
      fetch.unread = mergeIds(fetch.unread, more);
      return { ...next, unread: fetch.unread };
    },
  };
}

function idOf(item: GraphMessage): string {
  return textOf(item, 'id');
}

function goneOf(item: GraphMessage): GoneMail {
  const id = idOf(item);
  return { kind: 'gone', name: id, providerId: id };
}

/** The cursor after a page. */
function cursorAfter(
  cursor: OutlookCursor,
  { nextLink, deltaLink }: GraphPage,
  items: readonly GraphMessage[],
): OutlookCursor {
  const link = nextLink ?? deltaLink;
  const isBacklog = cursor.isBacklog && nextLink !== undefined;
  const times = [cursor.newest, ...items.map((item) => timeOf(item, 'receivedDateTime'))];
  return {
    folder: cursor.folder,
    ...(link !== undefined && { link }),
    isBacklog,
    done: isBacklog ? cursor.done + items.length : 0,
    newest: times.toSorted().at(-1) ?? '',
    ...(cursor.uncompared !== undefined && { uncompared: cursor.uncompared }),
    unread: [],
  };
}

/** Each message once, in its last state: a page may have it several times. */
function latest(items: readonly GraphMessage[]): readonly GraphMessage[] {
  const byId = new Map<string, GraphMessage>();
  for (const item of items) {
    const id = idOf(item);
    if (id === '') continue;
    byId.delete(id);
    byId.set(id, item);
  }
  return [...byId.values()];
}

/** Oldest first. */
function byTime(a: GraphMessage, b: GraphMessage): number {
  return timeOf(a, 'receivedDateTime').localeCompare(timeOf(b, 'receivedDateTime'));
}
