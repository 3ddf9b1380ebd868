/** Fetches a backlog into a new data folder and prints the cost: `node bench/backlog/fetch.ts KIND ROOT PEER`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { type App, openApp } from '../../engine/src/app/app.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { createFolderSource } from '../../engine/src/mail/folder/source.ts';
import { createGmailSource } from '../../engine/src/mail/gmail/source.ts';
import { createImapSource } from '../../engine/src/mail/imap/source.ts';
import { mailOf } from '../../engine/src/mail/mail-store.ts';
import { createOutlookSource } from '../../engine/src/mail/outlook/source.ts';
import type { MailSource } from '../../engine/src/mail/source.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { type Kind, NEWEST, type Peer } from './kind.ts';

/** Cost of the fetch. */
export interface FetchFigures {
  readonly taken: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly firstMs: number;
  readonly rssMb: number;
  readonly stillMs: number;
}

const [kind = '', root = '', given = '{}'] = process.argv.slice(2);
const { url = '', port = 0, user = '', password = '' } = JSON.parse(given) as Peer;

const EMAIL = 'team@example.org';
const FILES = {
  'settings.yaml': 'fetch: { everySeconds: 3600 }\n',
  'accounts/box.yaml': `id: box\nprovider: folder\nemail: ${EMAIL}\npath: ./none\n`,
  'apis/main.yaml': 'id: main\nprovider: ollama\nmodel: none\n',
  'directors/desk.yaml': 'id: desk\nname: Desk\napiConfigId: main\n',
  'filters/none.yaml': 'id: none\nfield: Body\nregex: "(?i)no mail says this"\ndirectorId: desk\n',
};

const tokens = { accessToken: async () => (kind === 'gmail' ? 'token' : 'token-1') };

function sourceOf({ mailWorkers: workers }: App): MailSource {
  const about = { accountId: 'box', email: EMAIL, workers, clock: systemClock };
  const server = { host: '127.0.0.1', port, secure: false, user, mailbox: 'INBOX', password: () => password };
  const sources: Readonly<Record<Kind, () => MailSource>> = {
    folder: () => createFolderSource({ ...about, path: join(root, 'inbox'), format: 'eml' }),
    imap: () => createImapSource({ ...about, ...server }),
    gmail: () => createGmailSource({ ...about, tokens, labels: ['INBOX'], endpoints: { api: url } }),
    outlook: () => createOutlookSource({ ...about, tokens, endpoints: { api: url } }),
  };
  return sources[kind as Kind]();
}

for (const [name, text] of Object.entries(FILES)) {
  const path = join(root, 'config', name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
}
const app = await openApp({
  ...{ configDir: join(root, 'config'), dataDir: join(root, 'data'), log: silentLogger, watch: false },
  env: () => undefined,
});
const { store } = app.deps;
const began = performance.now();
const cpu = process.cpuUsage();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let rss = 0;
const sampling = setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss())), 50);
let firstMs: number | undefined;
const fetcher = new Fetcher(
  { ...app.deps, log: silentLogger },
  {
    openSource: () => sourceOf(app),
    routeMail: (subject, snapshot, putOn) => app.filterPool.decide(filterQuestion(subject, snapshot, putOn)),
    onNewMail() {
      if (firstMs === undefined) void findNewest();
    },
  },
);
let isSearching = false;
async function findNewest(): Promise<void> {
  if (isSearching) return;
  isSearching = true;
  // More than the mails of the first commits.
  const rows = await store.list('mail', { order: [['id', 'asc']], limit: 100 });
  if (rows.some((row) => mailOf(row).summary.subject === NEWEST)) firstMs ??= Math.round(performance.now() - began);
  isSearching = false;
}
const { taken } = await fetcher.fetch();
clearInterval(sampling);
delay.disable();
const { user: inUser, system } = process.cpuUsage(cpu);
const round = (value: number) => Math.round(value * 10) / 10;
const result: FetchFigures = {
  taken,
  seconds: round((performance.now() - began) / 1000),
  cpuSeconds: round((inUser + system) / 1e6),
  firstMs: firstMs ?? -1,
  rssMb: Math.round(rss / 1024 / 1024),
  stillMs: Math.round(delay.max / 1e6),
};
console.log(JSON.stringify(result));
await fetcher.stop();
await app.close();
