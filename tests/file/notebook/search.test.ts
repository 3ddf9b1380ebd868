import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { searchFiles } from '../../../engine/src/file/notebook/search.ts';
import { isFull } from '../../available.ts';
import { longestTurn, type Turns } from '../../longest-turn.ts';

const folder = mkdtempSync(join(tmpdir(), 'callsheet-search-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILES = isFull ? 5_000 : 1_000;

test(`a search in ${FILES} files, one of them of 4 MB, is done in many turns of the event loop`, async () => {
  for (let n = 0; n < FILES; n++) {
    if (n % 500 === 0) mkdirSync(join(folder, `f${n / 500}`));
    writeFileSync(join(folder, `f${Math.floor(n / 500)}`, `${n}.md`), `# Note ${n}\nNothing here.\n`);
  }
  writeFileSync(join(folder, 'f0', 'long.txt'), 'Übergröße und mehr Text. '.repeat(140_000));
  writeFileSync(join(folder, 'f0', 'zz.md'), 'the needle is here\n');
  const scope = { notebooks: ['*'], folders: ['*'], fileTypes: ['*'], operations: ['read'] as const };
  const options = { root: { name: 'lab', folder }, caller: { who: 'agent a', scopes: [scope] }, limit: 20 };
  let found: unknown;
  const search = async () => (found = await searchFiles('', 'NEEDLE here', options));
  const isGood = ({ longestMs, totalMs }: Turns) => longestMs < totalMs / 4;
  const turns = await longestTurn(search, 3, isGood);
  const said = `longest turn ${turns.longestMs.toFixed(1)} of ${turns.totalMs.toFixed(0)} ms`;
  process.stderr.write(`notebook search: ${FILES} files, ${said}\n`);
  expect(found).toMatchObject({ files: [{ path: '/f0/zz.md' }], searched: FILES + 2, truncated: false });
  expect(turns).toSatisfy(isGood);
});
