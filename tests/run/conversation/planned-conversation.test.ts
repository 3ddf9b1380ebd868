import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { createScripted } from '../../../engine/src/model/scripted/scripted.ts';
import { readThread } from '../../../engine/src/run/thread.ts';
import type { Play } from '../harness.ts';
import { openDesk, type Desk, type Reply } from '../../api/harness.ts';

const SWITCHED = 'id: switched\nname: Switched\nmode: plan\napiConfigId: main\nprivacy: { redact: [email] }\n';
const FILES = {
  'directors/switched.yaml': SWITCHED,
  'settings.yaml': 'memory: { window: 6 }\n',
  'directors/planner.yaml': 'id: planner\nname: Planner\nmode: plan\napiConfigId: main\nbudget: { maxIterations: 3 }\n',
  'directors/quiet.yaml':
    'id: quiet\nname: Quiet\nmode: plan\napiConfigId: main\nprivacy: { redact: [email, person] }\n',
};

const PLAN = JSON.stringify({
  ...{ language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [] },
  steps: [{ title: 'Look', task: 'Look it up', tool: 'none' }],
});

const dataOf = ({ messages }: ModelRequest) => messages.findLast(({ role }) => role === 'user')?.content ?? '';
const isPlanner = ({ messages }: ModelRequest) =>
  messages.some(({ role, content }) => role === 'system' && content?.includes('You are the planner'));
const isSummary = ({ purpose }: ModelRequest) => purpose === 'summary';

let desk: Desk;
let sent: ModelRequest[] = [];
/** What the summary answers. */
let summary: Play = () => ({ content: 'The summary.' });
/** What everybody else answers. */
let others: Play = (request) => ({ content: isPlanner(request) ? PLAN : 'Found it.' });

beforeAll(async () => {
  desk = await openDesk({
    files: FILES,
    play: (request) => {
      sent.push(request);
      return (isSummary(request) ? summary : others)(request);
    },
  });
});
afterAll(() => desk.close());
beforeEach(() => {
  sent = [];
  summary = () => ({ content: 'The summary.' });
  others = (request) => ({ content: isPlanner(request) ? PLAN : 'Found it.' });
});

type Started = Reply & { readonly conversationId: string };

async function start(message: string, more: object): Promise<Started> {
  const run = (await desk.post('/api/runs', { directorId: 'planner', message, ...more })).json as Started;
  expect(run.error).toBeUndefined();
  return run;
}

async function ask(message: string, more: object = {}) {
  const run = await start(message, more);
  return { ...run, ended: await desk.stage.ended(run.id) };
}

/** Asks `count` questions, each with its number; returns the last. */
async function talk(count: number, more: object = {}) {
  let last = await ask('question 1', more);
  for (let n = 2; n <= count; n++) last = await ask(`question ${n}`, { ...more, conversationId: last.conversationId });
  return last;
}

const threadOf = (id: string) => readThread(desk.stage.app.deps.store, id);

