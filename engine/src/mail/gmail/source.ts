import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { type MissingMails, findMissing } from './missing-mails.ts';
import { GmailClient, type GmailOptions } from './client.ts';
import { type MailChange, NO_CHANGE, readHistory } from './history.ts';
import { GmailLabels } from './labels.ts';
import { type Backlog, GmailCursor } from './cursor.ts';
import { type GmailPage, GmailReader, HIDDEN } from './reader.ts';
import { UnreadableMails } from '../unreadable-mails.ts';
import type { MailParser, ParsedMail } from '../mail.ts';
import type { FoundMail, SourceEvent, ListOptions, MailSource, CursorReached, IngestFacts } from '../source.ts';

export interface GmailSourceOptions extends GmailOptions {
  /** Mail with one of these labels is fetched; named as in `GmailLabels`. */
  readonly labels: readonly string[];
  readonly workers: MailParser;
}

/** Most listings of everything, where mails leave the labels during each of them. */
const MAX_PASSES = 3;

/** Mails whose labels are requested at the same time. */
const AT_ONCE = 5;

/**
 * The source of a `gmail` account: mail with one of the fetched labels, without drafts and chats, and without trash and
 * spam unless that is one of the labels. A mail's id never changes, so each mail is read once. The first fetch lists
 * everything, newest first, one label after the other; later fetches read Gmail's history only. Where the history does
 * not reach back far enough, everything is listed again, and only the labels of known mails are read. Then Gmail is
 * asked for each known mail that the listing does not have where it was: a mail is gone only where Gmail says so about
 * this mail. There is no push (no Pub/Sub): the engine polls.
 */
export function createGmailSource(options: GmailSourceOptions): MailSource {
  return new GmailSource(options);
}

/** One fetch: its options and its progress. */
interface GmailFetch {
  readonly options: ListOptions;
  readonly cursor: GmailCursor;
  /** Ids of the fetched labels. */
  readonly wanted: readonly string[];
  /** Whether to skip a mail that could not be read. */
  readonly isSkipped: (id: string) => boolean;
}

class GmailSource implements MailSource {
  readonly #options: GmailSourceOptions;
  readonly #client: GmailClient;
  readonly #reader: GmailReader;
  readonly #labels: GmailLabels;
  readonly #unreadable: UnreadableMails;

  constructor(options: GmailSourceOptions) {
    this.#options = options;
    this.#client = new GmailClient(options);
    this.#reader = new GmailReader(this.#client);
    this.#labels = new GmailLabels(this.#client, options.clock);
    this.#unreadable = new UnreadableMails(options.clock);
  }

