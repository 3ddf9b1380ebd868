import { afterEach, describe, expect, test } from 'vitest';
import type { Chat } from '../../engine/src/chat/chat.ts';
import { readMessages } from '../../engine/src/chat/chat-rows.ts';
import type { GivenParticipant } from '../../engine/src/chat/participants.ts';
import { createRounds } from '../../engine/src/chat/rounds.ts';
import { readSummary } from '../../engine/src/chat/summary-rows.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import type { Message, Models } from '../../engine/src/model/model.ts';
import { recordOf, type Run } from '../../engine/src/run/run.ts';
import { readableStore } from '../../engine/src/store/readable-rows.ts';
import type { Change, Store } from '../../engine/src/store/store.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const JANE = { id: 'jane', name: 'Jane' };
const OTHER = 'id: other\nprovider: openai\nmodel: other\napiKey: ${env:KEY}\n';
const NEAR = 'id: near\nprovider: openai\nmodel: near\napiKey: ${env:KEY}\nlocality: local\n';
/** Three of these are more than the window of a prompt. */
const LONG = 'Word after word. '.repeat(1400);

/** The prompt without what only fills it. */
const promptOf = (messages: readonly Message[]) =>
  String(messages.at(-1)?.content).replaceAll(/(Word after word\.\s+){2,}/g, '… ');
const isSummary = (prompt: string) => prompt.startsWith('You write the summary');

/** Asked for summaries and for turns, in their order. */
interface Asked {
  readonly summaries: string[];
  /** Ids of the apis that were asked for summaries. */
  readonly apis: string[];
  readonly turns: string[];
}

interface Given {
  readonly summarise?: (nth: number) => string | Promise<string>;
  readonly files?: Readonly<Record<string, string>>;
  readonly participants?: readonly GivenParticipant[];
  readonly more?: Readonly<Record<string, string>>;
  /** Id of the api whose server does not answer. */
  readonly down?: string;
}

/** A chat with Ann, whose turns say "fine". */
async function open(given: Given = {}): Promise<{ chat: Chat; asked: Asked }> {
  const asked: Asked = { summaries: [], apis: [], turns: [] };
  const modelsOf = (api: string) =>
    playModels(async ({ messages, tools, maxTokens }) => {
      const prompt = promptOf(messages);
      if (!isSummary(prompt)) {
        asked.turns.push(prompt);
        return { content: 'fine' };
      }
      expect([tools, maxTokens]).toEqual([[], 1200]);
      asked.apis.push(api);
      return { content: (await given.summarise?.(asked.summaries.push(prompt))) ?? 'no summary' };
    });
  const open: Models['open'] = (api) => {
    const model = modelsOf(api.id).open(api);
    return api.id === given.down ? { ...model, available: async () => ({ ok: false, why: 'it is down' }) } : model;
  };
  stage = await setStage({ files: given.files ?? {}, models: { open, close: async () => {} } });
  stage.app.notices.start();
  const participants = given.participants ?? [{ displayName: 'Ann', apiConfigId: 'main' }];
  return { chat: await stage.app.chats.create({ title: 'Design', participants, ...given.more }, JANE), asked };
}

const poll = (read: () => Promise<unknown>) => expect.poll(read);
const summaryOf = (chat: Chat) => readSummary(stage.app.deps.store, chat.id);
const runs = async (): Promise<Run[]> => (await stage.app.deps.store.list('run')).map((row) => recordOf(row).run);

async function say(chat: Chat, text: string): Promise<void> {
  await stage.app.chats.say(chat.id, text, JANE);
  await poll(async () => (await stage.app.chats.view(chat.id)).round).toBeUndefined();
  await poll(async () => (await summaryOf(chat)).isOpen).toBe(false);
}

/** Says what fills the window, and what comes after it. */
async function talk(chat: Chat): Promise<void> {
  for (const point of ['The gateway costs 300 euros', 'Ships on Friday', 'Bob pays'])
    await say(chat, `${point}. ${LONG}`);
  await say(chat, '@ann go on');
  for (let n = 0; n < 2; n++) await say(chat, LONG);
  await say(chat, '@ann and now?');
}

