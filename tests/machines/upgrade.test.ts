import { describe, expect, test } from 'vitest';
import { MODES } from '../../engine/src/run/mode/registry.ts';
import { advance, machineChange, restoreMachine } from '../../engine/src/run/step/machine.ts';
import type { Row } from '../../engine/src/store/store.ts';

/** A session as version 1 left it: it works on one ask, and another queues. */
const ROW: Row<'machine'> = {
  id: 'th_1',
  kind: 'session',
  version: '1',
  rev: 4,
  root: 'run_1',
  status: 'active',
  body: JSON.stringify({
    facts: { runId: 'run_1', threadId: 'th_1', agentId: 'helper' },
    value: 'working',
    context: {
      idleMs: 900_000,
      queue: [{ caller: 'run_1', call: '1/b' }],
      current: { caller: 'run_1', call: '1/a' },
      asks: 1,
    },
    status: 'active',
  }),
};

describe('a session that version 1 has written', () => {
  test('goes on where it was', () => {
    const machine = restoreMachine(ROW, MODES);
    expect(machine.snapshot.context).toMatchObject({ front: 'running', asks: 1, queue: [{ call: '1/b' }] });
    const asked = advance(machine, { type: 'ASK_DONE' });
    expect(asked.filter(({ type }) => type === 'startAsk')).toMatchObject([
      { type: 'startAsk', params: { ask: { caller: 'run_1', call: '1/b' }, number: 2 } },
    ]);
  });

  test('is written as the newest version at its next step, bound to the revision that it was read at', () => {
    const machine = restoreMachine(ROW, MODES);
    advance(machine, { type: 'ASK_PARKED', number: 1, why: 'asking' } as { type: string });
    expect(machineChange(machine)).toMatchObject({ set: { version: '2', rev: 5 }, expect: { rev: 4 } });
  });
});

test('a run that an early version 1 has parked for a person is parked still', () => {
  const context = { limits: null, turn: 1, calls: { '1/a': 'asking' } };
  const body = JSON.stringify({ facts: {}, value: { calling: 'awaitingPerson' }, context, status: 'active' });
  const machine = restoreMachine({ ...ROW, kind: 'run', version: '1', body }, MODES);
  expect(machine.snapshot.value).toEqual({ calling: 'parked' });
});

test('a run that version 2 has left between two attempts counts them as of one api', () => {
  const context = { limits: { maxTurns: 9, timeMs: 9, maxAttempts: 3, backoffMs: 1 }, turn: 1, attempt: 1, calls: {} };
  const body = JSON.stringify({ facts: {}, value: 'asking', context, status: 'active' });
  const machine = restoreMachine({ ...ROW, kind: 'run', version: '2', body }, MODES);
  const failure = { code: 'MODEL_UNAVAILABLE', message: 'down' };
  advance(machine, { type: 'MODEL_FAILED', at: 1, kind: 'transient', failure } as { type: string });
  expect(machine.snapshot.value).toBe('backingOff');
});

test.each([
  ['session', '0'],
  ['session', '3'],
  ['run', '0'],
])('a %s of version %s, which nothing brings forward, is refused', (kind, version) => {
  expect(() => restoreMachine({ ...ROW, kind, version }, MODES)).toThrow(
    expect.objectContaining({ code: 'MACHINE_VERSION' }) as Error,
  );
});
