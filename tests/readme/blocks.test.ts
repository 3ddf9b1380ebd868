import { describe, expect, test } from 'vitest';
import { KINDS } from '../../engine/src/config/config.ts';
import { root } from '../available.ts';
import { blocksOf, checksWith, problemsOf, readBlocks } from './documents.ts';

const NAMED = ['OPENAI_API_KEY', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'MICROSOFT_CLIENT_ID'];
const checks = checksWith(Object.fromEntries(NAMED.map((name) => [name, 'set'])));
const blocks = readBlocks(root);

test('docs/config.md shows a document of each kind', () => {
  const kinds = new Set(blocks.filter(({ file }) => file === 'docs/config.md').map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(Object.keys(KINDS).sort());
});

test.each(blocks.map((block) => [`${block.file}:${block.line}`, block] as const))(
  '%s is a valid document',
  (_place, block) => {
    expect(problemsOf(block, checks)).toEqual([]);
  },
);

describe('blocksOf', () => {
  const fenced = (text: string) => blocksOf('a.md', ['# Title', '', '```yaml', text, '```', ''].join('\n'));
  const modeline = '# yaml-language-server: $schema=../../schemas/agent.schema.json';

  test('finds a block by its modeline', () => {
    expect(fenced(`${modeline}\nid: a`)).toMatchObject([{ file: 'a.md', line: 4, kind: 'agent', id: 'a' }]);
  });

  test('leaves alone what has none', () => {
    expect(fenced('id: a')).toEqual([]);
  });

  test('an unknown key in a block is a problem', () => {
    expect(fenced(`${modeline}\nid: a\nnmae: A`).flatMap((block) => problemsOf(block, checks))).toMatchObject([
      { code: 'CONFIG_UNKNOWN_KEY', file: 'a.md' },
    ]);
  });
});
