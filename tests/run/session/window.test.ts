import { afterEach, describe, expect, test } from 'vitest';
import type { Message, ModelRequest } from '../../../engine/src/model/model.ts';
import { openSession } from '../../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../../engine/src/run/session/take-message.ts';
import { readThread } from '../../../engine/src/run/thread.ts';
import type { Run } from '../../../engine/src/run/run.ts';
import { listEvents } from '../../../engine/src/trace/provider-events.ts';
import { call, type Play, playModels, setStage, type Stage, transcriptFaults } from '../harness.ts';

const HELPER = 'id: helper\nname: Helper\napiConfigId: main\n';
const WINDOW = 'memory: { window: 4 }\n';

let stage: Stage;
let sent: ModelRequest[] = [];
afterEach(async () => {
  sent = [];
  await stage.close();
});

/** A session with an agent whose model `play` plays. */
async function open(play: Play, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const models = playModels((request) => {
    sent.push(request);
    return play(request);
  });
  stage = await setStage({ models, files: { 'agents/helper.yaml': HELPER, 'settings.yaml': WINDOW, ...files } });
  return (await openSession(stage.app.deps, 'helper', 'jane')).id;
}

async function say(id: string, content: string): Promise<string> {
  const run = await acceptMessage(stage.app.deps, id, { content, by: 'jane' });
  stage.app.engine.queued();
  return run.id;
}
const ask = async (id: string, content: string): Promise<Run> => stage.ended(await say(id, content));
const summaryOf = async (id: string) => (await readThread(stage.app.deps.store, id))?.summary;

/** Answers with a number; a summary repeats what it is made from. */
const counting: Play = ({ purpose, messages }) =>
  purpose === 'summary'
    ? { content: `summary of {${messages[1]?.content ?? ''}}` }
    : { content: `answer ${sent.length}` };

const turns = () => sent.filter(({ purpose }) => purpose === undefined);
const summaries = () => sent.filter(({ purpose }) => purpose === 'summary');
const textOf = (messages: readonly Message[]) => messages.map(({ role, content }) => `${role}: ${content}`).join('\n');

