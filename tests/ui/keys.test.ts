import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../available.ts';

const ui = join(root, 'ui');
const texts = readdirSync(ui, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(ui, name), 'utf8') }));

test('a button that has a key shows it on its tooltip', () => {
  const found = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/aria-keyshortcuts=(?:"([^"]+)"|\$\{isCurrent \? '([^']+)' : undefined\})/g)].map(
      ({ 1: plain, 2: ofCard, index }) => ({ name, key: plain ?? ofCard ?? '', tag: text.slice(index, index + 300) }),
    ),
  );
  expect(found.length).toBeGreaterThan(30);
  const without = found.filter(
    ({ key, tag }) => !/title=(?:"[^"]*"|\$\{`[^\n]*`\})/.exec(tag)?.[0].includes(`(${key})`),
  );
  expect(without.map(({ name, key }) => `${name}: ${key}`)).toEqual([]);
});
