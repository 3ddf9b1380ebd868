import { afterEach, expect, test } from 'vitest';
import type { ChatMessage } from '../../engine/src/chat/chat.ts';
import { readMessages } from '../../engine/src/chat/chat-rows.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import type { Entity } from '../../engine/src/guard/placeholder/entity-map.ts';
import type { PrivateKind } from '../../engine/src/guard/privacy/private-span.ts';
import type { Recogniser } from '../../engine/src/guard/privacy/recogniser.ts';
import type { ModelRequest } from '../../engine/src/model/model.ts';
import { deleteRun } from '../../engine/src/run/lifecycle/delete.ts';
import { startTurn } from '../../engine/src/run/session/chat-turn.ts';
import { call, type Play, playModels, setStage, type Stage } from '../run/harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const JANE = { id: 'jane', name: 'Jane' };

const VALUES: readonly (readonly [PrivateKind, RegExp])[] = [
  ['person', /(?:Karthik|Zoe|Priya|Lena)(?: Rao)?|Worker[A-Z]/g],
  ['email', /[a-z]+@[a-z]+\.org/g],
];

/** Finds what the tests write, once `count` texts of prompts have come: so participants find their values at the same time. */
function recogniserFor(count = 1): Recogniser {
  let open = () => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  let prompts = 0;
  return {
    async recognise(text, { kinds }) {
      if (text.includes('# Transcript') && ++prompts >= count) open();
      await all;
      return VALUES.flatMap(([kind, pattern]) =>
        kinds?.includes(kind) === false
          ? []
          : [...text.matchAll(pattern)].map(({ 0: value, index }) => ({
              ...{ start: index, end: index + value.length, kind, text: value },
            })),
      );
    },
    close: async () => {},
  };
}

/** What each participant was sent, newest last. */
type Sent = Record<string, string[]>;

interface Talk {
  readonly id: string;
  readonly sent: Sent;
  say(text: string): Promise<readonly ChatMessage[]>;
}

/** An agent of the config; `more`: further lines of its document. */
interface Speaker {
  readonly prompt?: string;
  readonly privacy?: string;
  readonly persona?: string;
  readonly more?: string;
}

/** A chat of agents of the config, by name. */
async function talk(
  agents: Readonly<Record<string, Speaker>>,
  play: (name: string, text: string, request: ModelRequest) => ReturnType<Play>,
  recogniser = recogniserFor(),
): Promise<Talk> {
  const sent: Sent = {};
  const files = Object.entries(agents).map(([name, { prompt = '', privacy, more = '' }]) => {
    const rules = (privacy === undefined ? '' : `privacy: ${privacy}\n`) + more;
    const id = name.toLowerCase();
    return [
      `agents/${id}.yaml`,
      `id: ${id}\nname: ${name}\napiConfigId: main\nimprint: I am ${name}. ${prompt}\n${rules}`,
    ];
  });
  stage = await setStage({
    files: { ...Object.fromEntries(files), 'settings.yaml': 'runs: { concurrency: 20 }\nmemory: { window: 4 }\n' },
    recogniser,
    models: playModels((request) => {
      const text = JSON.stringify(request);
      const [, name = ''] = /I am (\w+)\./.exec(text) ?? [];
      (sent[name] ??= []).push(text);
      return play(name, text, request);
    }),
  });
  stage.app.notices.start();
  const { chats, deps } = stage.app;
  const participants = Object.entries(agents).map(([displayName, { persona = '' }]) => ({
    ...{ displayName, agentId: displayName.toLowerCase(), persona },
  }));
  const { id } = await chats.create({ title: 'Desk', participants }, JANE);
  const say = async (text: string) => {
    await chats.say(id, text, JANE);
    await expect.poll(async () => (await chats.view(id)).round, { timeout: 60_000 }).toBeUndefined();
    return readMessages(deps.store, id, { limit: 100 });
  };
  return { id, sent, say };
}

/** The values of a chat by their placeholders. */
async function valuesOf(chat: string): Promise<Record<string, string>> {
  const rows = await stage.app.deps.store.list('entity', { order: [['seq', 'asc']] });
  expect(rows.filter(({ conversation }) => conversation !== chat)).toEqual([]);
  const entities = rows.map(({ body }) => JSON.parse(body) as Entity);
  return Object.fromEntries(entities.map(({ kind, number, value }) => [`<${kind.toUpperCase()}_${number}>`, value]));
}

