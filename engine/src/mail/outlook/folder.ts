import { EngineError } from '../../base/error.ts';
import { type Graph, type GraphPage, withQuery } from '../../account/microsoft/graph.ts';
import { isResync, problemOf } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { OutlookCursor } from './cursor.ts';
import { type GraphMessage, messagePath, SOURCE_FIELDS, textOf } from './message.ts';

/** Mails of a page; the place is kept after each. */
const PAGE = 50;

const SCOPES = scopesFor('outlook', ['read']);

/** Requests about the messages of the folder that is fetched. Errors as in `Graph`; each rejects on abort. */
export class OutlookFolder {
  /** `/me/mailFolders/…` */
  readonly path: string;
  readonly #graph: Graph;
  readonly #accountId: string;

  constructor(graph: Graph, { accountId, folder }: { readonly accountId: string; readonly folder: string }) {
    this.path = `/me/mailFolders/${encodeURIComponent(folder)}`;
    this.#graph = graph;
    this.#accountId = accountId;
  }

  /** The next page, or undefined where Graph has lost the place and `mayBeLost`. */
  async page(
    { link }: OutlookCursor,
    mayBeLost: boolean,
    signal: AbortSignal | undefined,
  ): Promise<GraphPage | undefined> {
    // The ids in a link's answers, and how many there are, follow the headers of its own request.
    const prefer = [`odata.maxpagesize=${PAGE}`];
    const query = { $select: SOURCE_FIELDS, $orderby: 'receivedDateTime desc' };
    const first = withQuery(`${this.path}/messages/delta`, query);
    try {
      const page = await this.#graph.page({ path: link ?? first, scopes: SCOPES, prefer, signal });
      const isStuck = page.nextLink !== undefined && page.nextLink === link;
      if (isStuck || (page.nextLink === undefined && page.deltaLink === undefined))
        throw new EngineError(
          'ACCOUNT_FAILED',
          `account ${this.#accountId}: Microsoft Graph does not say how to go on`,
          {
            hint: 'It is tried again by itself.',
            retryable: true,
          },
        );
      return page;
    } catch (error) {
      if (mayBeLost && link !== undefined && isResync(error)) return undefined;
      throw (link === undefined ? withoutDelta(error, this.#accountId) : undefined) ?? error;
    }
  }

  /** Mails that lie in the folder, or undefined where Graph does not say. */
  async total(signal: AbortSignal | undefined): Promise<number | undefined> {
    const { totalItemCount } = await this.#graph.json({
      path: withQuery(this.path, { $select: 'totalItemCount' }),
      ...{ scopes: SCOPES, signal },
    });
    return typeof totalItemCount === 'number' ? totalItemCount : undefined;
  }

  /** What has arrived since the newest mail of a cursor, oldest first. */
  async newerThan({ link, newest }: OutlookCursor, signal: AbortSignal | undefined): Promise<readonly GraphMessage[]> {
    if (link === undefined || newest === '') return [];
    const { items } = await this.#graph.page({
      path: withQuery(`${this.path}/messages`, {
        $select: SOURCE_FIELDS,
        $filter: `receivedDateTime gt ${newest}`,
        $orderby: 'receivedDateTime',
        $top: PAGE,
      }),
      ...{ scopes: SCOPES, signal },
    });
    return items.filter((item) => item['isDraft'] !== true && textOf(item, 'id') !== '');
  }

  /** The facts of a message; none where it is gone. */
  async message(id: string, signal: AbortSignal | undefined): Promise<GraphMessage> {
    const path = withQuery(messagePath(id), { $select: SOURCE_FIELDS });
    return this.#graph.json({ path, scopes: SCOPES, signal }).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'NOT_FOUND') return {};
      throw error;
    });
  }
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
