import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import directorSchema from '../../../schemas/director.schema.json' with { type: 'json' };
import { createRun } from '../../../engine/src/run/lifecycle/create.ts';
import { finishRun } from '../../../engine/src/run/lifecycle/finish.ts';
import { defineMode } from '../../../engine/src/run/mode/mode.ts';
import { MODES } from '../../../engine/src/run/mode/registry.ts';
import { playModels, setStage, type Stage } from '../harness.ts';

/** Length of the pause; long enough for the test to see the run wait. */
let pauseMs = 0;

/** Waits for `pauseMs`, asks no model, and ends. */
const pauseMachine = setup({
  types: {} as {
    context: { failure: { code: string; message: string } | null };
    events:
      { type: 'START' | 'CANCEL' } | { type: 'START_FAILED' | 'FAIL'; failure: { code: string; message: string } };
    tags: 'parked';
  },
  actions: { note: (_, _params: { text: string }) => {}, finish: () => {} },
  delays: { pause: () => pauseMs },
}).createMachine({
  id: 'pause',
  version: '1',
  context: { failure: null },
  initial: 'queued',
  on: { CANCEL: '.cancelled', FAIL: '.failed' },
  states: {
    queued: { tags: 'parked', on: { START: 'waiting', START_FAILED: 'failed' } },
    waiting: { tags: 'parked', after: { pause: 'completed' } },
    completed: { type: 'final', entry: [{ type: 'note', params: { text: 'over' } }, 'finish'] },
    failed: { type: 'final', entry: 'finish' },
    cancelled: { type: 'final', entry: 'finish' },
  },
});

const pause = defineMode({
  machine: pauseMachine,
  upgrades: {},
  runs: ['pause'],
  status: ({ value }) => ({ status: value === 'waiting' ? 'waiting' : value }),
  handlers: {
    note: (step, _machine, { text }) => step.entry({ phase: 'director', detail: { action: 'note', text } }),
    finish: (step, machine) => finishRun(step, machine),
  },
});

describe('a mode beside the built-in ones', () => {
  let stage: Stage;
  beforeEach(async () => {
    const models = playModels(() => {
      throw new Error('no model is asked');
    });
    stage = await setStage({ modes: [pause], models });
  });
  afterEach(() => stage.close());

  async function begin(mode: string): Promise<string> {
    const { app } = stage;
    const { run, changes } = await createRun(app.deps, {
      config: app.config.current(),
      directorId: 'boss',
      mode,
      trigger: { kind: 'message', message: 'do it' },
      startedBy: 'test',
    });
    await app.deps.store.apply(changes);
    app.engine.queued();
    return run.id;
  }

  test('is driven to its end, across a restart', async () => {
    pauseMs = 500;
    const id = await begin('pause');
    await stage.until(id, ({ status }) => status === 'waiting');
    await stage.restart();
    const run = await stage.ended(id);
    expect(run).toMatchObject({ status: 'completed', mode: 'pause', machine: { id: 'pause', version: '1' } });
    const entries = await stage.app.deps.store.list('entry', { where: [['scope', '=', id]] });
    expect(entries.some(({ body }) => body.includes('"text":"over"'))).toBe(true);
  });

  test('can be cancelled', async () => {
    pauseMs = 60_000;
    const id = await begin('pause');
    await stage.until(id, ({ status }) => status === 'waiting');
    await stage.app.engine.cancel(id);
    expect(await stage.run(id)).toMatchObject({ status: 'cancelled' });
  });

  test('leaves the built-in ones as they are', async () => {
    expect([...stage.app.deps.modes.keys()]).toEqual([...MODES.keys(), 'pause']);
  });

  test('is named in the error for a mode that nobody knows', async () => {
    const known = [...MODES.values()].flatMap(({ runs }) => runs);
    await expect(begin('wander')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      hint: `modes: ${[...known, 'pause'].join(', ')}`,
    });
  });
});

test('each mode of a run belongs to one machine', () => {
  const names = [...MODES.values()].flatMap(({ runs }) => runs);
  expect(names).toEqual([...new Set(names)]);
});

test('a director can have each mode of the registry but that of a person’s session, and no other', () => {
  const names = [...MODES.values()].flatMap(({ runs }) => runs).filter((name) => name !== 'session');
  expect([...directorSchema.properties.mode.enum].sort()).toEqual(names.sort());
});
