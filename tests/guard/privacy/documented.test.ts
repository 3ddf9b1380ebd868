import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EntityMap } from '../../../engine/src/guard/placeholder/entity-map.ts';
import { redactFound } from '../../../engine/src/guard/placeholder/redact-text.ts';
import * as lists from '../../../engine/src/guard/privacy/name-words.ts';
import { findPrivate } from '../../../engine/src/guard/privacy/recognise.ts';
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
  'CONTACT_WORDS',
] as const)('docs/private-data.md lists %s', (name) => {
  expect(page).toContain(`: ${[...new Set(lists[name])].join(', ')}`);
});

/** The rows of the table in docs/privacy.md: what stands there, and what the model sees. */
const ROWS = readFileSync(join(root, 'docs/privacy.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, text, seen] = /^\| `([^`]+)` +\| (.+?) +\|$/.exec(line) ?? [];
    return text === undefined || seen === undefined
      ? []
      : [{ text, seen: seen.startsWith('the same') ? text : seen.slice(1, -1) }];
  });

test('docs/privacy.md has rows for all kinds of examples', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(4);
});

test.each(ROWS)('docs/privacy.md says of "$text" what the model sees', async ({ text, seen }) => {
  const spans = await findPrivate(text, { known: [], isUserWords: true });
  expect(redactFound(new EntityMap(), text, spans)).toBe(seen);
});