describe('the summary of a long chat', () => {
  test('is written by a model before messages leave the window, and stands before those that are read word for word', async () => {
    const { chat, asked } = await open({ summarise: (nth) => `Summary ${nth}: the gateway costs 300 euros.` });
    await talk(chat);
    expect(asked.summaries[0]).toContain('Jane: The gateway costs 300 euros');
    expect(asked.turns[0]).not.toContain('Summary 1');
    const last = asked.turns.at(-1) ?? '';
    expect(last).toMatch(
      /\d earlier messages are left out\. Summary of the first \d messages:\n<<DATA-\w+\nSummary 1: the/,
    );
    expect(last).toContain('@ann and now?');
  });

  test('goes on from the one before it', async () => {
    const { chat, asked } = await open({ summarise: (nth) => `Summary ${nth}.` });
    await talk(chat);
    await say(chat, '@ann once more');
    expect(asked.summaries).toHaveLength(2);
    expect(asked.summaries[1]).toContain('Summary so far:\n  Summary 1.');
    expect(asked.summaries[1]).not.toContain('The gateway costs');
    expect((await summaryOf(chat)).record.text).toBe('Summary 2.');
  });

  test('is a run of its own, with its trace and costs, and no message of the chat', async () => {
    const { chat } = await open({ summarise: () => 'Short.' });
    await talk(chat);
    const [run] = (await runs()).filter(({ trigger }) => trigger.isSummary === true);
    expect(run).toMatchObject({
      ...{ status: 'completed', agentName: 'Summary', summary: 'Short.', startedBy: 'jane' },
      usage: { inputTokens: 10, outputTokens: 1 },
      trigger: { kind: 'chat', chatId: chat.id, title: 'Summary of Design' },
    });
    const messages = await readMessages(stage.app.deps.store, chat.id, { limit: 100 });
    expect(new Set(messages.map(({ authorDisplayName }) => authorDisplayName))).toEqual(new Set(['Jane', 'Ann']));
  });

  test('that fails leaves sentences of the messages, fails no turn and is asked for again with the next messages', async () => {
    const { chat, asked } = await open({
      summarise: (nth) => {
        if (nth === 1) throw new EngineError('MODEL_BAD_ANSWER', 'no words today');
        return 'Second attempt.';
      },
    });
    await talk(chat);
    expect(asked.turns[1]).toMatch(/earlier messages are left out\. Sentences from the last of them:\n<<DATA-/);
    expect(asked.turns[1]).not.toContain('Summary of the first');
    await say(chat, '@ann once more');
    expect(asked.turns[2]).toContain('Second attempt.');
    expect(asked.summaries[1]).toContain('Jane: The gateway costs 300 euros');
    const messages = await readMessages(stage.app.deps.store, chat.id, { limit: 100 });
    expect(messages.filter(({ meta }) => meta.error !== undefined)).toEqual([]);
  });

  test('is written by the API that the chat names', async () => {
    const { chat } = await open({
      files: { 'apis/other.yaml': OTHER },
      more: { summaryApiConfigId: 'other' },
      summarise: () => 'Short.',
    });
    await talk(chat);
    const written = (await runs()).filter(({ trigger }) => trigger.isSummary === true);
    expect(written.map(({ apis }) => apis.map(({ id }) => id))).toEqual(written.map(() => ['other']));
    expect(written.length).toBeGreaterThan(0);
  });

  test('is written by no API of another machine where all participants work on this one', async () => {
    const { chat } = await open({
      files: { 'apis/other.yaml': OTHER, 'apis/near.yaml': NEAR },
      participants: [{ displayName: 'Ann', apiConfigId: 'near' }],
      more: { summaryApiConfigId: 'other' },
      summarise: () => 'Short.',
    });
    await talk(chat);
    const written = (await runs()).filter(({ trigger }) => trigger.isSummary === true);
    expect(new Set(written.flatMap(({ apis }) => apis.map(({ id }) => id)))).toEqual(new Set(['near']));
  });

  test('is written by no fallback on another machine where the API of this one is not available', async () => {
    const { chat, asked } = await open({
      files: { 'apis/other.yaml': OTHER, 'apis/near.yaml': `${NEAR}fallback: [other]\n` },
      participants: [{ displayName: 'Ann', apiConfigId: 'near' }],
      summarise: () => 'Short.',
      down: 'near',
    });
    await talk(chat);
    const written = (await runs()).filter(({ trigger }) => trigger.isSummary === true);
    expect(written.map(({ error }) => error?.code)).toContain('MODEL_NONE_AVAILABLE');
    expect(asked.apis).toEqual([]);
  });

  test('is written on this machine where a participant of another one is gone', async () => {
    const { chat, asked } = await open({
      files: { 'apis/other.yaml': OTHER, 'apis/near.yaml': NEAR },
      participants: [
        { displayName: 'Ann', apiConfigId: 'near' },
        { displayName: 'Gone', agentId: 'helper' },
      ],
      more: { summaryApiConfigId: 'other' },
      summarise: () => 'Short.',
    });
    stage.write({ 'agents/helper.yaml': 'id: helper\nname: Helper\ndescription: Helps.\nenabled: false\n' });
    stage.write({ 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\n' });
    await stage.restart();
    stage.app.notices.start();
    await talk(chat);
    expect(new Set(asked.apis)).toEqual(new Set(['near']));
  });

  test('is not written outside where an agent may only work on this machine', async () => {
    const { chat, asked } = await open({
      files: {
        'apis/other.yaml': OTHER,
        'apis/near.yaml': NEAR,
        'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nfallback: [near]\n',
        'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\nlocality: local\n',
      },
      participants: [{ displayName: 'Ann', agentId: 'helper' }],
      more: { summaryApiConfigId: 'other' },
      summarise: () => 'Short.',
    });
    await talk(chat);
    expect([asked.turns.length, asked.apis]).toEqual([2, []]);
  });

  test('of a chat without a model is an extract', async () => {
    const script = 'id: rules\nprovider: scripted\nscript: [{ when: { any: true }, say: ok }]\n';
    const { chat } = await open({
      files: { 'apis/rules.yaml': script },
      participants: [{ displayName: 'Ann', apiConfigId: 'rules' }],
    });
    await talk(chat);
    expect((await runs()).filter(({ trigger }) => trigger.isSummary === true)).toEqual([]);
  });

  test('survives a stop of the process while it is written', async () => {
    let isBlocked = true;
    const { chat, asked } = await open({
      summarise: () => (isBlocked ? new Promise<never>(() => {}) : 'Written after the stop.'),
    });
    for (let n = 0; n < 3; n++) await say(chat, LONG);
    await stage.app.chats.say(chat.id, '@ann go on', JANE);
    await poll(async () => asked.summaries.length).toBe(1);
    isBlocked = false;
    await stage.restart();
    stage.app.notices.start();
    await poll(async () => (await summaryOf(chat)).record.text).toBe('Written after the stop.');
    expect((await runs()).filter(({ trigger }) => trigger.isSummary === true)).toHaveLength(1);
  });

  test('is deleted with the chat, and its runs with it', async () => {
    const { chat } = await open({ summarise: () => 'Short.' });
    await talk(chat);
    await stage.app.chats.remove(chat.id);
    expect([await runs(), await stage.app.deps.store.list('chatRound')]).toEqual([[], []]);
  });

  test('tells the pages that its runs are deleted', async () => {
    const { chat } = await open({ summarise: () => 'Short.' });
    await talk(chat);
    const [run] = (await runs()).filter(({ trigger }) => trigger.isSummary === true);
    const told: unknown[] = [];
    stage.app.deps.live.subscribe(({ name, data }) => name === 'run' && told.push(data));
    await stage.app.chats.remove(chat.id);
    expect(told).toContainEqual({ id: run?.id, deleted: true });
  });

  test('that is damaged is written anew, and stops neither a turn nor the deletion of the chat', async () => {
    const { chat, asked } = await open({ summarise: (nth) => `Summary ${nth}.` });
    await talk(chat);
    const { store } = stage.app.deps;
    const damage: Change = {
      ...{ op: 'update', table: 'chatRound', key: { id: `summary/${chat.id}` }, set: { body: '{' } },
    };
    await store.apply([damage]);
    await say(chat, '@ann once more');
    expect(asked.turns).toHaveLength(3);
    expect((await summaryOf(chat)).record.text).toBe('Summary 3.');
    await store.apply([damage]);
    await stage.app.chats.remove(chat.id);
    expect(await store.list('chatRound')).toEqual([]);
  });

  test('does not begin while all that works for the chat is cancelled', async () => {
    const { chat, asked } = await open({ summarise: () => new Promise<never>(() => {}) });
    for (let n = 0; n < 3; n++) await say(chat, LONG);
    const { deps, engine } = stage.app;
    const other = createRounds(
      { ...deps, baseDir: stage.root },
      { cancel: (id) => engine.cancel(id), queued: () => {} },
    );
    let isFirst = true;
    // Another process steps the chat as soon as this one has looked for a summary.
    const store: Store = {
      ...readableStore(deps.store, () => {}),
      async list(table, query) {
        const rows = await deps.store.list(table, query);
        if (JSON.stringify(query?.where ?? '').includes('summary/') && isFirst) {
          isFirst = false;
          await other.step(chat.id);
        }
        return rows;
      },
    };
    const rounds = createRounds({ ...deps, store, baseDir: stage.root }, engine);
    stage.app.notices.stop();
    await stage.app.chats.say(chat.id, '@ann go on', JANE);
    await rounds.cancel(chat.id);
    expect(isFirst).toBe(false);
    const left = (await runs()).filter(({ status }) => status !== 'cancelled' && status !== 'completed');
    expect([left, (await summaryOf(chat)).isOpen, asked.summaries]).toEqual([[], false, []]);
  });

  test('is cancelled with all that works for the chat', async () => {
    const { chat, asked } = await open({ summarise: () => new Promise<never>(() => {}) });
    for (let n = 0; n < 3; n++) await say(chat, LONG);
    await stage.app.chats.say(chat.id, '@ann go on', JANE);
    await poll(async () => asked.summaries.length).toBe(1);
    await stage.app.chats.cancel(chat.id);
    await poll(async () => (await summaryOf(chat)).isOpen).toBe(false);
    expect((await runs()).find(({ trigger }) => trigger.isSummary === true)?.status).toBe('cancelled');
  });
});
