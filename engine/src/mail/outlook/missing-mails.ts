import { isRecord } from '../../base/json.ts';
import { type Graph, withQuery } from '../../account/microsoft/graph.ts';
import { isBroken } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import { readKnownMails } from '../known-mails.ts';
import type { GoneMail, ListOptions } from '../source.ts';
import { messagePath, textOf } from './message.ts';

const SCOPES = scopesFor('outlook', ['read']);

const FIELDS = 'id,parentFolderId';

/** Ids per page of the listing, and mails per batch of single requests. */
const PAGE = 500;
const BATCH = 100;

/**
 * Emits which known mails, of those after `after`, are no longer in a folder (`/me/mailFolders/…`); returns the
 * position of the next ones, or undefined where these were the last. Graph is asked for each unlisted mail, since mails
 * change pages while others come and go: a mail is gone where Graph does not know it, or says that it is in another
 * folder. Errors as in `Graph`; events emitted before an error are true.
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
  // The folder's id, also in the form that its mails use.
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
  for (let n = 0; n < ids.length; n += BATCH)
    for (const id of await notIn(graph, folder, ids.slice(n, n + BATCH), options))
      yield { kind: 'gone', name: id, providerId: id };
  return next;
}

/** Ids of the mails that are not in the folder. */
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
      // A mail that Exchange always fails to deliver does not block the others.
      if (isBroken(answer.error)) return false;
      throw answer.error;
    }
    const at = isRecord(answer?.body) ? textOf(answer.body, 'parentFolderId') : '';
    return at !== '' && folder.size > 0 && !folder.has(at);
  });
}
