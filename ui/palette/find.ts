import { request } from '../http/request.ts';
import type { MailEntry, Page, Run } from '../http/api-types.ts';
import { shortName } from '../mail/sender.ts';
import { titleOf } from '../run/run-title.ts';
import { go } from '../shell/route.ts';
import type { Entry } from './entry.ts';

const MAX_MAILS = '6';
const MAX_RUNS = 6;
/** A text that may be the beginning of a run's id. */
const ID = /^[a-z]+[_-][a-z0-9_-]*$/;

/** Asks the server for mails, their runs, and runs whose id begins with the text. */
export async function findEntries(text: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const query = new URLSearchParams({ q: text, limit: MAX_MAILS, expand: 'runs' });
  const [mails, byId] = await Promise.all([
    request<Page<MailEntry>>('GET', `/api/emails?${query}`, { signal }),
    findById(text, signal),
  ]);
  const ofMails = mails.items.flatMap(({ id, subject, runs }) =>
    runs.map((run) => runEntry(run.id, run.directorName, subject, () => go('inbox', [id, run.id]))),
  );
  const known = new Set(byId.map(({ key }) => key));
  return [
    ...mails.items.map(mailEntry),
    ...[...byId, ...ofMails.filter(({ key }) => !known.has(key))].slice(0, MAX_RUNS),
  ];
}

async function findById(text: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const idPrefix = text.toLowerCase();
  if (!ID.test(idPrefix)) return [];
  const query = new URLSearchParams({ idPrefix, limit: String(MAX_RUNS) });
  const { items } = await request<Page<Run>>('GET', `/api/runs?${query}`, { signal });
  return items.flatMap((run) =>
    // The server sends only id, director and error of a run that is damaged in the store.
    run.status === undefined
      ? []
      : [runEntry(run.id, run.agentName ?? run.directorName, titleOf(run), () => go('runs', [run.id]))],
  );
}

function mailEntry({ id, subject, from }: MailEntry): Entry {
  return {
    ...{ key: `mail:${id}`, group: 'E-mails', label: subject || '(no subject)', detail: shortName(from), icon: 'mail' },
    run: () => go('inbox', [id]),
  };
}

function runEntry(id: string, name: string, title: string, run: () => void): Entry {
  return { key: `run:${id}`, group: 'Runs', label: name, detail: title || id, icon: 'spark', run };
}
