import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { type GraphPage, withQuery } from '../../account/microsoft/graph.ts';
import { createGraph } from '../../account/microsoft/graph-client.ts';
import { isResync, problemOf } from '../../account/microsoft/graph-error.ts';
import type { AccountTokens, Endpoints } from '../../account/account.ts';
import { scopesFor } from '../../account/scopes.ts';
import { OutlookReader } from './reader.ts';
import { reportMissing } from './missing-mails.ts';
import { type GraphMessage, labelsOf, SOURCE_FIELDS, textOf, timeOf } from './message.ts';
import { beginning, joined, type OutlookCursor, outlookCursorOf } from './cursor.ts';
import { UnreadableMails } from '../unreadable-mails.ts';
import type { MailParser } from '../mail.ts';
import type { FoundMail, GoneMail, ListOptions, MailSource, CursorReached, IngestFacts } from '../source.ts';

export interface OutlookOptions {
  readonly accountId: string;
  /** The account's own address: mail from it is own. */
  readonly email: string;
  /** Id or well-known name of the folder that is fetched. Default `inbox`. */
  readonly folder?: string;
  readonly workers: MailParser;
  readonly clock: Clock;
  /** One object an account. */
  readonly tokens: AccountTokens;
  readonly endpoints?: Pick<Endpoints, 'api'> | undefined;
}

/** Mails of a page; the place is kept after each. */
const PAGE = 50;

const SCOPES = scopesFor('outlook', ['read']);

/**
 * The source of an `outlook` account: the messages of one folder of Microsoft Graph, by delta queries. Nothing there is changed.
 * Mails are known by their immutable ids, which stay when they are moved within the mailbox. A backlog comes newest first, what
 * arrives meanwhile before the rest of it; the place is the link of the last page, so that a restart goes on there. Where Graph
 * has lost that (410), everything is listed anew, what is known is not read, and what was taken and is there no more is looked
 * for then. Labels are the categories and `\Flagged`.
 * Drafts are left until they are no more. Graph has no push that reaches a machine behind a router, so the engine asks it from
 * time to time (`settings.fetch.everySeconds`).
 */