const saidBy = (messages: readonly ChatMessage[], name: string) =>
  messages.findLast(({ authorDisplayName }) => authorDisplayName === name)?.text;
const after = (words: string, text = '') => new RegExp(`${words} (<[A-Z]+_\\d+>|\\w+)`).exec(text)?.[1];
const last = (sent: Sent, name: string) => sent[name]?.at(-1) ?? '';

const PERSONS = '{ redact: [person] }';
const HELPERS = {
  Ann: { privacy: PERSONS, prompt: 'My boss is Priya.', persona: 'Works for Karthik.' },
  Bob: { privacy: PERSONS, prompt: 'My boss is Lena.', persona: 'Works for Zoe.' },
};
/** Tells whom the participant works for, as its model sees it. */
const tells = (_name: string, text: string) => ({
  content: `I work for ${after('persona: Works for', text) ?? after('Works for', text)}, and my boss is ${after('My boss is', text)}.`,
});

test('participants that speak at the same time give one person one placeholder, and two persons two', async () => {
  const { id, sent, say } = await talk(HELPERS, tells, recogniserFor(2));
  const messages = await say('@ann and @bob, what about Karthik Rao?');
  expect(saidBy(messages, 'Ann')).toBe('I work for Karthik Rao, and my boss is Priya.');
  expect(saidBy(messages, 'Bob')).toBe('I work for Zoe, and my boss is Lena.');
  const values = await valuesOf(id);
  expect(Object.values(values).toSorted()).toEqual(['Karthik Rao', 'Lena', 'Priya', 'Zoe']);
  expect(Object.keys(values).toSorted()).toEqual(['<PERSON_1>', '<PERSON_2>', '<PERSON_3>', '<PERSON_4>']);
  expect(values[after('what about', last(sent, 'Ann')) ?? '']).toBe('Karthik Rao');
  expect(after('what about', last(sent, 'Bob'))).toBe(after('what about', last(sent, 'Ann')));
  expect(JSON.stringify(sent)).not.toMatch(/Karthik|Rao|Zoe|Priya|Lena/);
});

test('later turns see the placeholders of earlier ones, also after a restart', async () => {
  const { sent, say, id } = await talk(HELPERS, tells, recogniserFor(2));
  await say('@ann and @bob, hello');
  const before = await valuesOf(id);
  const [ann, bob] = [last(sent, 'Ann'), last(sent, 'Bob')];
  await stage.restart({ recogniser: recogniserFor() });
  stage.app.notices.start();
  const { chats } = stage.app;
  await chats.say(id, '@ann what of Zoe and Priya?', JANE);
  await expect.poll(async () => (await chats.view(id)).round, { timeout: 60_000 }).toBeUndefined();
  const again = last(sent, 'Ann');
  expect(again).not.toBe(ann);
  expect(after('My boss is', again)).toBe(after('My boss is', ann));
  expect(after('what of', again)).toBe(after('Works for', bob));
  expect(await valuesOf(id)).toEqual(before);
});

test('twenty participants with a person of their own each can begin at the same moment', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `P${String.fromCharCode(65 + n)}`);
  const agents = Object.fromEntries(
    names.map((name) => [name, { privacy: PERSONS, prompt: `My boss is Worker${name.at(-1)}.` }]),
  );
  const reply = (_name: string, text: string) => ({ content: `my boss is ${after('My boss is', text)}` });
  const { id, say } = await talk(agents, reply, recogniserFor(20));
  const messages = await say(names.map((name) => `@${name}`).join(' '));
  for (const name of names) expect(saidBy(messages, name)).toBe(`my boss is Worker${name.at(-1)}`);
  expect(Object.values(await valuesOf(id)).toSorted()).toEqual(names.map((name) => `Worker${name.at(-1)}`));
});

