import { afterAll, describe, expect, test } from 'vitest';
import type { Condition, Filter } from '../../engine/src/config/documents.gen.ts';
import { createDecider, sortFilters, MAX_BODY_CHARS } from '../../engine/src/filter/decide.ts';
import type { RoutingDecision, DirectorScopes, FilterSubject } from '../../engine/src/filter/filter.ts';
import { createFilterPool } from '../../engine/src/filter/filter-pool.ts';
import { filter, subject } from './fixtures.ts';

const decider = createDecider();
const everyone: DirectorScopes = { boss: {}, clerk: {} };

function decide(
  filters: readonly Filter[],
  mail: FilterSubject = subject(),
  directors: DirectorScopes = everyone,
): RoutingDecision {
  return decider.decide(mail, filters, directors);
}

const matches = (condition: Condition, mail?: FilterSubject) =>
  decide([filter('f', condition)], mail).results[0]?.matched;
const is = (field: string, regex: string): Condition => ({ field, regex });
const yes = is('Subject', 'Urgent');
const no = is('Subject', 'nothing');

describe('fields', () => {
  const mail = subject({
    cc: [{ name: 'Bob', address: 'bob@x.org' }],
    bcc: [{ name: '', address: 'hidden@x.org' }],
    headers: [
      { name: 'X-Tag', value: 'one' },
      { name: 'x-tag', value: 'two' },
    ],
  });

  test.each([
    ['From', '^client7@domain\\.com$', true],
    ['From', '^Ann Lee <client7@domain\\.com>$', true],
    ['From', '^Ann Lee$', false],
    ['To', '^me@example\\.org$', true],
    ['To', '<me@example', false],
    ['CC', 'Bob <bob', true],
    ['BCC', 'hidden@', true],
    ['Subject', 'invoice \\d+$', true],
    ['Subject', 'urgent', false],
    ['Subject', '(?i)urgent', true],
    ['Body', '^words$', true],
    ['Date', '^2026-02-03T04:', true],
    ['Label', '^Autopilot InProgress$', true],
    ['Label', '^Inbox,', false],
    ['Header:X-Tag', '^one$', true],
    ['Header:X-Tag', '^two$', true],
    ['Header:x-TAG', '^two$', true],
    ['Header:X-Other', '', false],
  ])('%s with %s: %s', (field, regex, matched) => {
    expect(matches(is(field, regex), mail)).toBe(matched);
  });

  test('a field that the mail lacks never matches, and so its negation does', () => {
    expect(matches(is('CC', ''), subject())).toBe(false);
    expect(matches(is('Date', ''), subject({ date: '' }))).toBe(false);
    expect(matches({ not: is('Header:Auto-Submitted', '^auto-') })).toBe(true);
  });

  test('only the first 256 K characters of a body count', () => {
    const bodyText = `${'x'.repeat(MAX_BODY_CHARS - 1)}yz`;
    expect(matches(is('Body', 'y'), subject({ bodyText }))).toBe(true);
    expect(matches(is('Body', 'z'), subject({ bodyText }))).toBe(false);
  });
});

describe('groups', () => {
  test.each<[string, Condition, boolean]>([
    ['allOf of true and true', { allOf: [yes, yes] }, true],
    ['allOf of true and false', { allOf: [yes, no] }, false],
    ['anyOf of false and true', { anyOf: [no, yes] }, true],
    ['anyOf of false and false', { anyOf: [no, no] }, false],
    ['not true', { not: yes }, false],
    ['not of a group', { not: { anyOf: [no, no] } }, true],
    ['groups in groups', { allOf: [yes, { anyOf: [no, { not: { allOf: [yes, no] } }] }] }, true],
  ])('%s', (_name, condition, matched) => {
    expect(matches(condition)).toBe(matched);
  });

  test('the verdict ends with the part that decided, and quotes what matched', () => {
    const [result] = decide([filter('f', { allOf: [yes, { anyOf: [no, yes, no] }, no, yes] })]).results;
    expect(result?.verdict).toEqual({
      kind: 'allOf',
      matched: false,
      parts: [
        { kind: 'field', field: 'Subject', regex: 'Urgent', matched: true, value: 'Urgent: invoice 4411' },
        {
          kind: 'anyOf',
          matched: true,
          parts: [
            { kind: 'field', field: 'Subject', regex: 'nothing', matched: false },
            { kind: 'field', field: 'Subject', regex: 'Urgent', matched: true, value: 'Urgent: invoice 4411' },
          ],
        },
        { kind: 'field', field: 'Subject', regex: 'nothing', matched: false },
      ],
    });
  });

  test('a long value is quoted by its start', () => {
    const [result] = decide([filter('f', is('Body', 'x'))], subject({ bodyText: 'x'.repeat(10_000) })).results;
    expect(result?.verdict).toMatchObject({ value: `${'x'.repeat(200)}…` });
  });
});

