import { expect, test } from 'vitest';
import { brief, env, makeFolder, MemoryPlace, open, save, statesOf, VALID } from '../folder.ts';

const lines = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join('');
/** A valid script of some 200 KB, as all rules of YAML and JSON Schema see it. */
const LARGE = `id: offline\nprovider: scripted\nscript:\n${lines(
  900,
  (i) => `  - when: { text: "word${i}" }\n    say: "${'answer '.repeat(28)}"\n`,
)}  - when: { any: true }\n    say: Done.\n`;

/**
 * Milliseconds of processor time of this thread, the least of three tries: other threads and processes do not count, and the
 * garbage of earlier tests may be collected in one of them.
 */
async function cpuOf(work: (n: number) => Promise<unknown>): Promise<number> {
  const tries: number[] = [];
  for (let n = 0; n < 3; n++) {
    const before = process.threadCpuUsage();
    await work(n);
    const { user, system } = process.threadCpuUsage(before);
    tries.push((user + system) / 1000);
  }
  return Math.min(...tries);
}

test.each([
  ['is valid', 'apis/offline.yaml', LARGE, 0],
  ['has thousands of unknown keys', 'agents/reader.yaml', `id: reader\n${lines(20_000, (i) => `k${i}: 1\n`)}`, 101],
  ['is indented with tabs', 'agents/reader.yaml', `id: reader\n${lines(30_000, () => '\tx: 1\n')}`, 10],
] as const)('a large document that %s does not hold the event loop', async (_name, path, text, problems) => {
  const { dir } = await makeFolder(VALID);
  const config = await open(dir);
  // The thread starts.
  await save(dir, 'prompts/first.yaml', `id: first\nmessages:\n  - { role: user, content: ${'x'.repeat(40_000)} }\n`);
  await config.refresh();
  const change = async (n: number) => {
    await save(dir, path, `${text}# ${n}\n`);
    await config.refresh();
  };
  expect(await cpuOf(change)).toBeLessThan(250);
  const name = path.replace('.yaml', '');
  expect(statesOf(config)[name]).toBe(problems === 0 ? 'live' : 'stale');
  expect(config.problems().filter(({ file }) => file.endsWith(path))).toHaveLength(problems);
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