describe('a long session', () => {
  test('sends system messages, a summary and the recent messages; the transcript stays whole', async () => {
    const id = await open(counting);
    for (let n = 1; n <= 8; n++) expect((await ask(id, `question ${n}`)).status).toBe('completed');
    const last = turns().at(-1)?.messages ?? [];
    expect(last[0]).toMatchObject({ role: 'system' });
    expect(last[1]).toMatchObject({ role: 'user', content: expect.stringContaining('Summary of the earlier part') });
    expect(last[1]?.content).toContain('question 1');
    expect(last.at(-1)).toEqual({ role: 'user', content: 'question 8' });
    // The window, half a window that waits for the next summary, system message and summary.
    expect(last.length).toBeLessThanOrEqual(4 + 2 + 2);
    expect(textOf(last.slice(2))).not.toContain('question 1');
    expect(transcriptFaults(last, false)).toEqual([]);
    const stored = await stage.messages(id);
    expect(textOf(stored)).toContain('user: question 1\n');
    expect(stored.filter(({ role }) => role === 'user')).toHaveLength(8);
    expect(textOf(stored)).not.toContain('Summary');
  });

  test('is summarised in batches, and each summary builds on the last one', async () => {
    const id = await open(counting);
    for (let n = 1; n <= 8; n++) await ask(id, `question ${n}`);
    expect(summaries().length).toBeGreaterThan(1);
    expect(summaries().length).toBeLessThan(8);
    const [first, second] = summaries().map(({ messages }) => messages[1]?.content ?? '');
    expect(first).toContain('user: question 1');
    expect(second).toContain('Summary so far:');
    expect(second?.split('Summary so far:')[0]).not.toContain('question');
    expect(second?.match(/user: question 1\b/g)).toHaveLength(1);
    expect(await summaryOf(id)).toMatchObject({
      upTo: expect.any(Number),
      text: expect.stringContaining('summary'),
    });
  });

  test('keeps the work on the newest message whole, and each call beside its result', async () => {
    const id = await open(({ purpose, turn, messages }) => {
      if (purpose === 'summary') return { content: 'before' };
      const isWork = messages.some(({ content }) => content === 'work');
      return isWork && turn <= 6
        ? { tool_calls: [call(`c${turn}`, 'workspace_list_items', {})] }
        : { content: 'Done.' };
    });
    for (let n = 1; n <= 4; n++) await ask(id, `question ${n}`);
    expect((await ask(id, 'work')).status).toBe('completed');
    const last = turns().at(-1)?.messages ?? [];
    expect(last.findIndex(({ content }) => content === 'work')).toBeGreaterThan(0);
    expect(last.filter(({ role }) => role === 'tool')).toHaveLength(6);
    for (const { messages } of turns()) expect(transcriptFaults(messages, false)).toEqual([]);
  });

  test('goes on without a summary that fails, and the next one covers what it missed', async () => {
    let fails = true;
    const id = await open(({ purpose, messages }) => {
      if (purpose !== 'summary') return { content: 'ok' };
      if (fails) throw new Error('no summary today');
      return { content: `made from ${messages[1]?.content ?? ''}` };
    });
    for (let n = 1; n <= 4; n++) expect((await ask(id, `question ${n}`)).status).toBe('completed');
    expect(await summaryOf(id)).toMatchObject({ text: '', textUpTo: 0 });
    expect(turns().at(-1)?.messages[1]?.content).toMatch(/\[\d+ messages after that are left out\]/);
    fails = false;
    for (let n = 5; n <= 8; n++) await ask(id, `question ${n}`);
    expect((await summaryOf(id))?.text).toContain('user: question 1');
  });

  test('asks for a summary again whose process has died, and keeps one', async () => {
    let asked = 0;
    const id = await open(({ purpose, signal }) => {
      if (purpose !== 'summary') return { content: 'ok' };
      if (asked++ > 0) return { content: 'the summary' };
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    let n = 1;
    for (; asked === 0; n++) {
      const runId = await say(id, `question ${n}`);
      await expect.poll(async () => asked > 0 || (await stage.run(runId)).status === 'completed').toBe(true);
      if (asked === 0) continue;
      await stage.restart();
      expect(await stage.ended(runId)).toMatchObject({ status: 'completed' });
    }
    expect(asked).toBe(2);
    expect((await summaryOf(id))?.text).toBe('the summary');
    const stored = await stage.messages(id);
    expect(stored.filter(({ role }) => role === 'assistant')).toHaveLength(n - 1);
  });

  test('is traced as it was sent, and a summary costs tokens but no turn', async () => {
    const id = await open(counting, { 'agents/helper.yaml': `${HELPER}budget: { maxIterations: 1 }\n` });
    const runs: Run[] = [];
    for (let n = 1; n <= 4; n++) runs.push(await ask(id, `question ${n}`));
    expect(runs.every(({ status }) => status === 'completed')).toBe(true);
    expect(runs.map(({ usage }) => usage.turns)).toEqual([1, 1, 1, 1]);
    const events = await listEvents(stage.app.deps.store, id);
    const requests = events.filter(({ kind }) => kind === 'request').map(({ payload }) => payload);
    expect(requests).toEqual(
      sent.map(({ messages, tools }) => ({
        model: expect.any(String),
        messages,
        tools: tools.length > 0 ? tools : [],
      })),
    );
  });
});

test('the thread of a director is sent whole, however long it is', async () => {
  const models = playModels((request) => {
    sent.push(request);
    return request.turn <= 10 && request.role === 'director'
      ? { tool_calls: [call(`c${request.turn}`, 'workspace_list_items', {})] }
      : { content: 'Done.' };
  });
  stage = await setStage({ models, files: { 'settings.yaml': WINDOW } });
  const id = await stage.begin();
  expect((await stage.ended(id)).status).toBe('completed');
  expect(summaries()).toEqual([]);
  expect(
    turns()
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool'),
  ).toHaveLength(10);
});