describe('order', () => {
  test('filters are asked by order, those without one last, then by id; disabled ones are not', () => {
    const filters = [
      filter('z', yes),
      filter('c', yes, { order: 2 }),
      filter('b', yes, { order: 2 }),
      filter('a', yes),
      filter('d', yes, { order: 1 }),
      filter('off', yes, { enabled: false }),
    ];
    expect(sortFilters(filters).map(({ id }) => id)).toEqual(['d', 'b', 'c', 'a', 'z']);
    expect(decide(filters).results.map(({ filterId }) => filterId)).toEqual(['d', 'b', 'c', 'a', 'z']);
  });

  test('a filter that matches and says stop is the last that is asked', () => {
    const decision = decide([
      filter('a', no, { stop: true }),
      filter('b', yes, { stop: true, directorId: 'clerk' }),
      filter('c', yes),
    ]);
    expect(decision.directors).toEqual([{ directorId: 'clerk', filterId: 'b' }]);
    expect(decision.results.at(-1)).toEqual({ filterId: 'c', matched: false, skipped: 'stopped' });
  });
});

describe('directors', () => {
  test('several take one mail, each once, named by the first filter that names it', () => {
    const decision = decide([
      filter('a', yes, { directorId: ['clerk', 'boss'] }),
      filter('b', yes, { directorId: 'boss' }),
    ]);
    expect(decision.directors).toEqual([
      { directorId: 'clerk', filterId: 'a' },
      { directorId: 'boss', filterId: 'a' },
    ]);
  });

  test('a filter for other accounts is not asked', () => {
    const decision = decide([
      filter('a', yes, { accountIds: ['sales'] }),
      filter('b', yes, { accountIds: ['support'] }),
    ]);
    expect(decision.results[0]).toEqual({ filterId: 'a', matched: false, skipped: 'account' });
    expect(decision.directors).toEqual([{ directorId: 'boss', filterId: 'b' }]);
  });

  test('a director whose accounts lack this one, or that is disabled, is passed over, and that is said', () => {
    const decision = decide([filter('a', yes, { directorId: ['boss', 'clerk', 'gone', 'toString'] })], subject(), {
      boss: { accountIds: ['sales'] },
      clerk: { accountIds: ['sales', 'support'] },
    });
    expect(decision.directors).toEqual([{ directorId: 'clerk', filterId: 'a' }]);
    expect(decision.passedOver).toEqual([
      { directorId: 'boss', filterId: 'a', reason: 'account' },
      { directorId: 'gone', filterId: 'a', reason: 'disabled' },
      { directorId: 'toString', filterId: 'a', reason: 'disabled' },
    ]);
  });

  test('a mail that no filter takes has no director', () => {
    expect(decide([filter('a', no)])).toMatchObject({ directors: [], passedOver: [] });
    expect(decide([])).toEqual({ directors: [], passedOver: [], results: [] });
  });
});

describe('the judge in its worker', () => {
  const filterPool = createFilterPool({ timeoutMs: 5000 });
  afterAll(() => filterPool.close());
  const question = (revision: string, filters: readonly Filter[]) => ({
    revision,
    filters,
    directors: everyone,
    subject: JSON.stringify(subject()),
  });

  test('decides as the decider does', async () => {
    const filters = [filter('a', { anyOf: [no, yes] }), filter('b', no)];
    expect(await filterPool.decide(question('1', filters))).toEqual(decide(filters));
  });

  test('takes new filters with a new revision', async () => {
    expect((await filterPool.decide(question('2', [filter('a', no)]))).directors).toEqual([]);
    expect((await filterPool.decide(question('3', [filter('a', yes)]))).directors).toHaveLength(1);
    expect((await filterPool.decide(question('2', [filter('a', no)]))).directors).toEqual([]);
  });

  test('rejects with the reason of the signal on abort', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(filterPool.decide(question('1', []), { signal })).rejects.toThrow('enough');
  });
});
