import type { Searched } from '../search/search.ts';
import { bodyOf } from '../store/damaged-row.ts';
import type { MailSummary } from './mail.ts';
import type { StoredMail } from './mail-store.ts';

/** Mails as the search index knows them: all that were not deleted. */
export const SEARCHED_MAILS: Searched = {
  kind: 'mail',
  list: (reader, { where = [], ...query }) =>
    reader.list('mail', { ...query, where: [...where, ['state', '=', 'kept']] }),
  textsOf: (row) => searchedTexts(bodyOf<StoredMail>('mail', row).summary),
};

/** Subject, snippet and addresses, which a search looks at. */
export function searchedTexts({ subject, snippet, from, to }: MailSummary): string[] {
  return [subject, snippet, ...[...from, ...to].map(({ name, address }) => `${name} ${address}`)];
}