describe('a director that plans, in a long conversation,', () => {
  test('reads the newest messages, and a summary of what fell out of the window', async () => {
    summary = (request) => ({ content: `They asked ${(dataOf(request).match(/question \d+/g) ?? []).join(', ')}.` });
    const last = await talk(6);
    expect(last.ended).toMatchObject({ status: 'completed' });
    const lastRun = sent.slice(sent.findLastIndex(isSummary));
    expect(lastRun.map((request) => dataOf(request).includes('They asked question 1, question 2.'))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    const [, planner] = lastRun;
    const data = planner === undefined ? '' : dataOf(planner);
    expect(data.match(/(?<=User: )question \d/g)).toEqual(['question 3', 'question 4', 'question 5', 'question 6']);
    expect(data).toMatch(/<<EARLIER-\w+\nThey asked/);
  });

  test('is summarised in batches, from the last summary on, and a question costs no more than one before', async () => {
    const conversation = await talk(12);
    const requests = sent.filter(isSummary).map(dataOf);
    expect(requests.map((text) => text.match(/question \d+/g))).toEqual([
      ['question 1', 'question 2'],
      ['question 3', 'question 4'],
      ['question 5', 'question 6'],
      ['question 7', 'question 8'],
    ]);
    expect(requests.slice(1).every((text) => text.includes('Summary so far:\nThe summary.'))).toBe(true);
    const rows = await desk.stage.app.deps.store.count('message', [['thread', '=', conversation.ended.dirThreadId]]);
    expect(rows).toBeLessThan(14);
  });

  test('shows the summary in the trace, and it counts in the usage and costs no turn', async () => {
    const { id, ended } = await talk(6);
    expect(ended).toMatchObject({ status: 'completed', usage: { turns: 3, inputTokens: 40 } });
    const { text } = await desk.get(`/api/diagnostics?runId=${id}`);
    expect(text).toContain('"role":"summary"');
    expect((await threadOf(ended.dirThreadId))?.summary).toMatchObject({ text: 'The summary.' });
  });

  test('goes on without the messages when their summary fails, and the next summary covers them', async () => {
    summary = () => {
      throw new ModelError('MODEL_REFUSED', 'no');
    };
    const { ended, conversationId } = await talk(6);
    expect(ended).toMatchObject({ status: 'completed' });
    expect(dataOf(sent.findLast(isPlanner) as ModelRequest)).toContain('[4 messages after that are left out]');
    summary = () => ({ content: 'The summary.' });
    for (const n of [7, 8]) await ask(`question ${n}`, { conversationId });
    const request = dataOf(sent.findLast(isSummary) as ModelRequest);
    expect(request.match(/question \d/g)).toEqual(['question 1', 'question 2', 'question 3', 'question 4']);
  });

  test('is summarised earlier where few messages are large', async () => {
    const { conversationId } = await ask(`What is the price? ${'x'.repeat(50_000)}`);
    await ask(`And with tax? ${'x'.repeat(50_000)}`, { conversationId });
    sent = [];
    await ask('In dollars?', { conversationId });
    expect(sent.filter(isSummary)).toHaveLength(1);
    const data = dataOf(sent.find(isPlanner) as ModelRequest);
    expect(data).toContain('User: In dollars?');
    expect(data).not.toContain('What is the price?');
    expect(data.length).toBeLessThan(1000);
  });

  test('is summarised when its model cannot read it whole, and the planner is asked again', async () => {
    const { conversationId } = await ask(`question 1 ${'x'.repeat(2000)}`);
    others = (request) => {
      if (dataOf(request).length > 1500) throw new ModelError('MODEL_TOO_LONG', 'too long');
      return { content: isPlanner(request) ? PLAN : 'Found it.' };
    };
    expect((await ask('question 2', { conversationId })).ended).toMatchObject({ status: 'completed' });
    expect(sent.filter(isSummary)).toHaveLength(1);
    const alone = await ask('y'.repeat(2000));
    expect(alone.ended).toMatchObject({ status: 'failed', error: { code: 'MODEL_TOO_LONG' } });
  });

  test('is asked for its summary again when the process died meanwhile, and the summary is there once', async () => {
    const { conversationId } = await talk(5);
    let asked = 0;
    summary = ({ signal }) => {
      if (asked++ > 0) return { content: 'The late summary.' };
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const { id } = await start('question 6', { conversationId });
    await expect.poll(() => asked).toBe(1);
    await desk.restart('a-token-for-tests-after-restart');
    expect(await desk.stage.ended(id)).toMatchObject({ status: 'completed', summary: 'Found it.' });
    expect(asked).toBe(2);
    expect(dataOf(sent.findLast(isPlanner) as ModelRequest).match(/The late summary\./g)).toHaveLength(1);
  });

  test('gets a summary from a scripted model as well', async () => {
    const script = [
      { when: { text: 'Your step is' }, say: 'Found it.' },
      { when: { any: true as const }, say: PLAN },
    ];
    const head = { id: 'rules', description: '', enabled: true, fallback: [] };
    const rules = createScripted({ ...head, provider: 'scripted', locality: 'local', script });
    summary = others = async (request) => (await rules.ask(request)).message;
    const { ended } = await talk(6);
    expect(ended).toMatchObject({ status: 'completed' });
    expect((await threadOf(ended.dirThreadId))?.summary?.text).toContain('Scripted summary, without AI.');
  });

  test('never shows private values to the model that summarises, and the next run has the real ones', async () => {
    summary = () => ({ content: 'They wrote to <EMAIL_1>.' });
    const quiet = { directorId: 'quiet' };
    const { conversationId } = await ask('write to ada@example.org', quiet);
    for (let n = 2; n <= 6; n++) await ask(`question ${n}`, { ...quiet, conversationId });
    expect(sent.some(isSummary)).toBe(true);
    expect(JSON.stringify(sent)).not.toContain('ada@example.org');
    expect(dataOf(sent.findLast(isPlanner) as ModelRequest)).toContain('They wrote to <EMAIL_1>.');
    const { ended } = await ask('question 7', { ...quiet, conversationId });
    expect((await threadOf(ended.dirThreadId))?.summary?.text).toBe('They wrote to ada@example.org.');
  });

  test('keeps the newest summary, without private values, when its director stops planning and begins again', async () => {
    let n = 0;
    summary = () => ({ content: `Summary ${++n}: they wrote to <EMAIL_1>.` });
    const switched = { directorId: 'switched' };
    const { conversationId } = await ask('write to ada@example.org', switched);
    const asks = async (mode: string) => {
      desk.stage.write({ 'directors/switched.yaml': SWITCHED.replace('mode: plan', `mode: ${mode}`) });
      await desk.restart('a-token-for-tests-after-switching');
      for (let k = 1; k <= 6; k++) await ask(`${mode} question ${k}`, { ...switched, conversationId });
      const last = sent.filter((request) => !isSummary(request)).at(-1);
      return JSON.stringify(last?.messages);
    };
    for (const mode of ['orchestrate', 'plan', 'orchestrate', 'plan']) {
      expect(await asks(mode)).toContain(`Summary ${n}: they wrote to <EMAIL_1>.`);
      expect(n).toBeGreaterThan(0);
    }
    expect(JSON.stringify(sent)).not.toContain('ada@example.org');
  });
});
