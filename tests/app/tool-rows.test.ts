import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../engine/src/base/log.ts';
import { makeKey } from '../../engine/src/store/cipher.ts';
import { MIGRATIONS } from '../../engine/src/store/migrations.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { rotateKey } from '../../engine/src/store/sqlite/rotate-key.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { TABLE_NAMES, type TableName } from '../../engine/src/store/tables.ts';
import { letter, openDesk } from '../api/harness.ts';
import { root } from '../available.ts';
import { sendJson, startServer } from '../model/chat-server.ts';
import { startPglite } from '../postgres.ts';
import { call } from '../run/harness.ts';
import { findWords } from '../store/folder.ts';
import { auditLines } from '../trace/audit-lines.ts';
import { databaseAt, folderAt, move } from '../store/move/endpoints.ts';

/** Tables of tools and memory: all that the step of the schema creates which has `memory`, `audit`, and private values. */
const TABLES: readonly TableName[] = TABLE_NAMES.filter(
  (table) =>
    ['audit', 'entity', 'redactedMessage'].includes(table) ||
    MIGRATIONS.find((statements) => statements.some((statement) => statement.startsWith('CREATE TABLE memory ')))?.some(
      (statement) => statement.startsWith(`CREATE TABLE ${table} `),
    ),
);

/** Stands in everything that is written: texts, titles, names of files, tags and the tools of the server. */
const WORD = 'quokka-marmalade';
const KEY = makeKey();
/** What no file of the data folder may contain. */
const WORDS = [WORD, 'Does echo', 'Ada Ray', 'ada@example.org'];
const FREE = 'permissions: { allow: ["*"] }\n';
const FILES = {
  'settings.yaml': 'roots: { lab: ./lab }\nmemory: { embeddings: { apiConfigId: vectors } }\n',
  'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\ntools: [memory, reminder, notification, notebook, workspace, odd]\nprivacy: {}\nuntrusted: { act: ["*"] }\nscope: { notebooks: [lab], operations: [read, write] }\n${FREE}`,
  'tools/odd.yaml': `id: odd\nkind: mcp\ncommand: ${process.execPath}\nargs: [${join(root, 'tests/tool/mcp/odd-server.ts')}]\nallow: [echo]\n`,
};
const CALLS: readonly (readonly [string, object])[] = [
  ['memory_add', { content: `Ann likes ${WORD}`, tags: [`${WORD}@example.org`] }],
  ['reminder_create', { text: `Buy ${WORD}`, in: 'P1D' }],
  ['notify', { title: `Ask for ${WORD}`, text: `More ${WORD}` }],
  ['notebook_write_file', { path: `/${WORD}.md`, content: `new ${WORD}\n` }],
  ['workspace_add_item', { label: WORD, mimeType: 'text/plain', data: `Dear Ann, ${WORD}` }],
  ['odd__echo', { text: WORD }],
];

/** All rows of the tables, in the order of their text. */
async function rowsOf(store: Store): Promise<Record<string, string[]>> {
  const read = async (table: TableName) => {
    const rows = await store.list(table);
    return rows.map((row) => JSON.stringify(Object.values(row).map(asText))).toSorted();
  };
  return Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await read(table)] as const)));
}

const asText = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value);

describe('the rows that tools, memory and people leave in an encrypted store', () => {
  const home = mkdtempSync(join(tmpdir(), 'callsheet-tool-rows-'));
  const dir = join(home, 'data');
  let rows: Record<string, string[]>;
  let foundWhileOpen: string[];

  beforeAll(async () => {
    const server = await startServer((request, response) => {
      const { input } = JSON.parse(request.body) as { input: readonly string[] };
      const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, index + 1] }));
      sendJson(response, { object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
    });
    const desk = await openDesk({
      files: {
        ...FILES,
        'apis/vectors.yaml': `id: vectors\nprovider: openai\nmodel: small\nbaseUrl: ${server.origin}/v1\napiKey: \${env:KEY}\n`,
      },
      play: ({ turn }) =>
        turn === 1 ? { tool_calls: CALLS.map(([name, args], n) => call(`c${n}`, name, args)) } : { content: 'done' },
      app: { dataDir: dir, env: (name) => (name === 'VX_MAILAGENT_KEY' ? KEY : 'sk-test-key') },
    });
    const { stage } = desk;
    await stage.app.start();
    mkdirSync(join(stage.root, 'lab'));
    writeFileSync(join(stage.root, 'lab', `${WORD}.md`), `old ${WORD}\n`);
    desk.drop('Offer.eml', letter('Offer', `I sell ${WORD}.`));
    await desk.fetch();
    const { store } = stage.app.deps;
    const [run] = await store.list('run');
    expect(await stage.ended(run?.id ?? '')).toMatchObject({ status: 'completed' });
    const items = `/api/workspaces/${run?.id}/items`;
    const [item] = (await desk.get(items)).json.items;
    await desk.ask('PUT', `${items}/${item?.id}`, { body: { data: `Dear Ann, no ${WORD}` } });
    // An audit line has a row of its own once its entry is deleted.
    const audited = (await auditLines(store)).find(({ inputSummary }) => inputSummary.includes(WORD));
    await desk.ask('DELETE', `/api/diagnostics/${audited?.id}`);
    stage.app.memory.start();
    await stage.app.memory.idle();
    rows = await rowsOf(store);
    foundWhileOpen = findWords(dir, WORDS);
    await desk.close();
    await server.close();
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('are in each table', () => {
    expect(TABLES).toContain('memory');
    expect(Object.entries(rows).filter(([, found]) => found.length === 0)).toEqual([]);
    // The rows do contain what the files must not.
    const silent = Object.entries(rows).filter(([, found]) => !/quokka-marmalade|Does echo/.test(found.join()));
    expect(silent.map(([table]) => table)).toEqual(['memoryVector']);
    expect(rows['entity']?.join()).toContain('Ada Ray');
  });

  test('leave no word in any file of the data folder, while it is open and after', () => {
    expect(foundWhileOpen).toEqual([]);
    expect(findWords(dir, WORDS)).toEqual([]);
  });

  test('are re-encrypted by a change of the key, and moved to a database and back', async () => {
    const to = makeKey();
    expect(rotateKey(dir, { from: KEY, to }, silentLogger).left).toBe(0);
    expect(() => openSqlite({ dir, key: KEY })).toThrow(expect.objectContaining({ code: 'STORE_KEY_WRONG' }));
    const lite = await startPglite();
    await move(folderAt(dir), databaseAt(lite.database));
    const database = await openPostgres({ database: lite.database, key: to });
    expect(await rowsOf(database)).toEqual(rows);
    await database.close();
    const back = join(home, 'back');
    await move(databaseAt(lite.database), folderAt(back));
    const store = openSqlite({ dir: back, key: to });
    expect(await rowsOf(store)).toEqual(rows);
    await store.close();
    expect(findWords(back, WORDS)).toEqual([]);
    await lite.stop();
  });
});
