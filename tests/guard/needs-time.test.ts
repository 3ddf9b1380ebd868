import { describe, expect, test } from 'vitest';
import type { Agent, Director, Snapshot } from '../../engine/src/config/config.ts';
import type { GuardContext, GuardedCall, UserMessage } from '../../engine/src/guard/guard.ts';
import type { Layer } from '../../engine/src/guard/layer.ts';
import { needsNamedTime, needsTimeGuard } from '../../engine/src/guard/needs-time.ts';
import { growthOfAsync } from '../cpu-time.ts';

const GATED = ['calendar_add', 'reminder_create'];

function directorOf(tools: readonly string[], agents: readonly string[] = []): Director {
  return {
    id: 'desk',
    guards: tools.length === 0 ? [] : [{ kind: 'needsTime', tools }],
    agents,
  } as unknown as Director;
}

function layer(document: Director | Agent, kind: Layer['kind'], isNewest = false): Layer {
  return { who: `${kind} ${document.id}`, kind, id: document.id, isNewest, permissions: undefined, document };
}

interface Case {
  /** Newest first. */
  readonly messages?: readonly (readonly [text: string, calls?: Readonly<Record<string, number>>])[];
  readonly layers?: readonly Layer[];
  readonly config?: Pick<Snapshot, 'directors'>;
  readonly tool?: string;
}

async function verdictOf({ messages = [], layers, config, tool = 'calendar_add' }: Case) {
  const snapshot = (config ?? { directors: new Map() }) as Snapshot;
  async function* userWords(): AsyncIterable<UserMessage> {
    for (const [text, calls = {}] of messages) yield { text, calls };
  }
  const context = {
    layers: layers ?? [layer(directorOf(GATED), 'director')],
    config: snapshot,
    newest: snapshot,
    userWords,
  } as unknown as GuardContext;
  return needsTimeGuard.check({ tool: { name: tool } } as GuardedCall, context);
}

describe('the scheduling gate', () => {
  test.each<readonly [string, Case, 'pass' | 'ask' | 'refuse']>([
    ['a message with a time', { messages: [['Meet Anna tomorrow at 3']] }, 'pass'],
    ['a message without a time', { messages: [['Meet Anna']] }, 'refuse'],
    ['an earlier message with a time', { messages: [['Yes, do it'], ['Meet Anna tomorrow at 3']] }, 'pass'],
    ['a time that a call has used', { messages: [['Meet Anna tomorrow at 3', { calendar_add: 1 }]] }, 'refuse'],
    [
      'a time that a call after a later message has used',
      { messages: [['Another one'], ['Yes', { calendar_add: 1 }], ['Tomorrow at 3']] },
      'refuse',
    ],
    ['two times and one call', { messages: [['Tuesday at 3 and Thursday at 5', { calendar_add: 1 }]] }, 'pass'],
    ['two times and two calls', { messages: [['Tuesday at 3 and Thursday at 5', { calendar_add: 2 }]] }, 'refuse'],
    ['a new time after a call', { messages: [['Friday at 9'], ['Tomorrow at 3', { calendar_add: 1 }]] }, 'pass'],
    ['a time that a call of another tool has used', { messages: [['Tomorrow at 3', { reminder_create: 1 }]] }, 'pass'],
    ['no words of a user', { messages: [] }, 'ask'],
    ['a tool before which no gate stands', { messages: [['Meet Anna']], tool: 'todo_add' }, 'pass'],
    ['a pattern', { messages: [['Meet Anna']], layers: [layer(directorOf(['calendar_*']), 'director')] }, 'refuse'],
    [
      'a gate that only the newest version of the director has',
      {
        messages: [['Meet Anna']],
        layers: [layer(directorOf([]), 'director'), layer(directorOf(GATED), 'director', true)],
      },
      'refuse',
    ],
    [
      'an agent that works for the director',
      {
        messages: [['Meet Anna']],
        layers: [layer(directorOf(GATED), 'director'), layer({ id: 'helper' } as Agent, 'agent')],
      },
      'refuse',
    ],
    [
      'an agent that works for a person, and that a director with a gate names',
      {
        messages: [['Meet Anna']],
        layers: [layer({ id: 'helper' } as Agent, 'agent')],
        config: { directors: new Map([['desk', directorOf(GATED, ['helper'])]]) },
      },
      'refuse',
    ],
    [
      'an agent that works for a person, and that no director with a gate names',
      {
        messages: [['Meet Anna']],
        layers: [layer({ id: 'helper' } as Agent, 'agent')],
        config: { directors: new Map([['desk', directorOf(GATED, ['other'])]]) },
      },
      'pass',
    ],
  ])('%s', async (_name, given, decision) => {
    expect((await verdictOf(given)).decision).toBe(decision);
  });

  test('says what is missing, what to do, and which rule decides', async () => {
    expect(await verdictOf({ messages: [['Meet Anna']] })).toMatchObject({
      decision: 'refuse',
      code: 'TOOL_NEEDS_TIME',
      reason: expect.stringContaining('"calendar_add" needs a day or a time that the user has named'),
      hint: expect.stringContaining('ask the user'),
      rules: [{ kind: 'director', id: 'desk', list: 'guards', entry: 'calendar_add' }],
    });
  });

  test('reads no message older than the last call', async () => {
    let read = 0;
    async function* userWords(): AsyncIterable<UserMessage> {
      for (const calls of [0, 1, 0].map((calendar_add) => ({ calendar_add }))) {
        read++;
        yield { text: 'Meet Anna', calls };
      }
    }
    const context = { layers: [layer(directorOf(GATED), 'director')], userWords } as unknown as GuardContext;
    await needsTimeGuard.check({ tool: { name: 'calendar_add' } } as GuardedCall, context);

    expect(read).toBe(2);
  });
});

test('a message is read once for all tools that wait for a time', async () => {
  const text = 'Meet Anna and talk about the offer. '.repeat(400);
  async function* userWords(): AsyncIterable<UserMessage> {
    yield { text, calls: {} };
  }
  const ask = async (count: number) => {
    const tools = Array.from({ length: count }, (_, n) => `tool_${n}`);
    expect(await needsNamedTime(tools, { userWords })).toEqual(new Set(tools));
  };
  expect(await growthOfAsync(ask, { small: 2, large: 40 })).toBeLessThan(5);
});
