import { expect, test } from 'vitest';
import { SimulatedClock } from '../../../../engine/src/base/clock.ts';
import { createPermissionGate, MAX_PERMISSION_MS } from '../../../../engine/src/model/cli/acp/permissions.ts';

const asked = {
  sessionId: 's-1',
  toolCall: { toolCallId: 'c-1', title: 'Write', kind: 'edit' as const, rawInput: { path: 'a' } },
  options: [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' as const },
    { optionId: 'no', name: 'No', kind: 'reject_once' as const },
  ],
};

/** A gate whose judge never decides. */
function openGate() {
  const clock = new SimulatedClock();
  const events: string[] = [];
  const gate = createPermissionGate({
    turn: {
      roaming: { dir: '/work', mode: 'safe', hidden: [] },
      onPermission: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            events.push('aborted');
            reject(signal.reason);
          });
        }),
    },
    ...{ clock, known: () => undefined, onFailure: () => events.push('failed') },
    pause: () => {
      events.push('paused');
      return () => events.push('resumed');
    },
  });
  return { clock, events, gate };
}

test('a request that nobody decides lapses after 30 minutes as refused, and the time goes on', async () => {
  const { clock, events, gate } = openGate();
  const answer = gate.answer(asked, new AbortController().signal);
  clock.advance(MAX_PERMISSION_MS - 1);
  expect(events).toEqual(['paused']);
  clock.advance(1);
  expect(await answer).toEqual({ outcome: { outcome: 'selected', optionId: 'no' } });
  expect(events).toEqual(['paused', 'resumed', 'aborted']);
});

test('a request that the tool withdraws is cancelled', async () => {
  const { events, gate } = openGate();
  const withdrawn = new AbortController();
  const answer = gate.answer(asked, withdrawn.signal);
  withdrawn.abort();
  expect(await answer).toEqual({ outcome: { outcome: 'cancelled' } });
  expect(events).toEqual(['paused', 'resumed', 'aborted']);
});

test('after the end of the turn nobody is asked any more', async () => {
  const { events, gate } = openGate();
  gate.cancel();
  expect(await gate.answer(asked, new AbortController().signal)).toEqual({ outcome: { outcome: 'cancelled' } });
  expect(events).toEqual([]);
});