test('each agent has only those kinds replaced that its own rules name', async () => {
  const agents = { Ann: { privacy: PERSONS }, Bob: { privacy: '{ redact: [email] }' } };
  const { sent, say } = await talk(agents, () => ({ content: 'ok' }));
  for (const text of ['@ann and @bob: Karthik is at k@x.org', '@ann and @bob: k@x.org is of Karthik']) await say(text);
  expect(sent['Ann']?.[1]).toContain('<PERSON_1> is at k@x.org');
  expect(sent['Ann']?.[1]).toContain('k@x.org is of <PERSON_1>');
  expect(sent['Bob']?.[1]).toContain('Karthik is at <EMAIL_1>');
  expect(sent['Bob']?.[1]).toContain('<EMAIL_1> is of Karthik');
  expect(JSON.stringify(sent['Ann'])).not.toContain('Karthik');
  expect(JSON.stringify(sent['Bob'])).not.toContain('k@x.org');
});

test('the words of an agent without privacy get the placeholders of the chat', async () => {
  const replies: Record<string, string> = { Ann: '<PERSON_1> it is. @cy?', Cy: 'I met Karthik and <PERSON_1>. @ann' };
  const { sent, say } = await talk({ Ann: { privacy: PERSONS }, Cy: {} }, (name) => ({ content: replies[name] ?? '' }));
  const messages = await say('@ann who is Karthik?');
  expect(last(sent, 'Cy')).toContain('who is Karthik?');
  expect(last(sent, 'Cy')).toContain('Karthik it is.');
  expect(saidBy(messages, 'Cy')).toBe('I met Karthik and <PERSON_1>. @ann');
  expect(sent['Ann']?.[1]).toContain('I met <PERSON_1> and <TEXT_1>.');
});

test('a placeholder that the chat has not given is not restored', async () => {
  const { say } = await talk({ Ann: { privacy: PERSONS } }, () => ({ content: '<PERSON_1>, not <PERSON_2>' }));
  expect(saidBy(await say('@ann who is Karthik?'), 'Ann')).toBe('Karthik, not <PERSON_2>');
});

test('a placeholder that the agent was not shown is not restored, though another agent of the chat has it', async () => {
  const agents = { Ann: { privacy: PERSONS, prompt: 'My boss is Priya.' }, Bob: { privacy: PERSONS }, Cy: {} };
  const { id, sent, say } = await talk(agents, (name) => ({ content: name === 'Bob' ? '<PERSON_1>?' : 'ok' }));
  await say('@ann hello');
  expect(await valuesOf(id)).toEqual({ '<PERSON_1>': 'Priya' });
  expect(saidBy(await say('@bob hello'), 'Bob')).toBe('<PERSON_1>?');
  await say('@cy hello');
  expect(last(sent, 'Cy')).not.toContain('Priya');
  expect(saidBy(await say('@bob what of Priya?'), 'Bob')).toBe('Priya?');
});

/** Ann has told the chat of Priya, as `<PERSON_1>`, and nobody has told Bob. */
const STRANGERS = { Ann: { privacy: PERSONS, prompt: 'My boss is Priya.' }, Bob: { privacy: PERSONS } };

