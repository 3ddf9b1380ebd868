import { describe, expect, test } from 'vitest';
import { emptyCassette, type TapedAnswer, tapeRequest } from '../../../engine/src/replay/cassette.ts';
import { Deck } from '../../../engine/src/replay/play/deck.ts';
import { openaiApi } from '../../model/fixtures.ts';

const api = openaiApi('http://127.0.0.1:1/v1', { model: 'm' });
const AT = '2026-11-21T10:00:00.000Z';
const ITEM = ['item_0000000000000000000000', 'item_1111111111111111111111'] as const;
const ask = (content: string, model = api) => tapeRequest(model, { messages: [{ role: 'user', content }], tools: [] });
const taped = (content: string, said: string): TapedAnswer => ({
  agentId: '',
  request: ask(content).request,
  answer: { message: { role: 'assistant', content: said }, stop: 'stop', model: 'm' },
  latencyMs: 5,
});
const cassette = (...answers: TapedAnswer[]) => ({ ...emptyCassette(AT), answers });

describe('a deck', () => {
  test('answers equal requests in their order, each answer once', async () => {
    const deck = await Deck.open(cassette(taped('a', '1'), taped('b', 'x'), taped('a', '2')), 'none');
    const said = () => deck.answer(ask('a').request, '')?.answer?.message.content;
    expect([said(), said(), said()]).toEqual(['1', '2', undefined]);
  });

  test('finds a request again that differs in ids, times and marks of envelopes only', async () => {
    const deck = await Deck.open(cassette(taped(`<<MAIL-0123456789ab ${ITEM[0]} at ${AT}`, 'yes')), 'none');
    const other = ask(`<<MAIL-ba9876543210 ${ITEM[1]} at 2027-01-01T00:00:00.000Z`);
    expect(deck.answer(other.request, '')?.answer?.message.content).toBe('yes');
    expect(other.ids).toEqual([ITEM[1]]);
  });

  test.each([
    ['another text', ask('b').request, /message 1 \(user\): recorded .*"a".*, now .*"b"/],
    ['another model', ask('a', openaiApi('http://127.0.0.1:1/v1', { model: 'n' })).request, 'model: recorded m, now n'],
    [
      'other tools',
      {
        ...ask('a').request,
        tools: [{ type: 'function' as const, function: { name: 't', description: '', parameters: {} } }],
      },
      'tools: with t',
    ],
    [
      'other parameters',
      { ...ask('a').request, parameters: { maxTokens: 5 } },
      'parameters: recorded {}, now {"maxTokens":5}',
    ],
  ])('misses a request with %s, and says so', async (_name, request, why) => {
    const deck = await Deck.open(cassette(taped('a', '1')), 'none');
    expect(deck.answer(request, '')).toBeUndefined();
    expect((await deck.missAnswer('', request)).why).toMatch(why);
    expect(deck.misses).toHaveLength(1);
  });

  test.each([
    ['none', false, '1'],
    ['once', false, '1'],
    ['new_episodes', true, '1'],
    ['all', true, undefined],
  ] as const)('in mode %s records: %s', async (mode, records, said) => {
    const deck = await Deck.open(cassette(taped('a', '1')), mode);
    expect([deck.records, deck.answer(ask('a').request, '')?.answer?.message.content]).toEqual([records, said]);
  });

  test('records everything where mode once meets an empty cassette', async () => {
    const deck = await Deck.open(emptyCassette(AT), 'once');
    deck.add(taped('a', '1'));
    expect([deck.records, deck.taped().answers.length]).toEqual([true, 1]);
  });

  test('forgets what it had in mode all', async () => {
    const deck = await Deck.open(cassette(taped('a', '1')), 'all');
    deck.add(taped('b', '2'));
    expect(deck.taped().answers.map(({ answer }) => answer?.message.content)).toEqual(['2']);
  });

  test('leaves the event loop free while a long recording is opened, and while it looks for the most similar request', async () => {
    const long = cassette(...Array.from({ length: 60 }, (_, n) => taped(`${n} ${'word '.repeat(100_000)}`, 'yes')));
    let turns = 0;
    const count = () => (turns++, (timer = setImmediate(count)));
    let timer = setImmediate(count);
    const deck = await Deck.open(long, 'none');
    const opened = turns;
    await deck.missAnswer('', ask('another').request);
    clearImmediate(timer);
    expect([opened > 0, turns > opened]).toEqual([true, true]);
  });
});
