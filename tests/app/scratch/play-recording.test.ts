import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import type { ModelAnswer, Models } from '../../../engine/src/model/model.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { recordingSource } from '../../../engine/src/app/scratch/recording-source.ts';
import { openScratch } from '../../../engine/src/app/scratch/open-scratch.ts';
import type { Json } from '../../../engine/src/base/json.ts';
import { shapeOf, timeless } from '../../../engine/src/replay/shape.ts';
import { recordRun } from '../../../engine/src/replay/read/recording.ts';
import type { Outcome, Recording } from '../../../engine/src/replay/replay.ts';
import type { Tool, WorldTool } from '../../../engine/src/tool/tool.ts';
import { call, type Play, setStage, type Stage } from '../../run/harness.ts';
import { sharedRecogniser, sharedThreads } from '../../run/shared-threads.ts';

let stage: Stage;
afterEach(() => stage.close());

/** Every look at it is a millisecond later, so that no two steps are at the same time; short pauses pass at once. */
function countingClock(): Clock {
  let now = 1_760_000_000_000;
  return {
    now: () => ++now,
    delay(fn, ms) {
      if (ms > 10_000) return () => {};
      const timer = setImmediate(() => {
        now += ms;
        fn();
      });
      return () => clearImmediate(timer);
    },
  };
}

const object = { type: 'object', properties: {}, additionalProperties: true };
let performed = 0;
const world = (name: string, effects: 'read' | 'write', run: WorldTool['run']): WorldTool => ({
  ...{ name, family: 'test', description: name, parameters: object, effects },
  repeat: effects === 'read' ? 'free' : 'key',
  run: (args, context) => (performed++, run(args, context)),
});
const turnsLater = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};
const MAIL_A = 'mail_01m0000000000000000000';
const MAIL_B = 'mail_01m1111111111111111111';
const TOOLS: Tool[] = [
  world('look', 'read', async ({ at }) => ({ seen: at, when: '2026-11-21T10:00:00.000Z' })),
  world('look_long', 'read', async () => (await turnsLater(20), { seen: 'far' })),
  world('look_words', 'read', async () => '"quoted"'),
  world('find', 'read', async () => ({ found: [MAIL_A, MAIL_B] })),
  world('fail', 'read', async () => {
    throw new EngineError('TOOL_FAILED', 'the far side is down', { hint: 'later' });
  }),
  world('send', 'write', async ({ to }) => ({ sent: to })),
];

type Answered = Partial<ModelAnswer['message']> & { stop?: ModelAnswer['stop'] };
type Answer = (request: Parameters<Play>[0], n: number) => Answered | Promise<Answered>;

/** Models that answer by who asks and for the how manieth time in the run. */
function models(answers: Record<string, Answer>): Models {
  const counts = new Map<string, number>();
  return {
    open: () => ({
      async ask(request) {
        const n = (counts.get(request.actorId) ?? 0) + 1;
        counts.set(request.actorId, n);
        const { stop, ...said } = (await answers[request.actorId]?.(request, n)) ?? { content: 'nothing to say' };
        const message = { role: 'assistant' as const, content: null, ...said };
        const usual = message.tool_calls === undefined ? 'stop' : 'tool_calls';
        return { message, stop: stop ?? usual, model: 'm', usage: { inputTokens: 7, outputTokens: 3 }, raw: '{}' };
      },
      available: async () => ({ ok: true }),
    }),
    close: async () => {},
  };
}

const calls = (...made: (readonly [string, unknown])[]) => ({
  tool_calls: made.map(([name, args], i) => call(`c${i}`, name, args)),
});
/** The director's answers by turn, the last one repeating. */
const says =
  (...list: Answered[]): Answer =>
  (_request, n) =>
    list[Math.min(n, list.length) - 1] ?? {};
