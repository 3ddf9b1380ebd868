import { EngineError } from '../../base/error.ts';
import { type Graph, type GraphPage, withQuery } from '../../account/microsoft/graph.ts';
import { isResync, problemOf } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { OutlookCursor } from './cursor.ts';
import { type GraphMessage, messagePath, SOURCE_FIELDS, textOf } from './message.ts';

/** Mails per page; the cursor is stored after each page. */
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

  /** Returns the next page, or undefined where Graph has lost the cursor and `mayBeLost`. */
  async page(
    { link }: OutlookCursor,
    mayBeLost: boolean,
    signal: AbortSignal | undefined,
  ): Promise<GraphPage | undefined> {
    // Ids and page size in the response to a link depend on the headers of that request.
    const prefer = [`odata.maxpagesize=${PAGE}`];
    const query = { $select: SOURCE_FIELDS, $orderby: 'receivedDateTime desc' };
    const first = withQuery(`${this.path}/messages/delta`, query);
    try {
      const page = await this.#graph.page({ path: link ?? first, scopes: SCOPES, prefer, signal });
      const isStuck = page.nextLink !== undefined && page.nextLink === link;
      if (isStuck || (page.nextLink === undefined && page.deltaLink === undefined))
        throw new EngineError(
          'ACCOUNT_FAILED',
          `account ${this.#accountId}: Microsoft Graph returned no link to continue with`,
          {
            hint: 'Callsheet tries again.',
            retryable: true,
          },
        );
      return page;
    } catch (error) {
      if (mayBeLost && link !== undefined && isResync(error)) return undefined;
      throw (link === undefined ? withoutDelta(error, this.#accountId) : undefined) ?? error;
    }
  }

  /** Number of mails in the folder, or undefined where Graph does not say. */
  async total(signal: AbortSignal | undefined): Promise<number | undefined> {
    const { totalItemCount } = await this.#graph.json({
      path: withQuery(this.path, { $select: 'totalItemCount' }),
      ...{ scopes: SCOPES, signal },
    });
    return typeof totalItemCount === 'number' ? totalItemCount : undefined;
  }

  /** Mails that arrived after the newest mail of a cursor, oldest first. */
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

  /** The fields of a message; empty where the message is gone. */
  async message(id: string, signal: AbortSignal | undefined): Promise<GraphMessage> {
    const path = withQuery(messagePath(id), { $select: SOURCE_FIELDS });
    return this.#graph.json({ path, scopes: SCOPES, signal }).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'NOT_FOUND') return {};
      throw error;
    });
  }
}

/**
 * Recognises a Graph without delta queries: it takes `delta` for the id of a message
 * (https://github.com/microsoftgraph/microsoft-graph-docs/issues/2163), or does not know the path.
 */
function withoutDelta(error: unknown, accountId: string): EngineError | undefined {
  const problem = problemOf(error);
  if (problem === undefined) return undefined;
  const { status, code } = problem;
  const isUnknown = /^(ErrorInvalidId(Malformed)?|ResourceNotFound|BadRequest|NotImplemented)$/.test(code);
  if (!isUnknown && status !== 405 && status !== 501) return undefined;
  const detail = code || `HTTP ${status}`;
  return new EngineError(
    'ACCOUNT_FAILED',
    `account ${accountId}: this Graph does not report changes of a folder (${detail})`,
    {
      hint: 'The cloud in China does not (`message: delta`): use `provider: imap` there. Elsewhere check `endpoints.api`.',
      cause: problem,
    },
  );
}
