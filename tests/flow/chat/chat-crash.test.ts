import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOfRow } from '../../../engine/src/chat/chat-rows.ts';
import { readSummary } from '../../../engine/src/chat/summary-rows.ts';
import type { Entity } from '../../../engine/src/guard/placeholder/entity-map.ts';
import { recordOf } from '../../../engine/src/run/run.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { forPostgres, isFull, longPostgres } from '../../available.ts';
import { startPostgres } from '../../postgres.ts';
import { brokenTranscripts, leftOpen } from '../faults.ts';
import { describeKills, drain, killCount, killLoop } from '../kill-loop.ts';
import { BOSSES, LINES, PEOPLE, SUMMARY } from './expected.ts';

/** The stores of the loop; `open` gives what is there after it. */
const PLACES = [
  {
    ...{ name: 'a data folder', kills: killCount(4, 30, isFull), isWanted: true, lifeMs: 700, idleMs: 3000 },
    async open(root: string) {
      return { env: {}, store: async () => openSqlite({ dir: join(root, 'data') }), close: async () => {} };
    },
  },
  {
    ...{ name: `PostgreSQL${forPostgres}`, kills: killCount(2, 4, isFull), isWanted: longPostgres !== undefined },
    // A process takes up the work of a dead one after 20 seconds.
    ...{ lifeMs: 2500, idleMs: 40_000 },
    async open() {
      const server = await startPostgres();
      const url = await server.createDatabase();
      const database = openPg(url);
      const close = async () => {
        await database.close();
        await server.remove();
      };
      return { env: { DATABASE_URL: url }, store: () => openPostgres({ database }), close };
    },
  },
];

const CONFIG: Readonly<Record<string, string>> = {
  'settings.yaml': 'runs: { concurrency: 8 }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\n',
  ...Object.fromEntries(
    Object.entries(BOSSES).map(([name, boss]) => {
      const id = name.toLowerCase();
      const rules = 'privacy: { redact: [person] }';
      return [`agents/${id}.yaml`, `id: ${id}\napiConfigId: main\nimprint: Your boss is ${boss}.\n${rules}\n`];
    }),
  ),
};

for (const { name, kills: count, isWanted, lifeMs, idleMs, open } of PLACES)
  describe.skipIf(!isWanted)(
    `a process that is killed ${count} times while participants of chats speak, on ${name}`,
    () => {
      const root = mkdtempSync(join(tmpdir(), 'callsheet-chat-crash-'));
      let store: Store;
      let ground: Awaited<ReturnType<typeof open>>;
      // New ones in each life, so that no life has nothing to do.
      const chats = count * 2;

      beforeAll(
        async () => {
          for (const [file, text] of Object.entries(CONFIG)) {
            mkdirSync(dirname(join(root, 'config', file)), { recursive: true });
            writeFileSync(join(root, 'config', file), text);
          }
          ground = await open(root);
          const env: Record<string, string> = { ROOT: root, LATENCY_MS: '10', CHATS: '0', ...ground.env };
          const kills = await killLoop({
            ...{ worker: 'chat/worker.ts', kills: count, env, lifeMs, idleMs, maxPasses: 40 },
            points: ['before-commit', 'after-commit', 'after-effect'],
            onLife: (n) => void (env['CHATS'] = String(2 * (n + 1))),
          });
          await drain('chat/worker.ts', { ...env, CHATS: String(chats), LATENCY_MS: '2' });
          store = await ground.store();
          process.stderr.write(`loop of chats on ${name}: ${describeKills(kills)}\n`);
        },
        count * 45_000 + 120_000,
      );

      afterAll(async () => {
        await store?.close();
        await ground?.close();
        rmSync(root, { recursive: true, force: true });
      });

      test('has each message of each chat once, in the order of the rounds', async () => {
        const ids = (await store.list('chat')).map(({ id }) => id);
        expect(ids).toHaveLength(chats);
        for (const chat of ids) {
          const rows = await store.list('chatMessage', { where: [['chat', '=', chat]], order: [['seq', 'asc']] });
          const messages = rows.map(messageOfRow);
          const lines = messages.map(({ authorDisplayName, text }) => `${authorDisplayName}: ${text}`);
          expect(lines).toEqual(LINES);
          expect(messages.map(({ seq }) => seq)).toEqual(LINES.map((_line, n) => n + 1));
        }
      });

      test('has one summary of each chat, written by one run', async () => {
        for (const { id } of await store.list('chat')) {
          const { record, isOpen } = await readSummary(store, id);
          expect({ ...record, isOpen }).toEqual({
            ...{ text: SUMMARY, from: 1, upTo: 1, askedUpTo: 1, isOpen: false },
            runs: [expect.stringMatching(/^run_/)],
          });
        }
      });

      test('has one run for each message of a participant, and no other', async () => {
        const all = (await store.list('run')).map((row) => recordOf(row).run);
        const runs = all.filter(({ trigger }) => trigger.isSummary !== true).map(({ id }) => id);
        expect(all.length - runs.length).toBe(chats);
        const messages = (await store.list('chatMessage')).map(messageOfRow);
        const spoken = messages.flatMap(({ meta }) => meta.runId ?? []);
        expect(spoken.toSorted()).toEqual(runs.toSorted());
      });

      test('has one map of private values for each chat, with each value once, and has shown none to a model', async () => {
        expect(existsSync(join(root, 'leaks'))).toBe(false);
        const rows = await store.list('entity');
        const ids = (await store.list('chat')).map(({ id }) => id);
        expect(rows.filter(({ conversation }) => !ids.includes(conversation))).toEqual([]);
        for (const id of ids) {
          const entities = rows
            .filter(({ conversation }) => conversation === id)
            .map(({ body }) => JSON.parse(body) as Entity);
          expect(entities.map(({ value }) => value).toSorted()).toEqual(PEOPLE);
          expect(entities.map(({ number }) => number).toSorted()).toEqual([1, 2, 3]);
        }
      });

      test('has no round, run or call left open', async () => {
        expect(await store.list('chatRound', { where: [['status', '=', 'open']] })).toEqual([]);
        expect(await leftOpen(store)).toEqual([]);
      });

      test('has valid transcripts', async () => {
        expect(await brokenTranscripts(store)).toEqual([]);
      });
    },
  );