  async *list(options: ListOptions): AsyncIterable<SourceEvent> {
    const { signal, onTotal } = options;
    const isSkipped = this.#unreadable.skips(options.isUnreadable ?? (() => false));
    const wanted = await this.#wantedIds({ signal });
    const { email, labels } = this.#options;
    const cursor = new GmailCursor(options.cursor, { mailbox: email.toLowerCase(), labels });
    const fetch: GmailFetch = { options, cursor, wanted, isSkipped };
    const again = cursor.unread.filter((id) => !isSkipped(id));
    for (const id of again) yield this.#foundOf(fetch, id);
    if (again.length > 0) yield reached(cursor, again);
    let missing: MissingMails | undefined;
    let begun: string | undefined;
    let isTold = onTotal === undefined;
    for (;;) {
      // New mail goes before the rest of a backlog.
      const isKnown = yield* this.#follow(fetch);
      // Without this check, a history id that Gmail refuses at once would start the listing again for ever.
      if (!isKnown && (begun === undefined || cursor.historyId !== begun)) {
        begun = await this.#reader.historyId({ signal });
        // Gmail forgets the history of a quiet mailbox, even from the current id on: an unchanged id means that nothing
        // happened.
        if (begun !== cursor.historyId) cursor.begin(begun, cursor.historyId !== undefined);
        missing = undefined;
      }
      if (cursor.backlog === undefined) {
        if (cursor.uncompared === undefined) return;
        missing ??= await this.#findMissing(fetch, cursor.uncompared);
        yield* this.#checkEach(fetch, missing.ids.splice(0, AT_ONCE));
        if (missing.ids.length > 0) continue;
        cursor.uncompared = missing.next;
        missing = undefined;
        yield reached(cursor, []);
        continue;
      }
      if (!isTold) onTotal?.(Math.max(0, (await this.#reader.total(wanted, { signal })) - cursor.backlog.done));
      isTold = true;
      yield* this.#listPage(fetch, cursor.backlog);
    }
  }

  /** Gmail sends no notifications: see `createGmailSource`. */
  async watch(): Promise<() => Promise<void>> {
    return async () => {};
  }

  /** Emits everything since the last fetch. Returns false where Gmail does not know it. */
  async *#follow(fetch: GmailFetch): AsyncGenerator<SourceEvent, boolean> {
    const { cursor, options } = fetch;
    const { signal, onTotal } = options;
    for (let isMore = true; isMore;) {
      const since = cursor.historyId;
      const piece = since === undefined ? undefined : await readHistory(this.#client, since, { signal });
      if (piece === undefined) return false;
      const { given, names, passed } = await this.#eventsOf(fetch, piece.changes);
      if (cursor.backlog === undefined && names.length > 0) onTotal?.(names.length);
      yield* given;
      cursor.historyId = piece.historyId;
      isMore = !piece.isLast;
      if (given.length > 0 || piece.historyId !== since) yield reached(cursor, names, passed);
    }
    return true;
  }

  /** The events of some changes; notes in the backlog that mails left the fetched labels. */
  async #eventsOf(fetch: GmailFetch, changes: readonly MailChange[]) {
    const { cursor, wanted, isSkipped } = fetch;
    const given: SourceEvent[] = [];
    const names: string[] = [];
    const passed: string[] = [];
    for (const change of changes) {
      const one = await this.#eventOf(fetch, change);
      const isMail = one?.kind === 'mail';
      const hasLeft = (one !== undefined && !isMail) || change.removedLabelIds.some((id) => wanted.includes(id));
      if (hasLeft && cursor.backlog !== undefined) cursor.backlog = { ...cursor.backlog, isShifted: true };
      if (one === undefined) continue;
      if (isMail && isSkipped(one.name)) {
        passed.push(one.name);
        continue;
      }
      given.push(one);
      if (isMail) names.push(one.name);
    }
    return { given, names, passed };
  }

  /** Emits the next mails of a backlog. */
  async *#listPage(fetch: GmailFetch, backlog: Backlog): AsyncIterable<SourceEvent> {
    const { cursor, wanted, isSkipped } = fetch;
    const { signal } = fetch.options;
    const page = await this.#reader.page(wanted[backlog.label] ?? '', backlog.page, { signal });
    const isLast = page.next === undefined && backlog.label + 1 >= wanted.length;
    // A mail may have left its label just before this page was listed. With more pages, the next look at the history notes that.
    if (isLast) yield* this.#follow(fetch);
    const passed = page.ids.filter(isSkipped);
    const ids = page.ids.filter((id) => !passed.includes(id));
    for (let n = 0; n < ids.length; n += AT_ONCE) {
      const batch = ids.slice(n, n + AT_ONCE);
      const have = backlog.compares ? await Promise.all(batch.map((id) => this.#reader.labelIds(id, { signal }))) : [];
      for (const [i, id] of batch.entries()) {
        const labelIds = have[i];
        if (backlog.compares && labelIds === undefined) continue;
        yield this.#foundOf(fetch, id, labelIds && (await this.#labels.namesOf(labelIds, { signal })));
      }
    }
    cursor.backlog = nextOf(cursor.backlog ?? backlog, page, wanted);
    yield reached(cursor, ids, passed);
  }

  #findMissing({ wanted, options }: GmailFetch, after: string): Promise<MissingMails> {
    return findMissing({ reader: this.#reader, labels: this.#labels, wanted }, after, options);
  }

  /** Asks Gmail for each of these known mails, and emits its current state. */
  async *#checkEach(fetch: GmailFetch, ids: readonly string[]): AsyncIterable<SourceEvent> {
    const events = await Promise.all(ids.map((id) => this.#eventOf(fetch, { ...NO_CHANGE, id, isRelabelled: true })));
    for (const event of events) if (event !== undefined) yield event;
  }

  async #eventOf(fetch: GmailFetch, change: MailChange): Promise<SourceEvent | undefined> {
    const { wanted } = fetch;
    const { signal } = fetch.options;
    const { id, isRelabelled } = change;
    const gone = { kind: 'gone', name: id, providerId: id } as const;
    if (change.labelIds?.includes('DRAFT')) return undefined;
    if (change.isDeleted) return gone;
    const ids = change.labelIds ?? (isRelabelled ? await this.#reader.labelIds(id, { signal }) : undefined);
    if (ids === undefined) return isRelabelled ? gone : this.#foundOf(fetch, id);
    const isFetched = isWanted(ids, wanted);
    if (!isFetched && !isRelabelled) return undefined;
    const names = await this.#labels.namesOf(ids, { signal });
    return isFetched ? this.#foundOf(fetch, id, names) : { kind: 'labels', name: id, providerId: id, labels: names };
  }

  #foundOf({ wanted }: GmailFetch, id: string, names?: readonly string[]): FoundMail {
    return {
      ...{ kind: 'mail', name: id, providerId: id },
      ...(names !== undefined && { labels: names }),
      read: (facts, { signal } = {}) => this.#read(id, wanted, facts, { signal }),
    };
  }

  async #read(id: string, wanted: readonly string[], facts: IngestFacts, { signal }: Abortable): Promise<ParsedMail> {
    const { accountId, email, workers } = this.#options;
    const request = () => this.#reader.message(id, 'raw', { signal });
    const { labelIds, threadId, internalDate, raw } = await this.#unreadable.track(id, request);
    // By now it may be archived or in the trash; a draft is listed with the thread that it replies to.
    if (!isWanted(labelIds ?? [], wanted))
      throw new EngineError('MAIL_UNSETTLED', `mail ${id} has none of the fetched labels`, { retryable: true });
    if (!raw)
      throw new EngineError('MAIL_UNREADABLE', `account ${accountId}: Gmail returned mail ${id} without its content`);
    return workers.parse(
      { kind: 'bytes', bytes: new Uint8Array(Buffer.from(raw, 'base64url')) },
      {
        ...{ ...facts, accountId, ownAddresses: [email], readsLabelHeaders: false },
        receivedAt: internalDate ? new Date(Number(internalDate)).toISOString() : facts.receivedAt,
        labels: await this.#labels.namesOf(labelIds ?? [], { signal }),
        ...(threadId && { threadId }),
      },
      { signal },
    );
  }

  /** Ids of the labels that are fetched. */
  async #wantedIds({ signal }: Abortable): Promise<readonly string[]> {
    const { accountId, labels } = this.#options;
    const ids: string[] = [];
    const missing: string[] = [];
    for (const name of labels) {
      const id = await this.#labels.idOf(name, { signal });
      if (id === undefined) missing.push(name);
      else if (!ids.includes(id)) ids.push(id);
    }
    if (missing.length === 0) return ids;
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: Gmail has no label ${missing.join(', ')}`, {
      hint: 'Create it there, or correct `labels`.',
    });
  }
}

function isWanted(labelIds: readonly string[], wanted: readonly string[]): boolean {
  if (labelIds.includes('DRAFT') || labelIds.includes('CHAT')) return false;
  if (HIDDEN.some((id) => labelIds.includes(id) && !wanted.includes(id))) return false;
  return wanted.some((id) => labelIds.includes(id));
}

/**
 * The backlog after a page. Where mails left the fetched labels during the listing, other mails moved to an earlier
 * page and were never listed: then everything is listed once more.
 */
function nextOf(backlog: Backlog, { ids, next }: GmailPage, wanted: readonly string[]): Backlog | undefined {
  const { page: _page, ...rest } = backlog;
  const done = backlog.done + ids.length;
  if (next !== undefined) return { ...rest, done, page: next };
  if (backlog.label + 1 < wanted.length) return { ...rest, done, label: backlog.label + 1 };
  if (!backlog.isShifted || backlog.passes + 1 >= MAX_PASSES) return undefined;
  return { label: 0, done, compares: false, passes: backlog.passes + 1, isShifted: false };
}

/**
 * `passed` are mails that this process could not read, perhaps in a fetch that failed later: the next process tries
 * them again.
 */
function reached(cursor: GmailCursor, given: readonly string[], passed: readonly string[] = []): CursorReached {
  const names = new Set(given);
  return { kind: 'reached', cursor: (unread) => cursor.next(names, [...passed, ...unread]) };
}