const DONE = { content: 'Done.' };
const limited = (retryAfterMs?: number) =>
  new ModelError('MODEL_RATE_LIMIT', 'too many', {
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
const down = () => new ModelError('MODEL_UNAVAILABLE', 'down', { retryable: true });
const failing =
  (times: number, error: () => Error, then: Answer): Answer =>
  (request, n) => {
    if (n <= times) throw error();
    return then(request, n - times);
  };
const lastItem = ({ messages }: Parameters<Play>[0]) =>
  /item_[0-9a-z]+/.exec(JSON.stringify(messages.findLast(({ role }) => role === 'tool')))?.[0] ?? 'none';
const lastSession = ({ messages }: Parameters<Play>[0]) =>
  /th_[0-9a-z]+/.exec(JSON.stringify(messages.findLast(({ role }) => role === 'tool')))?.[0] ?? 'none';

const API = (id: string) =>
  `id: ${id}\nprovider: openai\nmodel: test\napiKey: \${env:KEY}\nretry: { attempts: 3, backoffSeconds: 1 }\n`;
const DIRECTOR =
  'id: boss\nname: Boss\napiConfigId: main\nagents: [helper, second]\ntools: [workspace, memory, test, ask_user]\n';
const MAY = 'permissions: { allow: ["*"] }\n';
const ASKS = 'permissions: { allow: ["look*"], ask: [send, workspace_add_item, agent__second] }\n';

interface Case {
  readonly name: string;
  readonly boss: Answer;
  readonly helper?: Answer;
  readonly second?: Answer;
  readonly more?: string;
  readonly agent?: string;
  /** More of the api. */
  readonly fallback?: string;
  readonly status?: string;
  /** The answer to its question. */
  readonly answer?: string;
  readonly decide?: readonly { decision: 'allow' | 'deny'; arguments?: unknown; reason?: string }[];
}

const CASES: readonly Case[] = [
  { name: 'a word', boss: says(DONE) },
  { name: 'an item', boss: says(calls(['workspace_add_item', { label: 'a', data: 'x' }]), DONE) },
  {
    name: 'an item that is named by the id that it was given',
    boss: (request, n) =>
      [
        calls(['workspace_add_item', { label: 'a', data: 'x' }]),
        calls(['workspace_update_item', { id: lastItem(request), patch: { data: 'y' }, expectedRevision: 1 }]),
        calls(['workspace_get_item', { id: lastItem(request) }], ['workspace_list_items', {}]),
        calls(['workspace_remove_item', { id: lastItem(request) }]),
      ][n - 1] ?? { content: `Removed ${lastItem(request)}.` },
  },
  {
    name: 'mistakes: no such tool, no JSON, wrong arguments',
    boss: says(calls(['nope', {}], ['look', '{"at":'], ['workspace_get_item', { id: 7 }]), DONE),
  },
  {
    name: 'what was remembered, though it is known by now',
    boss: says(
      calls(['memory_add', { content: 'tea' }], ['memory_search', { query: 'tea' }]),
      calls(['look', {}]),
      DONE,
    ),
  },
  {
    name: 'discovery',
    boss: says(calls(['list_agents', {}], ['list_tools', {}], ['describe_tool', { name: 'look' }]), DONE),
  },
  {
    name: 'reads and writes of the world',
    boss: says(calls(['look', { at: 1 }], ['send', { to: 'a' }]), DONE),
    more: MAY,
  },
  {
    name: 'ids that a read brings in, again and again, after others',
    boss: says(
      calls(['workspace_add_item', { label: 'a', data: 'x' }]),
      calls(['find', {}]),
      calls(['look', { at: MAIL_B }], ['find', {}]),
      calls(['look', { at: MAIL_A }]),
      { content: `Read ${MAIL_B} and ${MAIL_A}.` },
    ),
  },
  { name: 'two reads, the first of which comes last', boss: says(calls(['look_long', {}], ['look', { at: 2 }]), DONE) },
  { name: 'results in words', boss: says(calls(['look_words', {}]), DONE) },
  { name: 'a tool that fails', boss: says(calls(['fail', {}]), DONE) },
  {
    name: 'an id that the model gives to each of its calls',
    boss: says(calls(['look', { at: 1 }]), calls(['look', { at: 2 }]), DONE),
  },
  { name: 'an agent', boss: says(calls(['agent__helper', { input: 'hi' }]), DONE), helper: says({ content: 'hello' }) },
  {
    name: 'a session that is gone on with',
    boss: (request, n) =>
      [
        calls(['agent__helper', { input: 'one' }]),
        calls(['agent__helper', { input: 'two', sessionId: lastSession(request) }]),
        calls(['agent__helper', { input: 'three' }]),
      ][n - 1] ?? DONE,
    helper: (_request, n) => ({ content: `answer ${n}` }),
  },
  {
    name: 'two agents at once, the first of which is slow',
    boss: says(calls(['agent__helper', { input: 'slow' }], ['agent__second', { input: 'fast' }]), DONE),
    helper: async () => (await turnsLater(30), { content: 'at last' }),
    second: says(calls(['workspace_add_item', { data: 'by second' }]), { content: 'quick' }),
  },
  {
    name: 'two questions to one agent at once',
    boss: says(calls(['agent__helper', { input: 'one' }], ['agent__helper', { input: 'two' }]), DONE),
    helper: (request, n) => ({ content: `${n} after ${request.messages.length}` }),
  },
  {
    name: 'an agent with tools that makes mistakes',
    boss: says(calls(['agent__helper', { input: 'work' }]), DONE),
    helper: says(calls(['look', { at: 3 }], ['nope', {}]), calls(['look_long', {}]), { content: 'worked' }),
  },
  { name: 'failures that pass', boss: failing(2, down, says(calls(['look', { at: 1 }]), DONE)) },
  { name: 'a rate limit with a time to wait', boss: failing(1, () => limited(2000), says(DONE)) },
  { name: 'failures that stay', boss: failing(9, down, says(DONE)), status: 'failed' },
  {
    name: 'an error that cannot pass',
    boss: () => {
      throw new ModelError('MODEL_AUTH', 'the key is wrong', { hint: 'set it' });
    },
    status: 'failed',
  },
  {
    name: 'an agent whose model fails',
    boss: says(calls(['agent__helper', { input: 'x' }]), DONE),
    helper: failing(9, down, says(DONE)),
  },
  {
    name: 'answers that were cut, and refused',
    boss: says({ content: 'Half', stop: 'length' }, { content: null, refusal: 'No.', stop: 'refusal' }, DONE),
  },
  { name: 'nothing but refusals', boss: says({ content: null, refusal: 'No.', stop: 'refusal' }), status: 'failed' },
  {
    name: 'no turns left',
    boss: says(calls(['look', { at: 1 }])),
    more: 'budget: { maxIterations: 3 }\n',
    status: 'failed',
  },
  {
    name: 'an agent that has no turns left',
    boss: says(calls(['agent__helper', { input: 'x' }]), DONE),
    helper: says(calls(['look', { at: 1 }])),
    agent: 'budget: { maxIterations: 2 }\n',
  },
  {
    name: 'a call that was allowed',
    boss: says(calls(['send', { to: 'a' }]), DONE),
    more: ASKS,
    decide: [{ decision: 'allow' }],
  },
  {
    name: 'a call that was allowed with other arguments',
    boss: says(calls(['send', { to: 'a' }], ['look', { at: 1 }]), DONE),
    more: ASKS,
    decide: [{ decision: 'allow', arguments: { to: 'b' } }],
  },
  {
    name: 'calls that were denied and allowed, of an agent too',
    boss: says(calls(['workspace_add_item', { data: 'x' }]), calls(['agent__second', { input: 'go' }]), DONE),
    second: says(calls(['send', { to: 'c' }]), { content: 'sent' }),
    more: ASKS,
    decide: [{ decision: 'deny', reason: 'not now' }, { decision: 'allow' }, { decision: 'allow' }],
  },
  {
    name: 'a question that a person answered',
    boss: says(calls(['ask_user', { question: 'Which day?' }]), DONE),
    answer: 'Monday',
  },
  {
    name: 'an api that took over from another one',
    boss: failing(3, down, says(calls(['look', { at: 1 }]), DONE)),
    fallback: 'fallback: { to: [spare] }\n',
  },
];

/** Answers what is asked, in order, until the run is over. */
async function drive(id: string, decisions: NonNullable<Case['decide']>): Promise<void> {
  for (const decision of decisions) {
    await stage.until(id, ({ status }) => status === 'waiting' || status === 'failed' || status === 'completed');
    const [row] = await stage.app.deps.store.list('approval', {
      where: [
        ['run', '=', id],
        ['status', '=', 'pending'],
      ],
      order: [['id', 'asc']],
    });
    if (row !== undefined) await stage.app.engine.decide(row.id, { ...decision, by: 'jane' });
    await stage.until(id, ({ waitingFor }) => waitingFor !== 'approval').catch(() => {});
  }
  await stage.ended(id);
}

async function record({
  boss,
  helper,
  second,
  more = '',
  agent = '',
  fallback = '',
  answer,
  decide = [],
}: Case): Promise<Recording> {
  stage = await setStage({
    models: models({ boss, ...(helper && { helper }), ...(second && { second }) }),
    tools: TOOLS,
    clock: countingClock(),
    files: {
      'directors/boss.yaml': DIRECTOR + (more === '' ? MAY : more.includes('permissions') ? more : more + MAY),
      'agents/helper.yaml': `id: helper\nname: Helper\ntools: [workspace, test]\n${MAY}${agent}`,
      'apis/main.yaml': `${API('main')}${fallback}`,
      'apis/spare.yaml': API('spare'),
      'agents/second.yaml': `id: second\nname: Second\ntools: [workspace, test]\n${MAY}`,
    },
  });
  const id = await stage.begin();
  if (answer !== undefined) {
    await stage.until(id, ({ waitingFor }) => waitingFor === 'answer');
    await stage.app.engine.message(id, { text: answer, by: 'jane' });
  }
  await drive(id, decide);
  return recordRun(source(), id);
}

const source = () => recordingSource(stage.app);

const scratch = (files: Readonly<Record<string, string>> = {}) => {
  stage.write(files);
  return openScratch({
    configDir: join(stage.root, 'config'),
    env: () => 'sk-test-key',
    threads: sharedThreads,
    recogniser: sharedRecogniser,
    tools: TOOLS,
  });
};

/** A recorded run, played once under the config as it is now, or as these files change it. */
async function replay(recording: Recording, files?: Readonly<Record<string, string>>): Promise<Outcome> {
  const engine = await scratch(files);
  try {
    return (await engine.play(recording)).outcome;
  } finally {
    await engine.close();
  }
}

describe('a finished run, played again from what is stored', () => {
  test.each(CASES)('does the same, and nothing outside: $name', async (played) => {
    const recording = await record(played);
    const [expected] = recording.expected?.runs ?? [];
    expect(expected?.status).toBe(played.status ?? 'completed');
    performed = 0;
    const { runs, misses } = await replay(recording);
    expect(misses.map(({ why }) => why)).toEqual([]);
    expect(timeless(shapeOf(jsonOf(runs)).value)).toEqual(timeless(shapeOf(jsonOf([expected])).value));
    expect(performed).toBe(0);
  });

  test('misses a request that it has not recorded, and says what differs', async () => {
    const recording = await record(CASES[1]!);
    const changed = {
      ...recording,
      stimulus: { kind: 'message', directorId: 'boss', message: 'do something else' },
    } as const;
    const { runs, misses } = await replay(changed);
    expect(runs).toMatchObject([{ status: 'failed', error: { code: 'CONFLICT' } }]);
    expect(misses).toMatchObject([{ kind: 'model', agentId: '', name: 'openai test' }]);
    expect(misses[0]?.why).toMatch(/message 2 \(user\): recorded .*do it.*, now .*do something else/);
  });
});

function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
