/**
 * Measures how long large data blocks the event loop: the processor time of the longest turn while a list of a large
 * store is read, and while a run stores a long answer; and the processor time that one mail costs which comes to a large folder or leaves it.
 * `node bench/scale.ts [--json] [count]`, 50,000 mails, runs and files by default.
 */
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRowCounter } from '../engine/src/api/routes/diagnostics/row-counts.ts';
import { pageOfRows } from '../engine/src/api/http/paging.ts';
import { systemClock } from '../engine/src/base/clock.ts';
import { createFolderSource } from '../engine/src/mail/folder/source.ts';
import type { SeenMail } from '../engine/src/mail/source.ts';
import { openSqlite } from '../engine/src/store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../engine/src/store/store.ts';
import { longestTurn } from '../tests/longest-turn.ts';
import { call, playModels, setStage } from '../tests/run/harness.ts';

const COUNT = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 50_000);
/** About the size of a stored mail without its content. */
const BODY = JSON.stringify({ summary: { subject: 'A subject', snippet: 'x'.repeat(1500) } });

async function fill(store: Store): Promise<void> {
  for (let from = 0; from < COUNT; from += 500)
    await store.apply(
      Array.from({ length: Math.min(500, COUNT - from) }, (_, n): Change[] => {
        const id = String(from + n).padStart(9, '0');
        const keys = { identity: id, messageKey: id, threadKey: id };
        return [
          {
            op: 'insert',
            table: 'mail',
            row: { id, account: 'a', ...keys, state: 'kept', routed: 1, rev: 0, body: BODY },
          },
          { op: 'insert', table: 'run', row: { id, status: 'completed', director: 'd', mail: id, body: BODY } },
          { op: 'insert', table: 'item', row: { workspace: id, id, revision: 1, deleted: 0, body: BODY } },
        ];
      }).flat(),
    );
}

async function ofStore(root: string): Promise<Record<string, number>> {
  const store = openSqlite({ dir: root });
  await fill(store);
  const counting = await longestTurn(() => createRowCounter(store, systemClock)());
  const search = await longestTurn(() =>
    pageOfRows('emails', {
      limit: 50,
      after: undefined,
      load: (before, limit) =>
        store.list('mail', {
          where: before === undefined ? [] : [['id', '<', before]],
          order: [['id', 'desc']],
          limit,
        }),
      accept: ({ body }) => (JSON.parse(body) as { summary: { subject: string } }).summary.subject === 'rare',
    }),
  );
  await store.close();
  return { countLongestMs: counting.longestMs, searchLongestMs: search.longestMs };
}

async function ofFolder(root: string): Promise<Record<string, number>> {
  for (let n = 0; n < COUNT; n++) await writeFile(join(root, `${n}.eml`), `Subject: ${n}\n\nhi\n`);
  const workers = { parse: () => Promise.reject(new Error('is not read')) };
  const options = { accountId: 'a', email: '', path: root, format: 'eml', clock: systemClock } as const;
  const source = createFolderSource({ ...options, workers });
  const seen = new Map<string, SeenMail>();
  const list = async (): Promise<number> => {
    const before = process.cpuUsage();
    for await (const one of source.list({ seen: (name) => seen.get(name), isPatient: seen.size === 0 }))
      if (one.kind === 'mail' && one.seen !== undefined) seen.set(one.name, one.seen);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  let announced = Promise.withResolvers<void>();
  const stop = await source.watch(() => announced.resolve());
  const fullListMs = await list();
  await list();
  announced = Promise.withResolvers();
  await writeFile(join(root, 'new.eml'), 'Subject: new\n\nhi\n');
  await announced.promise;
  await new Promise((resolve) => setTimeout(resolve, 500));
  const newMailMs = await list();
  const before = process.cpuUsage();
  await unlink(join(root, 'new.eml'));
  await new Promise((resolve) => setTimeout(resolve, 4000));
  const { user, system } = process.cpuUsage(before);
  await stop();
  return { fullListMs, newMailMs, goneMailMs: (user + system) / 1000 };
}

/** A model writes an item of 550,000 characters. */
async function ofAnswer(): Promise<Record<string, number>> {
  const data = 'Lorem ipsum dolor "sit" amet\n'.repeat(19_000);
  const stage = await setStage({
    models: playModels(({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', 'workspace_add_item', { label: 'x', data })] } : { content: 'done' },
    ),
    files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n' },
  });
  const turns: number[] = [];
  for (let n = 0; n < 5; n++) turns.push((await longestTurn(async () => stage.ended(await stage.begin()))).longestMs);
  await stage.close();
  return { longAnswerLongestMs: turns.sort((a, b) => a - b)[2] ?? 0 };
}

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
const inbox = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  const figures = { ...(await ofStore(root)), ...(await ofFolder(inbox)), ...(await ofAnswer()) };
  const rounded = Object.fromEntries(Object.entries(figures).map(([name, ms]) => [name, Math.round(ms * 10) / 10]));
  if (process.argv.includes('--json')) console.log(JSON.stringify({ count: COUNT, ...rounded }));
  else {
    console.log(
      `${COUNT} mails, runs and items: counting blocks the event loop for ${rounded['countLongestMs']} ms at most, ` +
        `a search for a rare word for ${rounded['searchLongestMs']} ms`,
    );
    console.log(
      `a folder of ${COUNT} files: ${rounded['newMailMs']} ms of CPU time for a new mail, ` +
        `${rounded['goneMailMs']} ms to watch one leave, ${rounded['fullListMs']} ms for a full listing`,
    );
    console.log(
      `an item of 550,000 characters by a model: ${rounded['longAnswerLongestMs']} ms at most (median of 5 runs)`,
    );
  }
} finally {
  for (const folder of [root, inbox]) await rm(folder, { recursive: true, force: true });
}
