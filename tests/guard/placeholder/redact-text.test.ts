import { expect, test } from 'vitest';
import { EntityMap } from '../../../engine/src/guard/placeholder/entity-map.ts';
import { redactMessages } from '../../../engine/src/guard/placeholder/redact-message.ts';
import { hideIn, redactFound } from '../../../engine/src/guard/placeholder/redact-text.ts';
import type { PrivateSpan } from '../../../engine/src/guard/privacy/private-span.ts';

const TEXT = 'read the list for karthik, email to karthik. Karthik and KARTHIK; then ann@example.org, ANN@example.org';

/** What a recogniser finds that looks at each place alone. */
const SPANS: readonly PrivateSpan[] = [
  { kind: 'person', text: 'karthik', start: 36, end: 43 },
  { kind: 'email', text: 'ann@example.org', start: 71, end: 86 },
];

test('a value that a recogniser found once is hidden wherever else it stands, in a text for embeddings', () => {
  expect(SPANS.map(({ start, end }) => TEXT.slice(start, end))).toEqual(SPANS.map(({ text }) => text));
  expect(hideIn(new EntityMap(), TEXT, SPANS)).toBe(
    'read the list for <PERSON>, email to <PERSON>. <PERSON> and <PERSON>; then <EMAIL>, <EMAIL>',
  );
});

test('and in a text for a model', () => {
  expect(redactFound(new EntityMap(), TEXT, SPANS)).toBe(
    'read the list for <PERSON_1>, email to <PERSON_1>. <PERSON_1> and <PERSON_1>; then <EMAIL_1>, <EMAIL_1>',
  );
});

test('a value that a memory names is learned only where its kind is to be found', () => {
  const map = new EntityMap([], ['person']);
  const mentions = [
    { kind: 'person', text: 'Karthik' },
    { kind: 'email', text: 'ann@example.org' },
  ] as const;
  const message = { role: 'user', content: 'Karthik is ann@example.org' } as const;
  const [redacted] = redactMessages(map, [{ seq: 2, message, isUserWords: true, spans: [], mentions }]);
  expect(redacted?.content).toBe('<PERSON_1> is ann@example.org');
  expect(map.entities.map(({ value }) => value)).toEqual(['Karthik']);
});

/** A map that knows two persons, and what of a result of a tool a model sees under it. */
function redactResult(content: string): string {
  const map = new EntityMap();
  map.assign('person', 'Jörg Müller');
  map.assign('person', 'Karthik Rao');
  const message = { role: 'tool', tool_call_id: 'c', content } as const;
  const [redacted] = redactMessages(map, [{ seq: 2, message, isUserWords: false, spans: [] }]);
  return redacted?.content ?? '';
}

const LINES = String.raw`{"from":"J\u00f6rg M\u00fcller"}
{"text":"Dear\nKarthik Rao"}`;
const HIDDEN = String.raw`{"from":"<PERSON_1>"}
{"text":"Dear\n<PERSON_2>"}`;

test.each([
  ['a result', LINES, HIDDEN],
  ['a text in a result', JSON.stringify({ body: LINES }), JSON.stringify({ body: HIDDEN })],
])('a name is found behind the escapes of JSON lines, in %s', (_name, content, hidden) => {
  expect(redactResult(content)).toBe(hidden);
});

test('a text with escapes and without a private value stays as it is', () => {
  const content = JSON.stringify({ body: String.raw`{"a":"\u00fcber"} C:\temp` });
  expect(redactResult(content)).toBe(content);
});

test('a number that no computer number holds keeps its digits beside a name', () => {
  const row = '{"id":1234567890123456789,"ratio":0.5,"who":"Karthik Rao","rows":[-98765432109876543210]}';
  expect(redactResult(row)).toBe(
    '{"id":1234567890123456789,"ratio":0.5,"who":"<PERSON_2>","rows":[-98765432109876543210]}',
  );
});

test('of two names of an object that are one placeholder both values stay', () => {
  const hidden = redactResult('{"Karthik Rao":"first","KARTHIK RAO":"second"}');
  expect(hidden).toContain('first');
  expect(hidden).toContain('second');
});