export function createOutlookSource(options: OutlookOptions): MailSource {
  const { accountId, email, folder = 'inbox', endpoints } = options;
  const graph = createGraph(options);
  const refused = new UnreadableMails(options.clock);
  const path = `/me/mailFolders/${encodeURIComponent(folder)}`;
  const key = `${email}/${folder}@${endpoints?.api ?? 'graph.microsoft.com'}`;

  async function* list(asked: ListOptions): AsyncIterable<FoundMail | GoneMail | CursorReached> {
    const { signal } = asked;
    const isLeft = refused.left(asked.isUnreadable ?? (() => false));
    const reader = new OutlookReader(graph);
    const found = (item: GraphMessage): FoundMail => foundOf(item, reader);
    let cursor = outlookCursorOf(asked.cursor, key);
    let unread = cursor.unread;
    const reached = (next: OutlookCursor): CursorReached => ({
      kind: 'reached',
      cursor(more) {
        unread = joined(unread, more);
        return { ...next, unread };
      },
    });

    // What another process could not read.
    const again = unread.filter((id) => !isLeft(id));
    if (again.length > 0) {
      for (const id of again) yield found({ id });
      unread = unread.filter((id) => !again.includes(id));
      yield reached(cursor);
    }

    let isAnew = false;
    for (let isFirst = true; ; isFirst = false) {
      const isChanges = isFirst && !cursor.isBacklog;
      // What has arrived goes before the rest of a backlog.
      for (const item of cursor.isBacklog ? await arrived(cursor, signal) : []) {
        if (!isLeft(idOf(item))) yield found(item);
        cursor = { ...cursor, newest: timeOf(item, 'receivedDateTime') };
      }
      // Once in a look: a place that is lost again and again would keep it going for ever.
      const page = await pageAt(cursor, !isAnew, signal);
      if (page === undefined) {
        cursor = { ...beginning(key), uncompared: '' };
        isAnew = true;
        continue;
      }
      const isLast = page.nextLink === undefined;
      if (isFirst || cursor.link === undefined) await expect(asked, cursor, page, isChanges && isLast);
      const items = latest(page.items);
      const mails = items.filter((item) => item['@removed'] === undefined && item['isDraft'] !== true);
      const passed = mails.map(idOf).filter(isLeft);
      unread = joined(unread, passed);
      // A few that have arrived come as they did; a backlog is newest first.
      const sorted = mails.filter((item) => !passed.includes(idOf(item))).toSorted(byTime);
      const given = isChanges && isLast ? sorted : sorted.reverse();
      reader.turn(given.map((item) => ({ id: idOf(item), isSmall: item['hasAttachments'] === false })));
      for (const item of given) {
        signal?.throwIfAborted();
        yield found(await whole(item, signal));
      }
      for (const item of items) if (item['@removed'] !== undefined) yield goneOf(item);
      unread = unread.filter((id) => !items.some((item) => item['@removed'] !== undefined && idOf(item) === id));
      cursor = after(cursor, page, items);
      yield reached(cursor);
      if (isLast) break;
    }

    // Some of them in each look, so that what arrives does not wait for all.
    if (cursor.uncompared === undefined) return;
    const { uncompared, ...rest } = cursor;
    const next = yield* reportMissing(graph, path, uncompared, asked);
    cursor = { ...rest, ...(next !== undefined && { uncompared: next }) };
    yield reached(cursor);
  }

  /** The next page, or undefined where Graph has lost the place and `mayBeLost`. */
  async function pageAt(
    { link }: OutlookCursor,
    mayBeLost: boolean,
    signal: AbortSignal | undefined,
  ): Promise<GraphPage | undefined> {
    // The ids in a link's answers, and how many there are, follow the headers of its own request.
    const prefer = [`odata.maxpagesize=${PAGE}`];
    const first = withQuery(`${path}/messages/delta`, { $select: SOURCE_FIELDS, $orderby: 'receivedDateTime desc' });
    try {
      const page = await graph.page({ path: link ?? first, scopes: SCOPES, prefer, signal });
      const isStuck = page.nextLink !== undefined && page.nextLink === link;
      if (isStuck || (page.nextLink === undefined && page.deltaLink === undefined))
        throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: Microsoft Graph does not say how to go on`, {
          hint: 'It is tried again by itself.',
          retryable: true,
        });
      return page;
    } catch (error) {
      if (mayBeLost && link !== undefined && isResync(error)) return undefined;
      throw (link === undefined ? withoutDelta(error, accountId) : undefined) ?? error;
    }
  }

  /** Says how many mails are going to come, where that is known. */
  async function expect({ onTotal, signal }: ListOptions, cursor: OutlookCursor, page: GraphPage, isAll: boolean) {
    if (onTotal === undefined) return;
    if (isAll) return onTotal(page.items.filter((item) => item['@removed'] === undefined).length);
    if (!cursor.isBacklog) return;
    const { totalItemCount } = await graph.json({
      path: withQuery(path, { $select: 'totalItemCount' }),
      ...{ scopes: SCOPES, signal },
    });
    if (typeof totalItemCount === 'number') onTotal(Math.max(totalItemCount - cursor.done, page.items.length));
  }

  /** What has arrived since, oldest first. The delta query gives it too, but only after the backlog. */
  async function arrived(
    { link, newest }: OutlookCursor,
    signal: AbortSignal | undefined,
  ): Promise<readonly GraphMessage[]> {
    if (link === undefined || newest === '') return [];
    const { items } = await graph.page({
      path: withQuery(`${path}/messages`, {
        $select: SOURCE_FIELDS,
        $filter: `receivedDateTime gt ${newest}`,
        $orderby: 'receivedDateTime',
        $top: PAGE,
      }),
      ...{ scopes: SCOPES, signal },
    });
    return items.filter((item) => item['isDraft'] !== true && idOf(item) !== '');
  }

  /** With all labels, where a change tells of one kind only. */
  async function whole(item: GraphMessage, signal: AbortSignal | undefined): Promise<GraphMessage> {
    const isOfOneKind = Array.isArray(item['categories']) !== isRecord(item['flag']);
    return isOfOneKind ? { ...item, ...(await read(idOf(item), signal)) } : item;
  }

  /** The facts of a message; none where it is gone. */
  async function read(id: string, signal: AbortSignal | undefined): Promise<GraphMessage> {
    const one = withQuery(`/me/messages/${encodeURIComponent(id)}`, { $select: SOURCE_FIELDS });
    return graph.json({ path: one, scopes: SCOPES, signal }).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'NOT_FOUND') return {};
      throw error;
    });
  }

  function foundOf(item: GraphMessage, reader: OutlookReader): FoundMail {
    const id = idOf(item);
    const labels = labelsOf(item);
    return {
      ...{ kind: 'mail', name: id, providerId: id },
      ...(labels !== undefined && { labels }),
      async read(facts: IngestFacts, { signal } = {}) {
        const bytes = await refused.watch(id, () => reader.read(id, { signal }));
        const known = labels === undefined ? { ...item, ...(await read(id, signal)) } : item;
        const threadId = textOf(known, 'conversationId');
        return options.workers.parse(
          { kind: 'bytes', bytes },
          {
            ...{ ...facts, accountId, ownAddresses: [email], readsLabelHeaders: false },
            receivedAt: timeOf(known, 'receivedDateTime') || facts.receivedAt,
            labels: [...(labelsOf(known) ?? [])],
            ...(threadId !== '' && { threadId }),
          },
          { signal },
        );
      },
    };
  }

  return {
    list,
    // The engine asks from time to time, and there is nobody here to listen to in between.
    async watch() {
      return async () => {};
    },
  };
}

/**
 * A Graph that knows no delta query takes `delta` for the id of a message
 * (https://github.com/microsoftgraph/microsoft-graph-docs/issues/2163), or says that there is no such thing.
 */
function withoutDelta(error: unknown, accountId: string): EngineError | undefined {
  const problem = problemOf(error);
  if (problem === undefined) return undefined;
  const { status, code } = problem;
  const isUnknown = /^(ErrorInvalidId(Malformed)?|ResourceNotFound|BadRequest|NotImplemented)$/.test(code);
  if (!isUnknown && status !== 405 && status !== 501) return undefined;
  const said = code || `HTTP ${status}`;
  return new EngineError(
    'ACCOUNT_FAILED',
    `account ${accountId}: this Graph does not tell what has changed in a folder (${said})`,
    {
      hint: 'It is so in the cloud in China (`message: delta`): take `provider: imap` there. Elsewhere see `endpoints.api`.',
      cause: problem,
    },
  );
}

function idOf(item: GraphMessage): string {
  return textOf(item, 'id');
}

function goneOf(item: GraphMessage): GoneMail {
  const id = idOf(item);
  return { kind: 'gone', name: id, providerId: id };
}

/** The place once a page is dealt with. */
function after(
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

/** Each message once, as the page tells of it last: one may stand there several times. */
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
