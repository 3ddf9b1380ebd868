import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/src/base/error.ts';
import { replayAll, type ReplayedMail, type ReplayedRun } from '../../../engine/src/replay/compare/replay-all.ts';
import { emptyCassette } from '../../../engine/src/replay/cassette.ts';
import type { PlayedRun, PlayOptions, Recording, RoutedMail, Scratch } from '../../../engine/src/replay/replay.ts';
import { openaiApi } from '../../model/fixtures.ts';

const api = {
  ...openaiApi('http://127.0.0.1:1/v1', { model: 'm' }),
  price: { inputPerMillion: 1e6, outputPerMillion: 1e6 },
};
const RUN: PlayedRun = {
  ...{ directorId: 'boss', status: 'completed', answer: 'Done.', calls: [], items: [] },
  ...{ turns: 1, ownTurns: 1, inputTokens: 1, outputTokens: 1, cost: 2, durationMs: 1 },
};
const OUTCOME = { runs: [RUN], misses: [] };
const recording = (name: string): Recording => ({
  ...{ name, cassette: emptyCassette('2026-11-21T10:00:00.000Z'), person: { decisions: [], answers: [] } },
  stimulus: { kind: 'message', directorId: 'boss', message: 'hi' },
  world: { mails: [], memories: [], toolLists: [] },
  expected: OUTCOME,
});
const cassette = emptyCassette('2026-11-21T10:00:00.000Z');

interface FakeOptions {
  /** Default: one, as in the recording. */
  readonly runs?: readonly PlayedRun[];
  readonly play?: (recording: Recording, options?: PlayOptions) => Promise<void>;
  readonly onRoute?: () => void;
}

/** A scratch engine on a config with one director, in which nothing has changed. */
function fakeScratch({ play, onRoute, runs = [RUN] }: FakeOptions = {}): Scratch {
  const director = { id: 'boss', apiConfigId: api.id, agents: [], budget: {} };
  const config = {
    apis: new Map([[api.id, api]]),
    agents: new Map(),
    directors: new Map([['boss', director]]),
    settings: {},
  };
  return {
    ...{ config: config as never, problems: [], tools: new Map() },
    read: () => Promise.reject(new Error('nothing is read')),
    async route() {
      onRoute?.();
      return { directors: [{ directorId: 'boss', filterId: '' }], passedOver: [], results: [] } as never;
    },
    async play(played, options) {
      await play?.(played, options);
      return { outcome: { ...OUTCOME, runs }, cassette };
    },
    close: async () => {},
  };
}

const mail = {} as RoutedMail;
const before = { directors: [{ directorId: 'boss', filterId: '' }] };
const mailNamed = (name: string, load: ReplayedMail['load'] = async () => mail): ReplayedMail => ({
  ...{ name, subject: '', before, load },
});
const runNamed = (name: string, load: ReplayedRun['load'] = async () => recording(name)): ReplayedRun => ({
  ...{ name, subject: '', load },
});
const gone = (name: string) => () => Promise.reject(new Error(`${name} was deleted`));

describe('a replay of everything', () => {
  test('leaves a mail out on which the filters take too long', async () => {
    let routed = 0;
    const onRoute = () => {
      if (routed++ === 0) throw new EngineError('MAIL_TOO_COSTLY', 'the filters took too long');
    };
    const mails = [mailNamed('mail_1'), mailNamed('mail_2')];
    const { tiers, leftOut } = await replayAll(fakeScratch({ onRoute }), { against: 'main', mails, runs: [] });
    expect(leftOut).toEqual([{ name: 'mail_1', why: 'the filters took too long' }]);
    expect(tiers[0]).toMatchObject({ tier: 'routing', total: 1, changed: 0 });
  });

  test('reports a run that does not start any more', async () => {
    const input = { against: 'main', mails: [], runs: [runNamed('run_1')] };
    const { changed } = await replayAll(fakeScratch({ runs: [] }), input);
    expect(changed).toMatchObject([
      { name: 'run_1', tier: 'recorded', differences: [{ kind: 'status', text: 'no run starts now' }] },
    ]);
  });

  test('leaves a mail out that cannot be read, and a run that was deleted after its check', async () => {
    let loads = 0;
    const runs = [
      runNamed('run_1', async () => (loads++ === 0 ? recording('run_1') : gone('run_1')())),
      runNamed('run_2', gone('run_2')),
      runNamed('run_3'),
    ];
    const mails = [mailNamed('mail_1', gone('mail_1')), mailNamed('mail_2')];
    const { tiers, leftOut, isInterrupted } = await replayAll(fakeScratch(), { against: 'main', mails, runs });
    expect(leftOut).toEqual([
      { name: 'mail_1', why: 'mail_1 was deleted' },
      { name: 'run_2', why: 'run_2 was deleted' },
      { name: 'run_1', why: 'run_1 was deleted' },
    ]);
    expect([tiers.map(({ total }) => total), isInterrupted]).toEqual([[1, 1], undefined]);
  });

  test('has few mails in memory at a time', async () => {
    let [held, most] = [0, 0];
    const load = async () => {
      most = Math.max(most, ++held);
      return mail;
    };
    const mails = Array.from({ length: 320 }, (_, n) => mailNamed(`mail_${n}`, load));
    const scratch = fakeScratch({ onRoute: () => void held-- });
    const { tiers } = await replayAll(scratch, { against: 'main', mails, runs: [] });
    expect([tiers[0]?.total, most <= 50]).toEqual([320, true]);
  });

  test('asks no more once plays that failed have used the money up, and says what they cost', async () => {
    let asked = 0;
    const scratch = fakeScratch({
      async play(_recording, options) {
        if (options?.spend === undefined) return;
        const request = { messages: [], tools: [], role: 'director', actorId: 'boss', turn: 1 } as const;
        await options.spend.ask(api, request, async ({ onSpent }) => {
          asked++;
          onSpent?.({ inputTokens: 2, outputTokens: 4, isEstimate: false });
          throw new Error('the stream was cut');
        });
      },
    });
    const input = { against: 'main', mails: [], runs: ['run_1', 'run_2', 'run_3'].map((name) => runNamed(name)) };
    const { tiers, leftOut } = await replayAll(scratch, input, { live: { maxCost: 10, repeat: 1 } });
    expect([asked, tiers.at(-1)?.cost]).toEqual([2, 12]);
    expect(leftOut).toEqual([{ name: 'run_3', why: 'not asked to the end: --max-cost 10 is used up' }]);
  });

  test('ends with the report so far on abort, and passes the signal to each play', async () => {
    const stop = new AbortController();
    const scratch = fakeScratch({
      async play({ name }, options) {
        if (name !== 'run_2') return;
        stop.abort(new Error('Ctrl-C'));
        options?.signal?.throwIfAborted();
      },
    });
    const input = {
      against: 'main',
      mails: [mailNamed('mail_1')],
      runs: ['run_1', 'run_2', 'run_3'].map((name) => runNamed(name)),
    };
    const { signal } = stop;
    const report = await replayAll(scratch, input, { signal, live: { maxCost: 10, repeat: 1 } });
    expect(report.tiers).toMatchObject([
      { tier: 'routing', total: 1 },
      { tier: 'recorded', total: 1 },
    ]);
    expect([report.isInterrupted, report.changed, report.leftOut]).toEqual([true, [], []]);
    expect(report.summary[0]).toMatch(/^Interrupted/);
  });
});
