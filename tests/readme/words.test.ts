import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../available.ts';

const files = ['README.md', 'AGENTS.md', 'CHANGELOG.md'].map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const links = files.flatMap(({ file, text }) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => ({ file, target: match[1] ?? '' }))
    .filter(({ target }) => !/^https?:|^#/.test(target)),
);

test.each(links)('$file links to $target, which is there', ({ file, target }) => {
  expect(existsSync(join(root, dirname(file), target))).toBe(true);
});

test('every npm command in the documents is a script', () => {
  const commands = files.flatMap(({ text }) =>
    [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[a-z]+)\b/g)].map((match) => match[1] ?? ''),
  );
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
  expect(new Set(commands).size).toBeGreaterThan(3);
});

test('every npm script first sees to it that packages are there', () => {
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre'));
  expect(names.filter((name) => scripts[`pre${name}`] !== 'node scripts/setup.mjs')).toEqual([]);
});
