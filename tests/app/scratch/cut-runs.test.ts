import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { ModelAnswer, Models } from '../../../engine/src/model/model.ts';
import type { Tool, WorldTool } from '../../../engine/src/tool/tool.ts';
import { nextTry } from '../../next-try.ts';
import { call, setStage, type Stage } from '../../run/harness.ts';
import { replayRuns } from './replay-runs.ts';

let stage: Stage;
let clock: SimulatedClock;
/** Whether what never answers has been asked. */
let isHeld: boolean;
afterEach(() => stage.close());

const never = (signal: AbortSignal | undefined) =>
  new Promise<never>((_resolve, reject) => {
    isHeld = true;
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Models that make these calls, one after the other, and never answer afterwards. */
function models(...calls: (readonly [string, object])[]): Models {
  let asked = 0;
  return {
    open: () => ({
      async ask({ signal }): Promise<ModelAnswer> {
        const [name, args] = calls[asked++] ?? [];
        if (name === undefined) return never(signal);
        const message = { role: 'assistant' as const, content: null, tool_calls: [call(`c${asked}`, name, args)] };
        return { message, stop: 'tool_calls', model: 'm', usage: { inputTokens: 7, outputTokens: 3 }, raw: '{}' };
      },
      available: async () => ({ ok: true }),
    }),
    close: async () => {},
  };
}

const world = (name: string, effects: 'read' | 'write', run: WorldTool['run']): WorldTool => ({
  ...{ name, family: 'test', description: name, parameters: { type: 'object', properties: {} }, effects },
  ...{ repeat: effects === 'read' ? 'free' : 'key', run },
});
const TOOLS: Tool[] = [
  world('look', 'read', async () => ({ seen: 1 })),
  world('look_long', 'read', (_args, { signal }) => never(signal)),
  world('send', 'write', (_args, { signal }) => never(signal)),
];

async function setUp(played: Models, permissions = '{ allow: ["*"] }'): Promise<void> {
  isHeld = false;
  clock = new SimulatedClock(1_760_000_000_000);
  stage = await setStage({
    ...{ models: played, tools: TOOLS, clock },
    files: {
      'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\ntools: [test]\npermissions: ${permissions}\nuntrusted: { act: [send] }\n`,
    },
  });
}

async function untilHeld(): Promise<void> {
  for (let tries = 0; !isHeld; tries++) await nextTry(tries);
}

/** What works when a run is cut, and the calls that lead there. */
const MOMENTS: readonly { readonly what: string; readonly calls: readonly (readonly [string, object])[] }[] = [
  { what: 'a model works', calls: [['look', {}]] },
  { what: 'a read works', calls: [['look_long', {}]] },
  {
    what: 'a write works',
    calls: [
      ['look', {}],
      ['send', {}],
    ],
  },
];

const same = { differences: [], leftOut: [], total: 1 };

describe('a run that was cut, replayed under its own config, has no difference', () => {
  test.each(MOMENTS)('where its time is over while $what', async ({ calls }) => {
    await setUp(models(...calls));
    const id = await stage.begin();
    await untilHeld();
    clock.advance(600_001);
    expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
    expect(await replayRuns(stage, [id], TOOLS)).toEqual(same);
  });

  test.each(MOMENTS)('where a person cancels it while $what', async ({ calls }) => {
    await setUp(models(...calls));
    const id = await stage.begin();
    await untilHeld();
    await stage.app.engine.cancel(id);
    expect(await stage.ended(id)).toMatchObject({ status: 'cancelled' });
    expect(await replayRuns(stage, [id], TOOLS)).toEqual(same);
  });

  test('where a person cancels it while it asks', async () => {
    await setUp(models(['look', {}], ['send', {}]), '{ ask: [send] }');
    const id = await stage.begin();
    await stage.until(id, ({ waitingFor }) => waitingFor === 'approval');
    expect(await replayRuns(stage, [id], TOOLS)).toEqual(same);
    await stage.app.engine.cancel(id);
    expect(await stage.ended(id)).toMatchObject({ status: 'cancelled' });
    expect(await replayRuns(stage, [id], TOOLS)).toEqual(same);
  });

  test('where no model could be reached', async () => {
    const down: Models = {
      open: () => ({ ask: ({ signal }) => never(signal), available: async () => ({ ok: false, why: 'it is off' }) }),
      close: async () => {},
    };
    await setUp(down);
    const id = await stage.begin();
    expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'MODEL_NONE_AVAILABLE' } });
    expect(await replayRuns(stage, [id], TOOLS)).toEqual(same);
  });
});
