import { identityKey, insertMailChange } from '../../engine/src/mail/mail-store.ts';
import type { MailSummary } from '../../engine/src/mail/mail.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import { addToIndex } from '../../engine/src/search/search.ts';
import type { Change } from '../../engine/src/store/store.ts';
import { openToFill } from '../serve.ts';

const MAIL = `From: Ann <ann@example.com>
To: me@example.org
Subject: An order
Date: Mon, 05 Jan 2026 10:00:00 +0000
Message-ID: <order@example.com>

Please send us the cable of last week once more, and tell us what it costs.
`;

/** Stores mails; the newest of them have a run, which is over and has one result. Only the oldest mail has the word `first`. */
export async function fill(root: string, mails: number, results: number, key?: string): Promise<void> {
  const app = await openToFill(root, key);
  const { deps, mailWorkers } = app;
  const { store, ids } = deps;
  const config = app.config.current();
  const directorId = [...config.directors.keys()][0] ?? '';
  const accountId = [...config.accounts.keys()][0] ?? '';
  const parsed = await mailWorkers.parse(
    { kind: 'bytes', bytes: Buffer.from(MAIL.replaceAll('\n', '\r\n')) },
    { id: 'mail', receivedAt: '', accountId, ownAddresses: [], labels: [], readsLabelHeaders: false },
  );
  const summary = JSON.parse(parsed.summary) as MailSummary;
  const subjectOf = (n: number) => (n === 0 ? 'The first order' : `Order number ${n}`);
  const mailChanges = (id: string, n: number, directors: readonly string[]) => {
    const messageId = `<${n}@example.com>`;
    const receivedAt = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
    const subject = subjectOf(n);
    return insertMailChange(store, {
      ...{ id, accountId, messageId, threadId: messageId, identity: identityKey(store, accountId, String(n)) },
      summary: JSON.stringify({
        ...summary,
        id,
        messageId,
        threadId: messageId,
        receivedAt,
        date: receivedAt,
        subject,
      }),
      ...{ content: parsed.content, providerId: String(n), size: MAIL.length, notes: [] },
      routing: { directors, note: '' },
    });
  };
  const runChanges = async (mailId: string, n: number): Promise<Change[]> => {
    const mail = { id: mailId, accountId, threadId: `<${n}@example.com>`, subject: subjectOf(n) };
    const { run, changes } = await createRun(deps, {
      ...{ config, directorId, startedBy: 'bench', trigger: { kind: 'mail', emailId: mailId } },
      mail: { ...mail, from: 'ann@example.com', date: '' },
    });
    const time = new Date(deps.clock.now()).toISOString();
    const item = {
      ...{
        id: ids.next('item'),
        label: 'Reply draft',
        mimeType: 'text/markdown',
        encoding: 'utf8',
        data: 'Thank you.',
      },
      ...{
        created: time,
        updated: time,
        revision: 1,
        deleted: false,
        context: { ...{ createdBy: 'user', runId: run.id }, director: { id: directorId, name: directorId } },
      },
    };
    const row = { workspace: run.workspaceId, id: item.id, revision: 1, deleted: 0, body: JSON.stringify(item) };
    return [
      // Marked as completed, so that the engine does not start it.
      ...changes.map((change) =>
        change.op === 'insert' && change.table === 'run'
          ? { ...change, row: { ...change.row, status: 'completed' } }
          : change,
      ),
      addToIndex('run', run.id, true),
      { op: 'insert', table: 'item', row },
    ];
  };
  let changes: Change[] = [];
  for (let n = 0; n < mails; n++) {
    const id = ids.next('mail');
    const hasRun = n >= mails - results;
    changes.push(...mailChanges(id, n, hasRun ? [directorId] : []));
    if (hasRun) changes.push(...(await runChanges(id, n)));
    if (changes.length > 900) {
      await store.apply(changes);
      changes = [];
    }
  }
  await store.apply(changes);
  await app.close();
}
