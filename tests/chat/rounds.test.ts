import { afterEach, describe, expect, test } from 'vitest';
import { listSpend } from '../../engine/src/budget/spend.ts';
import type { Chat, ChatMessage } from '../../engine/src/chat/chat.ts';
import { readMessages } from '../../engine/src/chat/chat-rows.ts';
import type { GivenParticipant } from '../../engine/src/chat/participants.ts';
import { createRounds } from '../../engine/src/chat/rounds.ts';
import { deleteRun } from '../../engine/src/run/lifecycle/delete.ts';
import { nextTry, PATIENCE_MS } from '../next-try.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const JANE = { id: 'jane', name: 'Jane' };

/** What a participant says, by its name and the prompt of its turn. */
type Say = (name: string, prompt: string, turn: number) => string | Promise<string>;

const models = (say: Say) => {
  const turns = new Map<string, number>();
  return playModels(async ({ messages }) => {
    const prompt = String(messages.at(-1)?.content);
    const name = /^You are (.*) \(@/m.exec(prompt)?.[1] ?? '';
    const turn = (turns.get(name) ?? 0) + 1;
    turns.set(name, turn);
    return { content: await say(name, prompt, turn) };
  });
};

async function open(say: Say, names: readonly string[] = ['Ann', 'Bob', 'Cleo']): Promise<Chat> {
  stage = await setStage({ models: models(say) });
  stage.app.notices.start();
  const participants = names.map((displayName): GivenParticipant => ({
    displayName,
    apiConfigId: 'main',
    persona: `${displayName} thinks.`,
  }));
  return stage.app.chats.create({ title: 'Design', participants }, JANE);
}

const all = (chat: Chat) => readMessages(stage.app.deps.store, chat.id, { limit: 1000 });

/** The messages of a chat, once nobody speaks. */
async function settled(chat: Chat): Promise<ChatMessage[]> {
  for (let tries = 0, began = Date.now(); ; tries++) {
    const view = await stage.app.chats.view(chat.id);
    if (view.round === undefined) return all(chat);
    if (Date.now() - began > PATIENCE_MS) throw new Error(`still speaking: ${JSON.stringify(view.round)}`);
    await nextTry(tries);
  }
}

/** Resolves once somebody speaks as `status`. */
const speaking = (chat: Chat, status = 'running') =>
  expect
    .poll(async () => (await stage.app.chats.view(chat.id)).round?.participants.map((one) => one.status), {
      timeout: PATIENCE_MS,
    })
    .toContain(status);

const lines = (messages: readonly ChatMessage[]) =>
  messages.map(({ authorDisplayName, text }) => `${authorDisplayName}: ${text}`);

describe('rounds of a chat', () => {
  test('have all who are mentioned speak on one transcript, and append their messages together', async () => {
    const prompts: string[] = [];
    const chat = await open((name, prompt) => {
      prompts.push(prompt);
      return `${name} agrees`;
    });
    const message = await stage.app.chats.say(chat.id, 'What do @ann and @Bob think?', JANE);
    const messages = await settled(chat);
    expect(lines(messages)).toEqual(['Jane: What do @ann and @Bob think?', 'Ann: Ann agrees', 'Bob: Bob agrees']);
    expect(prompts.some((prompt) => prompt.includes('agrees'))).toBe(false);
    expect(messages[1]?.ts).toBe(messages[2]?.ts);
    expect(messages[1]?.meta).toMatchObject({
      ...{ trigger: 'mention', triggeredByMessageId: message.id, tagSessionIndex: 1, provider: 'openai' },
      runId: expect.stringMatching(/^run_/) as string,
    });
  });

  test('cost what is listed under the names of those who speak', async () => {
    const chat = await open((name) => `${name} agrees`);
    await stage.app.chats.say(chat.id, 'What do @ann and @Bob think?', JANE);
    await settled(chat);
    const { store } = stage.app.deps;
    const named = chat.participants.slice(0, 2).map(({ id, displayName }) => ({ agentId: id, agentName: displayName }));
    await expect
      .poll(async () => (await listSpend(store, '')).map(({ agentId, agentName }) => ({ agentId, agentName })), {
        timeout: 20_000,
      })
      .toEqual(expect.arrayContaining(named));
  });

  test('end where nobody is mentioned', async () => {
    const chat = await open(() => 'never');
    await stage.app.chats.say(chat.id, 'Nobody at all, jane@ann.example', JANE);
    expect(lines(await settled(chat))).toHaveLength(1);
  });

  test('end at the limit where two mention each other', async () => {
    const chat = await open((name) => (name === 'Ann' ? 'over to @bob' : 'over to @ann'));
    await stage.app.chats.say(chat.id, '@ann', JANE);
    const messages = await settled(chat);
    expect(messages.slice(1).map(({ authorDisplayName, meta }) => [authorDisplayName, meta.tagSessionIndex])).toEqual([
      ['Ann', 1],
      ['Bob', 2],
      ['Ann', 3],
    ]);
    expect(messages[3]?.meta.triggeredByMessageId).toBe(messages[2]?.id);
  });

  test('unite the mentions of a round, without those of the author itself', async () => {
    const chat = await open((name, _prompt, turn) => (turn === 1 && name !== 'Cleo' ? `@${name} and @cleo` : 'fine'));
    await stage.app.chats.say(chat.id, '@ann @bob', JANE);
    expect(lines(await settled(chat)).slice(3)).toEqual(['Cleo: fine']);
  });

  test('go on without one that fails, who leaves a line that mentions nobody', async () => {
    const chat = await open((name) => {
      if (name === 'Ann') throw new Error('no @cleo today');
      return 'I can';
    });
    await stage.app.chats.say(chat.id, '@ann @bob', JANE);
    const [, ann, bob, ...more] = await settled(chat);
    expect(ann).toMatchObject({ authorDisplayName: 'Ann', meta: { error: { code: expect.any(String) as string } } });
    expect(ann?.text).toMatch(/^Ann could not answer: /);
    expect([bob?.text, more]).toEqual(['I can', []]);
  });

  test('follow a turn that a person asked for, as many as any other', async () => {
    const chat = await open((name) => (name === 'Ann' ? 'ask @bob' : 'ask @ann'));
    const round = await stage.app.chats.speak(chat.id, chat.participants[0]?.id ?? '', JANE);
    expect(round).toMatch(/^rnd_/);
    const messages = await settled(chat);
    expect(messages.map(({ meta: { trigger, tagSessionIndex } }) => [trigger, tagSessionIndex])).toEqual([
      ['manual', undefined],
      ['mention', 1],
      ['mention', 2],
      ['mention', 3],
    ]);
  });

  test('take the name that a model puts before its message away', async () => {
    const chat = await open((name) => `**${name}**: hello`);
    await stage.app.chats.say(chat.id, '@ann', JANE);
    expect(lines(await settled(chat))[1]).toBe('Ann: hello');
  });

  test('of a message that comes meanwhile wait, and see what was said before', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const prompts: string[] = [];
    const chat = await open((name, prompt) => {
      if (name === 'Bob') prompts.push(prompt);
      return name === 'Ann' ? promise : 'seen';
    });
    await stage.app.chats.say(chat.id, '@ann', JANE);
    await speaking(chat);
    await stage.app.chats.say(chat.id, '@bob', JANE);
    expect(lines(await all(chat))).toEqual(['Jane: @ann', 'Jane: @bob']);
    resolve('here is my answer');
    expect(lines(await settled(chat))).toEqual(['Jane: @ann', 'Jane: @bob', 'Ann: here is my answer', 'Bob: seen']);
    expect(prompts).toEqual([expect.stringContaining('here is my answer')]);
  });

  test('go on without one that a person cancels', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const chat = await open((name) => (name === 'Ann' ? new Promise<string>(() => {}) : promise));
    await stage.app.chats.say(chat.id, '@ann @bob', JANE);
    await speaking(chat);
    await stage.app.chats.cancel(chat.id, chat.participants[0]?.id);
    resolve('still here, @cleo');
    const messages = await settled(chat);
    expect(lines(messages).slice(1)).toEqual([
      'Ann: Ann was cancelled.',
      'Bob: still here, @cleo',
      'Cleo: still here, @cleo',
    ]);
  });

  test('go on without one that a person cancels before it could begin', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const chat = await open((name) => (name === 'Ann' ? promise : 'fine'));
    await stage.app.chats.say(chat.id, '@ann', JANE);
    await stage.app.chats.say(chat.id, '@bob @cleo', JANE);
    await stage.app.chats.cancel(chat.id, chat.participants[1]?.id);
    resolve('first');
    const messages = await settled(chat);
    expect(lines(messages).slice(2)).toEqual(['Ann: first', 'Bob: Bob was cancelled.', 'Cleo: fine']);
  });

  test('show one that a person cancels before it could begin as cancelled', async () => {
    const [bob, cleo] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const chat = await open((name) => (name === 'Bob' ? bob.promise : cleo.promise));
    await stage.app.chats.say(chat.id, '@bob', JANE);
    await stage.app.chats.say(chat.id, '@ann @cleo', JANE);
    await stage.app.chats.cancel(chat.id, chat.participants[0]?.id);
    bob.resolve('first');
    await speaking(chat, 'cancelled');
    cleo.resolve('fine');
    expect(lines(await settled(chat)).slice(-2)).toEqual(['Ann: Ann was cancelled.', 'Cleo: fine']);
  });

  test('that a person cancels append what was said, and nothing follows', async () => {
    const chat = await open((name) => (name === 'Ann' ? new Promise<string>(() => {}) : 'ask @cleo'));
    await stage.app.chats.say(chat.id, '@ann @bob', JANE);
    await speaking(chat, 'done');
    await stage.app.chats.say(chat.id, '@cleo', JANE);
    const view = await stage.app.chats.cancel(chat.id);
    expect(view.round).toBeUndefined();
    expect(lines(await settled(chat)).slice(2)).toEqual(['Ann: Ann was cancelled.', 'Bob: ask @cleo']);
  });

  test('count a participant whose run somebody deleted as failed', async () => {
    const chat = await open((name) => (name === 'Ann' ? 'mine' : new Promise<string>(() => {})));
    await stage.app.chats.say(chat.id, '@ann @bob', JANE);
    await speaking(chat, 'done');
    const { round } = await stage.app.chats.view(chat.id);
    const [ann, bob] = round?.participants ?? [];
    await stage.app.deps.store.apply(await deleteRun(stage.app.deps.store, ann?.runId ?? ''));
    await stage.app.engine.cancel(bob?.runId ?? '');
    expect(lines(await settled(chat)).slice(1)).toEqual([
      'Ann: Ann could not answer: its run was deleted',
      'Bob: Bob was cancelled.',
    ]);
  });

  test('say why a participant cannot begin', async () => {
    const chat = await open(() => 'fine');
    const participants = chat.participants.map((one) =>
      one.displayName === 'Ann' ? { ...one, apiConfigId: 'gone' } : one,
    );
    const row = await stage.app.deps.store.get('chat', { id: chat.id });
    const body = JSON.stringify({ ...(JSON.parse(row?.body ?? '{}') as object), participants });
    await stage.app.deps.store.apply([{ op: 'update', table: 'chat', key: { id: chat.id }, set: { body } }]);
    await stage.app.chats.say(chat.id, '@ann @bob', JANE);
    expect(lines(await settled(chat)).slice(1)).toEqual([
      'Ann: Ann could not answer: there is no api "gone"',
      'Bob: fine',
    ]);
  });

  test('end with their chat', async () => {
    const chat = await open(() => new Promise<string>(() => {}));
    await stage.app.chats.say(chat.id, '@ann', JANE);
    await speaking(chat);
    await stage.app.chats.remove(chat.id);
    const { store } = stage.app.deps;
    expect(await store.list('chatRound')).toEqual([]);
    expect(await store.list('chatMessage')).toEqual([]);
    expect((await store.list('run')).filter(({ status }) => status !== 'cancelled')).toEqual([]);
  });

  test('are begun by nobody while their chat is deleted', async () => {
    const chat = await open((name) => `${name} agrees`);
    await stage.app.chats.say(chat.id, '@ann @bob', JANE);
    await settled(chat);
    const { live, store } = stage.app.deps;
    const said: Promise<unknown>[] = [];
    const REFUSED = expect.stringMatching(/^(CONFLICT|NOT_FOUND)$/) as string;
    // A first run is gone, the chat is not yet.
    const stop = live.subscribe(({ name, data }) => {
      if (name === 'run' && data['deleted'] === true)
        said.push(expect(stage.app.chats.say(chat.id, '@cleo', JANE)).rejects.toMatchObject({ code: REFUSED }));
    });
    await stage.app.chats.remove(chat.id).finally(stop);
    expect(said).toHaveLength(2);
    await Promise.all(said);
    expect([await store.count('chat'), await store.count('chatRound'), await store.count('run')]).toEqual([0, 0, 0]);
  });

  test('go on after a restart', async () => {
    const chat = await open((name) => (name === 'Ann' ? new Promise<string>(() => {}) : 'quick @cleo'));
    await stage.app.chats.say(chat.id, '@ann @bob', JANE);
    await speaking(chat, 'done');
    await stage.restart({ models: models((name) => `${name} is back`) });
    stage.app.notices.start();
    expect(lines(await settled(chat)).slice(1)).toEqual(['Ann: Ann is back', 'Bob: quick @cleo', 'Cleo: Cleo is back']);
  });

  test('append each message once, however many processes step them', async () => {
    const chat = await open((name) => `${name} says @bob`);
    const { deps, engine } = stage.app;
    const drivers = Array.from({ length: 4 }, () => createRounds({ ...deps, baseDir: stage.root }, engine));
    await stage.app.chats.say(chat.id, '@ann @cleo', JANE);
    for (let tries = 0; (await stage.app.chats.view(chat.id)).round !== undefined; tries++) {
      await Promise.all(drivers.map((driver) => driver.step(chat.id)));
      await nextTry(tries);
    }
    expect(lines(await all(chat)).slice(1)).toEqual([
      'Ann: Ann says @bob',
      'Cleo: Cleo says @bob',
      'Bob: Bob says @bob',
    ]);
  });
});
