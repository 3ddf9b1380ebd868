import { isRecord } from '../../base/json.ts';
import { type Graph, withQuery } from '../../provider/graph.ts';
import { isBroken } from '../../provider/graph-error.ts';
import { scopesFor } from '../../provider/scopes.ts';
import { someKept } from '../kept.ts';
import type { ListOptions } from '../source.ts';
import { textOf } from './item.ts';

/** Mails that were taken and lie in the folder no more. */
export interface Away {
  readonly ids: readonly string[];
  /** Which kept mails are next; absent where these were the last. */
  readonly next?: string;
}

const SCOPES = scopesFor('outlook', ['read']);

/** Ids that are listed at a time. */
const PAGE = 500;

/**
 * Compares some of the kept mails, those after `after`, with what lies in a folder (`/me/mailFolders/…`) now. One that is not
 * listed is asked for by itself, since others move from page to page as mails come and go: it is away where Graph does not know
 * it, or says that it lies elsewhere. Errors as in `Graph`.
 */
export async function findAway(graph: Graph, path: string, after: string, options: ListOptions): Promise<Away> {
  const { signal } = options;
  const { open, next } = await someKept(options, after);
  const listing = { path: withQuery(`${path}/messages`, { $select: 'id', $top: PAGE }), scopes: SCOPES, signal };
  if (open.size > 0)
    for await (const item of graph.items(listing)) {
      open.delete(textOf(item, 'id'));
      if (open.size === 0) break;
    }
  const ids = open.size === 0 ? [] : await notIn(graph, path, [...open.keys()], options);
  return { ids, ...(next !== undefined && { next }) };
}

/** Those of the mails that do not lie in the folder. */
async function notIn(graph: Graph, path: string, ids: readonly string[], { signal }: ListOptions): Promise<string[]> {
  const { id: folderId } = await graph.json({ path: withQuery(path, { $select: 'id' }), scopes: SCOPES, signal });
  const requests = ids.map((id) => ({
    path: withQuery(`/me/messages/${encodeURIComponent(id)}`, { $select: 'id,parentFolderId' }),
    scopes: SCOPES,
  }));
  const answers = await graph.batch(requests, { signal });
  return ids.filter((_, n) => {
    const answer = answers[n];
    if (answer?.ok === false) {
      if (answer.error.code === 'NOT_FOUND') return true;
      // One mail that Exchange fails at whenever it is asked is not to keep the others.
      if (isBroken(answer.error)) return false;
      throw answer.error;
    }
    const folder = isRecord(answer?.body) ? answer.body['parentFolderId'] : undefined;
    return typeof folder === 'string' && folder !== folderId;
  });
}
