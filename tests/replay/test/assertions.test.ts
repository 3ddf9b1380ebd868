import { expect, test } from 'vitest';
import type { TestAssertion } from '../../../engine/src/config/documents.gen.ts';
import type { Outcome } from '../../../engine/src/replay/replay.ts';
import schema from '../../../schemas/test.schema.json' with { type: 'json' };
import { checkOutcome } from '../../../engine/src/replay/test/assertion.ts';
import { callOf, judges, outcomeOf, runOf } from './outcomes.ts';

const says = (answer: string) => outcomeOf(runOf({ answer }));
const calls = (...list: ReturnType<typeof callOf>[]) => outcomeOf(runOf({ calls: list }));
const item = (data: string, mimeType = 'text/plain') => ({ label: 'x', mimeType, data, agentId: '' });
const routed = (...ids: string[]): Outcome => ({
  ...outcomeOf(),
  route: { directors: ids.map((directorId) => ({ directorId, filterId: 'f' })) },
});
const MAIL = 'From: me@example.org\r\nTo: Ada <ada@example.org>\r\n\r\nbob@example.org';
const asks = callOf('mail_send', { to: ['Ada <ADA@example.org>'], text: 'Hi' }, { effects: 'write', asked: true });

type Case = readonly [holds: boolean, assertion: { readonly type: string } & Record<string, unknown>, outcome: Outcome];

const CASES: readonly Case[] = [
  [true, { type: 'equals', value: 'Hello' }, says(' Hello\n')],
  [false, { type: 'equals', value: 'Hello' }, says('hello')],
  [true, { type: 'equals', value: { a: 1, b: 2 } }, says('{"b":2,"a":1}')],
  [true, { type: 'contains', value: 'ell' }, says('Hello')],
  [false, { type: 'contains', value: 'ELL' }, says('Hello')],
  [true, { type: 'icontains', value: 'ELL' }, says('Hello')],
  [true, { type: 'contains-any', value: ['x', 'ell'] }, says('Hello')],
  [false, { type: 'contains-all', value: ['x', 'ell'] }, says('Hello')],
  [true, { type: 'icontains-any', value: ['X', 'HELL'] }, says('Hello')],
  [true, { type: 'icontains-all', value: ['HE', 'LO'] }, says('Hello')],
  [true, { type: 'regex', value: '^H.l' }, says('Hello')],
  [false, { type: 'regex', value: '^h' }, says('Hello')],
  [true, { type: 'contains', value: 'two' }, outcomeOf(runOf({ answer: 'one' }), runOf({ answer: 'two' }))],
  [true, { type: 'contains', value: 'data', on: 'items' }, outcomeOf(runOf({ items: [item('some data')] }))],
  [false, { type: 'contains', value: 'data', on: 'items' }, says('some data')],
  [true, { type: 'contains', value: 'Hi', on: 'drafts' }, calls(asks)],
  [true, { type: 'is-json' }, says('[1]')],
  [false, { type: 'is-json' }, says('one')],
  [false, { type: 'is-json', value: { type: 'object' } }, says('1')],
  [true, { type: 'language', value: 'de' }, says('Guten Tag')],
  [false, { type: 'language', value: 'de' }, says('')],
  [true, { type: 'no-pii' }, says('Hello')],
  [false, { type: 'no-pii' }, says('Ask ada@example.org')],
  [true, { type: 'similar', value: ['a', 'b'] }, says('b')],
  [false, { type: 'similar', value: 'a' }, says('b')],
  [true, { type: 'similar', value: 'a', threshold: 0.5 }, says('b')],
  [true, { type: 'llm-rubric', value: 'is polite' }, says('please')],
  [false, { type: 'llm-rubric', value: 'is polite', threshold: 0.95 }, says('please')],
  [true, { type: 'tool-called', value: 'mail_*' }, calls(asks)],
  [false, { type: 'tool-called', value: 'mail_read' }, calls(asks)],
  [true, { type: 'tool-called', value: { tool: 'mail_send', arguments: { text: 'Hi' } } }, calls(asks)],
  [false, { type: 'tool-called', value: { tool: 'mail_send', arguments: { text: 'Ho' } } }, calls(asks)],
  [true, { type: 'tool-sequence', value: ['a', 'c'] }, calls(callOf('a'), callOf('b'), callOf('c'))],
  [false, { type: 'tool-sequence', value: ['c', 'a'] }, calls(callOf('a'), callOf('b'), callOf('c'))],
  [true, { type: 'turns', threshold: 2 }, outcomeOf(runOf(), runOf())],
  [false, { type: 'turns', threshold: 1 }, outcomeOf(runOf(), runOf())],
  [false, { type: 'cost', value: 0.2 }, says('')],
  [true, { type: 'latency', threshold: 40 }, says('')],
  [true, { type: 'route', value: ['b', 'a'] }, routed('a', 'b')],
  [false, { type: 'route', value: 'a' }, routed('a', 'b')],
  [true, { type: 'route', value: [] }, routed()],
  [true, { type: 'recipient', value: 'ada@example.org' }, calls(asks)],
  [false, { type: 'recipient', value: ['ada@example.org', 'bob@example.org'] }, calls(asks)],
  [true, { type: 'recipient', value: 'ada@example.org' }, outcomeOf(runOf({ items: [item(MAIL, 'message/rfc822')] }))],
  [false, { type: 'recipient', value: 'bob@example.org' }, outcomeOf(runOf({ items: [item(MAIL, 'message/rfc822')] }))],
  [false, { type: 'recipient', value: 'ada@example.org' }, calls({ ...asks, state: 'denied' })],
  [true, { type: 'approval-asked' }, calls(asks)],
  [false, { type: 'approval-asked', value: 'mail_draft' }, calls(asks)],
  [true, { type: 'effect-none' }, calls(callOf('mail_read'), { ...asks, state: 'denied' })],
  [false, { type: 'effect-none' }, calls(asks)],
];

