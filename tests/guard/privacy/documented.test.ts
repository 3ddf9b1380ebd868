import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as lists from '../../../engine/src/guard/privacy/name-words.ts';
import { root } from '../../available.ts';

const page = readFileSync(join(root, 'docs/private-data.md'), 'utf8').replace(/\s+/g, ' ');

test.each([
  'KEYWORDS',
  'OWNERS',
  'WHO_IS',
  'ROLES',
  'TITLES',
  'GREETINGS',
  'THANKS',
  'SIGN_OFFS',
  'NAMINGS',
  'NAME_LABELS',
] as const)('docs/private-data.md lists %s', (name) => {
  expect(page).toContain(`: ${[...new Set(lists[name])].join(', ')}`);
});
