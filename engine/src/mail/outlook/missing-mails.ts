import { isRecord } from '../../base/json.ts';
import { type Graph, withQuery } from '../../account/microsoft/graph.ts';
import { isBroken } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import { readKnownMails } from '../known-mails.ts';
import type { GoneMail, ListOptions } from '../source.ts';
import { messagePath, textOf } from './message.ts';

const SCOPES = scopesFor('outlook', ['read']);

const FIELDS = 'id,parentFolderId';

/** Ids that are listed at a time, and mails that are asked for before what came of them is told. */
const PAGE = 500;
const ASKED = 100;

/**
 * Tells which of some kept mails, those after `after`, lie in a folder (`/me/mailFolders/…`) no more; returns where the next
 * ones begin, or undefined where these were the last. One that is not listed is asked for by itself, since others move from page
 * to page as mails come and go: it is gone where Graph does not know it, or says that it lies elsewhere. Errors as in `Graph`;
 * what was told before is true all the same.
 */
export async function* reportMissing(
  graph: Graph,
  path: string,
  after: string,
  options: ListOptions,
): AsyncGenerator<GoneMail, string | undefined> {
  const { signal } = options;
  const { mails, next } = await readKnownMails(options, after);
  const listing = { path: withQuery(`${path}/messages`, { $select: FIELDS, $top: PAGE }), scopes: SCOPES, signal };
  // The folder's id, as its mails spell it as well.
  const folder = new Set<string>();
  if (mails.size > 0)
    for await (const item of graph.items(listing)) {
      folder.add(textOf(item, 'parentFolderId'));
      mails.delete(textOf(item, 'id'));
      if (mails.size === 0) break;
    }
  if (mails.size === 0) return next;
  const ids = [...mails.keys()];
  folder.add(textOf(await graph.json({ path: withQuery(path, { $select: 'id' }), scopes: SCOPES, signal }), 'id'));
  folder.delete('');
  for (let n = 0; n < ids.length; n += ASKED)
    for (const id of await notIn(graph, folder, ids.slice(n, n + ASKED), options))
      yield { kind: 'gone', name: id, providerId: id };
  return next;
}

/** Those of the mails that do not lie in the folder. */
async function notIn(
  graph: Graph,
  folder: ReadonlySet<string>,
  ids: readonly string[],
  { signal }: ListOptions,
): Promise<readonly string[]> {
  const requests = ids.map((id) => ({
    path: withQuery(messagePath(id), { $select: FIELDS }),
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
    const at = isRecord(answer?.body) ? textOf(answer.body, 'parentFolderId') : '';
    return at !== '' && folder.size > 0 && !folder.has(at);
  });
}