const assertionOf = (one: Case[1]) => one as unknown as TestAssertion;

test.each(CASES)('%s: %j', async (holds, assertion, outcome) => {
  const result = await checkOutcome(assertionOf(assertion), { outcome, judges });
  expect(result).toMatchObject({ status: holds ? 'passed' : 'failed' });
  expect(result.message === '').toBe(holds);
  if (assertion.type === 'recipient') return;
  const opposite = { ...assertion, type: `not-${assertion.type}` };
  expect((await checkOutcome(assertionOf(opposite), { outcome, judges })).status).toBe(holds ? 'failed' : 'passed');
});

test('every type of the schema has a case here or below', () => {
  const types = new Set(CASES.map(([, { type }]) => type));
  const known = schema.$defs.assertion.properties.type.enum.filter((type) => !type.startsWith('not-'));
  expect([...types, 'unchanged'].sort()).toEqual(known.sort());
});

test('not-recipient fails where mail went to one of them', async () => {
  const assertion = assertionOf({ type: 'not-recipient', value: ['ada@example.org', 'bob@example.org'] });
  expect(await checkOutcome(assertion, { outcome: calls(asks), judges })).toEqual({
    ...{ type: 'not-recipient', status: 'failed' },
    message: 'not-recipient ["ada@example.org","bob@example.org"]: mail was written to ada@example.org',
  });
});

test.each(['recipient', 'not-recipient'])('%s could not run where a mail answers whoever wrote', async (type) => {
  const assertion = assertionOf({ type, value: 'ada@example.org' });
  const check = async (outcome: Outcome) => (await checkOutcome(assertion, { outcome, judges })).status;
  for (const args of [{ text: 'Hi' }, { to: [], all: true }, { cc: ['bob@example.org'] }])
    expect(await check(calls(callOf('mail_send', args)))).toBe('unknown');
  expect(await check(calls(callOf('mail_draft', { text: 'Hi' })))).toBe('unknown');
  const known = type === 'recipient' ? 'passed' : 'failed';
  expect(await check(calls(asks, callOf('mail_send', { text: 'Hi' })))).toBe(known);
  const denied = calls(callOf('mail_send', { text: 'Hi' }, { state: 'denied' }));
  expect(await check(denied)).toBe(type === 'recipient' ? 'failed' : 'passed');
});

test.each([
  [{ type: 'not-language', value: 'de' }, ['Guten Tag', 'Hello'], 'failed'],
  [{ type: 'not-language', value: 'de' }, ['Good day', 'Hello'], 'passed'],
  [{ type: 'not-is-json' }, ['[1]', 'Hello'], 'failed'],
  [{ type: 'not-is-json' }, ['Hello', '[1]'], 'failed'],
  [{ type: 'not-is-json' }, ['Hello', 'Bye'], 'passed'],
  [{ type: 'not-is-json', value: { type: 'object' } }, ['1', '{}'], 'failed'],
] as const)('%j holds where none of several texts matches: %j', async (assertion, answers, status) => {
  const outcome = outcomeOf(...answers.map((answer) => runOf({ answer })));
  expect(await checkOutcome(assertionOf(assertion), { outcome, judges })).toMatchObject({ status });
});

test('unchanged compares with the recorded run, but for ids and times', async () => {
  const at = (id: string, time: string) => calls(callOf('mail_read', { emailId: id, at: time }));
  const recorded = at(`mail_${'a'.repeat(22)}`, '2026-11-02T10:00:00.000Z');
  const check = (outcome: Outcome, expected: Outcome | undefined) =>
    checkOutcome({ type: 'unchanged' }, { outcome, expected, judges });
  const again = at(`mail_${'b'.repeat(22)}`, '2026-11-03T10:00:00.000Z');
  expect((await check(again, recorded)).status).toBe('passed');
  const other = await check(outcomeOf(runOf({ answer: 'x', calls: [callOf('mail_list')] })), recorded);
  expect(other.message).toBe('unchanged: changed: calls, answers');
  expect((await check(again, undefined)).status).toBe('unknown');
});

test('what cannot be found out is neither passed nor failed', async () => {
  const route = await checkOutcome(assertionOf({ type: 'route', value: 'a' }), { outcome: says('x'), judges });
  expect(route).toMatchObject({ status: 'unknown', message: 'route "a": a message is not routed' });
  const free = outcomeOf(runOf({ cost: null }));
  expect(await checkOutcome({ type: 'not-cost', threshold: 1 }, { outcome: free, judges })).toMatchObject({
    status: 'unknown',
  });
});
