import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../../engine/src/replay/compare/compare-runs.ts';
import { compareRoutes } from '../../../engine/src/replay/compare/replay-all.ts';
import type { PlayedCall, PlayedRun } from '../../../engine/src/replay/replay.ts';

const CALL: PlayedCall = {
  agentId: '',
  tool: 'send',
  arguments: { to: 'a' },
  effects: 'write',
  state: 'done',
  asked: false,
};
const RUN: PlayedRun = {
  ...{ directorId: 'boss', status: 'completed', answer: 'Done.', calls: [CALL], items: [] },
  ...{ turns: 2, ownTurns: 2, inputTokens: 10, outputTokens: 2, cost: 0.5, durationMs: 100 },
};
const textsOf = async (after: Partial<PlayedRun>, before: Partial<PlayedRun> = {}) =>
  (await compareRuns({ ...RUN, ...before }, { ...RUN, ...after }, [])).map(
    ({ kind, text, loosens }) => `${kind}: ${text}${loosens === true ? ' !' : ''}`,
  );

describe('two runs', () => {
  test.each<[string, Partial<PlayedRun>, string[]]>([
    ['are equal', {}, []],
    ['differ in a call that is gone', { calls: [] }, ['calls: send is gone']],
    ['differ in a new call', { calls: [CALL, { ...CALL, tool: 'look' }] }, ['calls: look is new, with {"to":"a"}']],
    ['differ in arguments', { calls: [{ ...CALL, arguments: { to: 'b' } }] }, ['calls: send has other arguments']],
    ['differ in asking', { calls: [{ ...CALL, asked: true }] }, ['permissions: send now asks a person']],
    ['differ in a denial', { calls: [{ ...CALL, state: 'denied' }] }, ['permissions: send is now denied']],
    ['differ in the answer', { answer: 'Not done.' }, ['drafts: the final answer has other words']],
    ['differ in turns and cost', { turns: 3, cost: 1 }, ['turns: 2 turns, now 3', 'cost: cost $0.5000, now $1.0000']],
    [
      'differ in a budget',
      { status: 'failed', error: { code: 'LIMIT_STEPS', message: 'stopped' } },
      ['budgets: ended as completed, now LIMIT_STEPS: stopped'],
    ],
  ])('%s', async (_name, after, expected) => {
    expect(await textsOf(after)).toEqual(expected);
  });

  test('are looser where a call no longer asks, or is no longer denied', async () => {
    expect(await textsOf({}, { calls: [{ ...CALL, asked: true }] })).toEqual([
      'permissions: send no longer asks a person !',
    ]);
    expect(await textsOf({}, { calls: [{ ...CALL, state: 'denied' }] })).toEqual([
      'permissions: send is no longer denied !',
    ]);
  });

  test('are equal in ids and times that the engine made', async () => {
    const data = (id: string, at: string) => ({ calls: [{ ...CALL, arguments: { id: `item_${id.repeat(22)}`, at } }] });
    expect(await textsOf(data('0', '2026-11-21T10:00:00.000Z'), data('1', '2026-11-22T10:00:00.000Z'))).toEqual([]);
  });

  test('say nothing of what comes after a request that is not recorded', async () => {
    const miss = { kind: 'model', agentId: '', name: 'openai m', asked: {}, why: 'another text' } as const;
    const found = await compareRuns(RUN, { ...RUN, calls: [], status: 'failed', answer: '' }, [miss]);
    expect(found.map(({ text }) => text)).toEqual(['the director asks openai m something else: another text']);
  });

  const letter = (word: string) => Array.from({ length: 400 }, (_, n) => `${word}${n}`).join(' ');

  test('show texts with few words in common one after the other', async () => {
    const [found] = await compareRuns({ ...RUN, answer: letter('old') }, { ...RUN, answer: letter('new') }, []);
    expect(found?.words).toEqual([
      { text: letter('old'), state: 'removed' },
      { text: letter('new'), state: 'added' },
    ]);
  });

  test('leave the event loop free while many texts are compared', async () => {
    const items = (word: string) =>
      Array.from({ length: 60 }, (_, n) => ({
        ...{ label: `${n}`, mimeType: 'text/plain', agentId: '' },
        data: letter(word),
      }));
    let turns = 0;
    const count = () => (turns++, (timer = setImmediate(count)));
    let timer = setImmediate(count);
    await compareRuns({ ...RUN, items: items('old') }, { ...RUN, items: items('new') }, []);
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

test('two ways of a mail are the same in any order', () => {
  const route = (...ids: string[]) => ({ directors: ids.map((directorId) => ({ directorId, filterId: '' })) });
  expect(compareRoutes(route('a', 'b'), route('b', 'a'))).toEqual([]);
  expect(compareRoutes(route('a'), route())[0]?.text).toBe('went to a, now to nobody');
});
