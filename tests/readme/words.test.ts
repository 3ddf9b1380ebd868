import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../available.ts';

const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...docs.filter((name) => name.endsWith('.md')),
].map((file) => ({
  file,
  text: read(file),
}));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const links = files.flatMap(({ file, text }) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => ({ file, target: match[1] ?? '' }))
    .filter(({ target }) => !/^https?:|^#/.test(target)),
);

/** Headings as links name them: small letters, no punctuation, hyphens for spaces. */
const anchors = (text: string) =>
  Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );

test.each(links)('$file links to $target, which is there', ({ file, target }) => {
  const [path = '', anchor] = target.split('#');
  const found = join(dirname(file), path);
  expect(existsSync(join(root, found))).toBe(true);
  if (anchor !== undefined) expect(anchors(read(found))).toContain(anchor);
});

test('every npm command in the documents is a script', () => {
  const commands = files.flatMap(({ text }) =>
    [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[a-z]+)\b/g)].map((match) => match[1] ?? ''),
  );
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
  expect(new Set(commands).size).toBeGreaterThan(3);
});

test('every npm script first sees to it that packages are there', () => {
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre') && name !== 'postinstall');
  expect(names.filter((name) => !/^node scripts\/setup\.mjs( --bundle)?$/.test(scripts[`pre${name}`] ?? ''))).toEqual(
    [],
  );
});

test('each promise of SECURITY.md names tests that are there', () => {
  const rows = read('SECURITY.md')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (?:promise|-)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const named = Array.from(
      row
        .split('|')
        .at(-2)
        ?.matchAll(/`(tests\/[^`]+)`/g) ?? [],
      ([, path = '']) => path,
    );
    expect(named, row).not.toEqual([]);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  }
});
