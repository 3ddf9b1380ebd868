import { describe, expect, test } from 'vitest';
import type { Condition, Filter } from '../../engine/src/config/documents.gen.ts';
import { createDecider } from '../../engine/src/filter/decide.ts';
import { createFilterPool } from '../../engine/src/filter/filter-pool.ts';
import { filter, subject } from './fixtures.ts';

const label = (regex: string): Condition => ({ field: 'Label', regex });
const urgent: Condition = { field: 'Subject', regex: 'Urgent' };
const other: Condition = { field: 'Subject', regex: 'nothing' };
const mail = subject({ labels: ['Work', 'Later', 'Autopilot'] });
const everyone = { boss: {}, clerk: {} };

/** What becomes of the mail when these of its labels have been put on. */
function putOn(labels: readonly string[], ...filters: readonly Filter[]) {
  return createDecider().decide(mail, filters, everyone, labels);
}

const started = (labels: readonly string[], condition: Condition) => putOn(labels, filter('f', condition)).directors;

describe('labels that are put on a known mail', () => {
  test('have filters asked that look at labels, and no others', () => {
    const decision = putOn(
      ['Autopilot'],
      filter('a', urgent, { stop: true, directorId: 'clerk' }),
      filter('b', { anyOf: [other, { not: label('^None$') }] }),
      filter('c', label('^Autopilot$')),
    );
    expect(decision.results.map(({ filterId }) => filterId)).toEqual(['b', 'c']);
    expect(decision.directors).toEqual([{ directorId: 'boss', filterId: 'c', labels: ['Autopilot'] }]);
  });

  test('are stopped by a filter on labels that matches, whichever label it matches', () => {
    const decision = putOn(
      ['Autopilot'],
      filter('a', label('^Work$'), { stop: true, directorId: 'clerk' }),
      filter('b', label('^Autopilot$')),
    );
    expect(decision.directors).toEqual([]);
    expect(decision.results.at(-1)).toEqual({ filterId: 'b', matched: false, skipped: 'stopped' });
  });

  test.each<{ name: string; condition: Condition; because: readonly string[] }>([
    { name: 'the label itself', condition: label('^Autopilot$'), because: ['Autopilot'] },
    { name: 'a label that was there before', condition: label('^Work$'), because: [] },
    {
      name: 'a label with one that was there',
      condition: { allOf: [label('^Work$'), label('^Auto')] },
      because: ['Autopilot'],
    },
    { name: 'a label with what the mail is', condition: { allOf: [urgent, label('^Auto')] }, because: ['Autopilot'] },
    { name: 'a label with what the mail is not', condition: { allOf: [other, label('^Auto')] }, because: [] },
    {
      name: 'a label in a branch that does not hold',
      condition: { anyOf: [urgent, { allOf: [other, label('^Auto')] }] },
      because: [],
    },
    {
      name: 'a label beside what holds anyway',
      condition: { anyOf: [urgent, label('^Auto')] },
      because: ['Autopilot'],
    },
    { name: 'a label that must not be there', condition: { not: label('^None$') }, because: [] },
    { name: 'a label below two negations', condition: { not: { not: label('^Auto') } }, because: [] },
    { name: 'any label', condition: label(''), because: ['Later', 'Autopilot'] },
  ])('start a director because of $name or not: $because', ({ condition, because }) => {
    expect(started(['Later', 'Autopilot'], condition).flatMap(({ labels }) => labels ?? [])).toEqual(because);
  });

  test('name a director once, with the labels of all filters that name it', () => {
    const decision = putOn(['Later', 'Autopilot'], filter('a', label('^Later$')), filter('b', label('^Autopilot$')));
    expect(decision.directors).toEqual([{ directorId: 'boss', filterId: 'a', labels: ['Later', 'Autopilot'] }]);
  });

  test('are judged in the worker as well', async () => {
    const filterPool = createFilterPool();
    const question = {
      ...{ revision: '1', filters: [filter('a', urgent), filter('b', label('^Work$'))], directors: everyone },
      subject: JSON.stringify(mail),
    };
    expect(await filterPool.decide({ ...question, newLabels: ['Work'] })).toMatchObject({
      directors: [{ filterId: 'b' }],
    });
    expect(await filterPool.decide(question)).toMatchObject({ directors: [{ filterId: 'a', labels: ['Work'] }] });
    await filterPool.close();
  });
});

test('a mail that arrives says because of which labels it starts a director', () => {
  const { directors } = createDecider().decide(mail, [filter('a', urgent), filter('b', label('^Auto'))], everyone);
  expect(directors).toEqual([{ directorId: 'boss', filterId: 'a', labels: ['Autopilot'] }]);
});