test('a summary restores no placeholder that its agent was not shown', async () => {
  const examples = 'prompt: [{ role: user, content: Who is Zoe? }, { role: assistant, content: Zoe is Zoe. }]\n';
  const bob = { ...STRANGERS.Bob, more: examples };
  let isTooLong = true;
  const { say, sent } = await talk({ Ann: STRANGERS.Ann, Bob: bob }, (name, text, { purpose }) => {
    if (purpose === 'summary') return { content: 'Of <PERSON_1> and <PERSON_2>.' };
    if (name !== 'Bob') return { content: 'ok' };
    if (isTooLong) {
      isTooLong = false;
      throw new EngineError('MODEL_TOO_LONG', 'too long');
    }
    return { content: text.includes('Of <PERSON_1> and <PERSON_2>.') ? '<PERSON_1>, <PERSON_2>' : 'no summary' };
  });
  await say('@ann hello');
  expect(saidBy(await say('@bob hello'), 'Bob')).toBe('<PERSON_1>, Zoe');
  const summaries = (await stage.app.deps.store.list('thread')).flatMap(({ body }) => /Of [^"]*/.exec(body) ?? []);
  expect(summaries).toEqual(['Of <PERSON_1> and Zoe.']);
  expect(last(sent, 'Bob')).not.toContain('Priya');
});

test('an answer that arrives shows no value that its agent was not shown', async () => {
  let shown = '';
  let look = () => {};
  const { say } = await talk(STRANGERS, async (name, _text, { onText }) => {
    if (name !== 'Bob') return { content: 'ok' };
    const content = 'Ask <PERSON_2> and <PERSON_1> now. ';
    onText?.(content);
    await new Promise<void>((resolve) => (look = () => /Ask Karthik and/.test(shown) && resolve()));
    expect(shown).toBe('Ask Karthik and ');
    return { content };
  });
  await say('@ann hello');
  stage.app.deps.live.answers.subscribe(({ at, text }) => {
    shown = shown.slice(0, at) + text;
    look();
  });
  expect(saidBy(await say('@bob what of Karthik?'), 'Bob')).toBe('Ask Karthik and <PERSON_1> now.');
});

test('a placeholder that an agent made up is not restored later in its turn', async () => {
  const bob = { ...STRANGERS.Bob, more: 'tools: [workspace]\n' };
  let asked = 0;
  const { say } = await talk({ Ann: STRANGERS.Ann, Bob: bob }, (name) => {
    if (name !== 'Bob') return { content: 'ok' };
    const content = '<PERSON_1> and <PERSON_2>';
    return ++asked === 1 ? { content, tool_calls: [call('c1', 'workspace_list', {})] } : { content };
  });
  await say('@ann hello');
  expect(saidBy(await say('@bob what of Karthik?'), 'Bob')).toBe('<PERSON_1> and Karthik');
  expect(asked).toBe(2);
});

test('another chat has placeholders of its own, and a deleted one leaves no value', async () => {
  const { id, say, sent } = await talk({ Ann: { privacy: PERSONS } }, () => ({ content: 'ok' }));
  await say('@ann who is Karthik?');
  const { chats, deps } = stage.app;
  const participants = [{ displayName: 'Ann', agentId: 'ann' }];
  const other = await chats.create({ title: 'Other', participants }, JANE);
  await chats.say(other.id, '@ann who is Zoe?', JANE);
  await expect.poll(async () => (await chats.view(other.id)).round, { timeout: 60_000 }).toBeUndefined();
  expect(last(sent, 'Ann')).toContain('who is <PERSON_1>?');
  await chats.remove(id);
  expect((await deps.store.list('entity')).map(({ conversation }) => conversation)).toEqual([other.id]);
});

test('the map of a chat outlives the runs of its turns', async () => {
  const { id, say, sent } = await talk({ Ann: { privacy: PERSONS } }, () => ({ content: 'ok' }));
  await say('@ann who is Karthik?');
  const { store } = stage.app.deps;
  for (const run of await store.list('run')) await store.apply(await deleteRun(store, run.id));
  expect(await store.list('run')).toEqual([]);
  await say('@ann is Zoe a friend of Karthik?');
  expect(last(sent, 'Ann')).toContain('is <PERSON_2> a friend of <PERSON_1>?');
  expect(await valuesOf(id)).toEqual({ '<PERSON_1>': 'Karthik', '<PERSON_2>': 'Zoe' });
});

test('a turn that began with a map of its own goes on with it', async () => {
  const { id, sent } = await talk({ Ann: { privacy: PERSONS } }, () => ({ content: 'it is <PERSON_4>' }));
  const { deps, engine } = stage.app;
  const { run, changes } = await startTurn(deps, {
    ...{ chatId: id, participantId: 'a_1', name: 'Ann', agentId: 'ann', by: 'jane', title: 'Ann in Desk' },
    ...{ prompt: '# Transcript: who is Karthik?', message: 'who is Karthik?' },
  });
  const own: Entity = { kind: 'person', number: 4, value: 'Karthik' };
  const row = { conversation: run.sessionId ?? '', seq: 1, body: JSON.stringify(own) };
  await deps.store.apply([...changes, { op: 'insert', table: 'entity', row }]);
  engine.queued();
  expect(await stage.ended(run.id)).toMatchObject({ status: 'completed', summary: 'it is Karthik' });
  expect(last(sent, 'Ann')).toContain('who is <PERSON_4>?');
  expect((await deps.store.list('entity')).map(({ conversation }) => conversation)).toEqual([run.sessionId]);
});
