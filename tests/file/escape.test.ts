import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EngineError } from '../../engine/src/base/error.ts';
import { listFolder } from '../../engine/src/file/list-folder.ts';
import { readFileBelow } from '../../engine/src/file/read-file.ts';
import { writeFileBelow } from '../../engine/src/file/write-file.ts';
import { type FilePlace, makeFilePlace, SECRET } from './place.ts';

/** Names and fragments that lead out of a folder somewhere, names that exist, and links. */
const FRAGMENTS = [
  ...['a.md', 'notes', 'deep', 'b.md', 'Übersicht', 'ä.md', 'U\u0308bersicht', 'NOTES', 'new', 'secret', 'secret.txt'],
  ...['inside', 'inside.md', 'out', 'out.md', 'absolute', 'up', 'nested', 'chain', 'sibling', 'dangling', 'loop'],
  ...['self', 'round', 'proc', 'root', 'root-secret', 'etc', 'passwd', '', '.', '..', '...', '. .', '..;', '~'],
  ...['%2e%2e', '%2f', '..%c0%af', '\uff0e\uff0e', '\u2024\u2024', '\u2025', '…', '\uff0f', '\u2215', '\u2044', '\\'],
  ...[
    'C:',
    'c:\\',
    '\\\\server\\share',
    '//',
    'file://',
    'file:',
    'https://',
    '\0',
    '\u202e',
    '\ud800',
    'CON',
    'a.md:x',
  ],
];

const hostilePath = (outside: string) =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 6 }).map((all) => all.join('/')),
    },
    { weight: 2, arbitrary: fc.array(fc.constantFrom(...FRAGMENTS, '/'), { maxLength: 8 }).map((all) => all.join('')) },
    { weight: 1, arbitrary: fc.constantFrom(...FRAGMENTS).map((one) => `${outside}/root/${one}`) },
    { weight: 1, arbitrary: fc.constantFrom(...FRAGMENTS).map((one) => `${outside}/${one}`) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );

/** The result of a call, or undefined for an error that a model can act on. */
async function attempt<Result>(call: Promise<Result>): Promise<Result | undefined> {
  return call.catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
    expect(['FILE_DENIED', 'NOT_FOUND', 'BAD_REQUEST']).toContain(error.code);
    expect(error.hint).toBeTruthy();
    return undefined;
  });
}

test('none of 10,000 generated paths reads or lists anything outside the root', { timeout: 60_000 }, async () => {
  const { root, outside } = makeFilePlace();
  let opened = 0;
  const check = async (text: string, absolute: 'root' | 'below') => {
    const file = await attempt(readFileBelow(root, text, { maxBytes: 1000, absolute }));
    if (file !== undefined) expect(Buffer.from(file.bytes).toString()).toBe(`inside ${file.path}`);
    const list = await attempt(listFolder(root, text, { limit: 100, absolute }));
    if (list !== undefined) expect(lstatSync(join(root.folder, list.path)).isDirectory()).toBe(true);
    if (file !== undefined || list !== undefined) opened++;
  };
  const batch = fc.array(fc.tuple(hostilePath(outside), fc.constantFrom('root' as const, 'below' as const)), {
    minLength: 100,
    maxLength: 100,
  });
  const property = fc.asyncProperty(batch, async (all) => {
    await Promise.all(all.map(([text, absolute]) => check(text, absolute)));
  });
  await fc.assert(property, { numRuns: 100, seed: 12 });
  // The generator reaches files too, so the test sees more than refusals.
  expect(opened).toBeGreaterThan(100);
});

test('no generated path writes anything outside the root', { timeout: 60_000 }, async () => {
  const place = makeFilePlace();
  const before = outsideOf(place);
  const property = fc.asyncProperty(
    fc.array(hostilePath(place.outside), { minLength: 20, maxLength: 20 }),
    async (all) => {
      for (const text of all)
        await attempt(writeFileBelow(place.root, text, Buffer.from('written'), { absolute: 'root' }));
    },
  );
  await fc.assert(property, { numRuns: 50, seed: 12 });
  expect(outsideOf(place)).toEqual(before);
  expect(JSON.stringify(before)).toContain(SECRET);
});

/** Every file outside the root with its content. Follows no links. */
function outsideOf({ outside, root }: FilePlace): readonly string[] {
  const list = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (path === root.folder) return [];
      return entry.isDirectory() ? [path, ...list(path)] : [`${path}: ${readFileSync(path, 'utf8')}`];
    });
  return list(outside).toSorted();
}
