import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Parser } from 'yaml';
import * as validators from '../../../engine/src/config/parse/validators.gen.ts';
import { brief, env, makeFolder, MemoryPlace, open, save, statesOf, VALID } from '../folder.ts';

const lengthOf = (text: string) => text.length;
const lines = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join('');
/** A valid script of some 200 KB, as all rules of YAML and JSON Schema see it. */
const LARGE = `id: offline\nprovider: scripted\nscript:\n${lines(
  900,
  (i) => `  - when: { text: "word${i}" }\n    say: "${'answer '.repeat(28)}"\n`,
)}  - when: { any: true }\n    say: Done.\n`;

/** Spies on the YAML parser and the validators of this thread. A worker thread loads its own, so its work does not count. */
function watchThread() {
  const parse = vi.spyOn(Parser.prototype, 'parse');
  const checks = [vi.spyOn(validators, 'api'), vi.spyOn(validators, 'agent')];
  onTestFinished(() => void [parse, ...checks].map((spy) => spy.mockRestore()));
  return {
    /** Characters of the longest text that this thread has parsed. */
    longest: () => Math.max(0, ...parse.mock.calls.map(([text]) => text.length)),
    /** Number of documents that this thread has checked against their schema. */
    checked: () => checks.reduce((sum, { mock }) => sum + mock.calls.length, 0),
    forget: () => [parse, ...checks].forEach((spy) => spy.mockClear()),
  };
}

test.each([
  ['is valid', 'apis/offline.yaml', LARGE, 0],
  ['has thousands of unknown keys', 'agents/reader.yaml', `id: reader\n${lines(20_000, (i) => `k${i}: 1\n`)}`, 101],
  ['is indented with tabs', 'agents/reader.yaml', `id: reader\n${lines(30_000, () => '\tx: 1\n')}`, 10],
] as const)('a large document that %s is not read in the main thread', async (_name, path, text, problems) => {
  const { dir } = await makeFolder(VALID);
  const thread = watchThread();
  const config = await open(dir);
  // The small documents are read here, so the spies work.
  expect([thread.longest(), thread.checked()]).toEqual([Math.max(...Object.values(VALID).map(lengthOf)), 3]);
  thread.forget();
  await save(dir, path, text);
  await config.refresh();
  const name = path.replace('.yaml', '');
  expect(statesOf(config)[name]).toBe(problems === 0 ? 'live' : 'stale');
  expect(config.problems().filter(({ file }) => file.endsWith(path))).toHaveLength(problems);
  expect([thread.longest(), thread.checked()]).toEqual([0, 0]);
});

test('a large document is the same after a restart, frozen and with its defaults, and stays while its file is broken', async () => {
  const { dir } = await makeFolder({ ...VALID, 'apis/offline.yaml': LARGE });
  const place = new MemoryPlace();
  const first = await open(dir, { place });
  const before = first.current();
  await first.close();
  await save(dir, 'apis/offline.yaml', 'id: offline\nprovider: none\n');
  const config = await open(dir, { place });
  expect(config.current().revision).toBe(before.revision);
  expect(config.current().apis.get('offline')).toEqual(before.apis.get('offline'));
  expect(Object.isFrozen(config.current().apis.get('offline'))).toBe(true);
  expect(statesOf(config)['apis/offline']).toBe('stale');
});

test('a variable of the environment counts as set in a large document, too', async () => {
  expect(env('KEY')).toBe('set');
  const spare = (name: string) =>
    `id: ${name}\nprovider: openai\nmodel: m\napiKey: \${env:${name}}\ndescription: ${'x'.repeat(40_000)}\n`;
  const { dir } = await makeFolder({ ...VALID, 'apis/KEY.yaml': spare('KEY'), 'apis/NONE.yaml': spare('NONE') });
  expect(brief((await open(dir)).problems())).toEqual(['apis/NONE.yaml:4:9 CONFIG_ENV_UNSET']);
});

test('a broken link in a large document is located without reading it in the main thread, at a save and at an edit', async () => {
  const filler = lines(900, (i) => `  - { role: user, content: "${'word '.repeat(40)}${i}" }\n`);
  const text = `id: boss\napiConfigId: main\nagents: [reader, scholar]\nprompt:\n${filler}`;
  expect(text.length).toBeGreaterThan(180_000);
  const { dir } = await makeFolder({ ...VALID, 'directors/boss.yaml': text, 'agents/scholar.yaml': 'id: scholar\n' });
  const config = await open(dir);
  const thread = watchThread();
  await expect(config.remove('agent', 'scholar')).rejects.toMatchObject({ code: 'CONFLICT' });
  await rm(join(dir, 'agents/scholar.yaml'));
  await config.refresh();
  expect(brief(config.problems())).toContain('directors/boss.yaml:3:18 CONFIG_DELETED_IN_USE');
  expect(thread.longest()).toBe(0);
});
