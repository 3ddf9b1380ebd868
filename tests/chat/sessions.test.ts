import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import type { Chat, ChatMessage } from '../../engine/src/chat/chat.ts';
import { readMessages } from '../../engine/src/chat/chat-rows.ts';
import { createModels } from '../../engine/src/model/models.ts';
import { disk } from '../available.ts';
import { nextTry, PATIENCE_MS } from '../next-try.ts';
import { setStage, type Stage } from '../run/harness.ts';

/** A tool of the user's own: it notes what it gets, and fails at the word "crash" in what is new. */
const TOOL = `
import { appendFileSync, readFileSync } from 'node:fs';
const [, file, id] = process.argv;
const prompt = readFileSync(0, 'utf8');
appendFileSync(file.replace('tool.mjs', 'log'), JSON.stringify({ id, prompt, cwd: process.cwd() }) + '\\n');
if (/crash now$/m.test(prompt)) process.exit(3);
console.log('It is noted.');
`;

interface Turn {
  readonly id: string;
  readonly prompt: string;
  readonly cwd: string;
}

const JANE = { id: 'jane', name: 'Jane' };
let stage: Stage;
let tools: string;
beforeAll(async () => {
  const env = (name: string) => process.env[name];
  stage = await setStage({
    env,
    models: createModels({
      ...{ resolve: () => undefined, redactor: createRedactor(), clock: systemClock, log: silentLogger, env },
    }),
  });
  tools = mkdtempSync(join(disk, 'callsheet-tool-'));
  const file = join(tools, 'tool.mjs');
  writeFileSync(file, TOOL);
  writeFileSync(join(tools, 'log'), '');
  const cli = `cli: { argv: [${JSON.stringify(process.execPath)}, ${JSON.stringify(file)}, "{{sessionId}}"] }`;
  stage.write({
    'apis/keeps.yaml': `id: keeps\nprovider: cli\nsessions: resume\n${cli}\n`,
    'apis/fresh.yaml': `id: fresh\nprovider: cli\n${cli}\n`,
  });
  await stage.app.config.refresh();
  stage.app.notices.start();
});
afterAll(async () => {
  await stage.close();
  rmSync(tools, { recursive: true });
});

const open = (apiConfigId: string): Promise<Chat> =>
  stage.app.chats.create({ title: 'Design', participants: [{ displayName: 'Bob', apiConfigId }] }, JANE);

const turns = (): Turn[] =>
  readFileSync(join(tools, 'log'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Turn);

/** Says something to Bob, and waits for his message; returns what his tool got. */
async function say(chat: Chat, text: string): Promise<{ turn: Turn; reply: ChatMessage }> {
  await stage.app.chats.say(chat.id, `@bob ${text}`, JANE);
  for (let tries = 0, began = Date.now(); ; tries++) {
    const last = (await readMessages(stage.app.deps.store, chat.id, { limit: 1 })).at(-1);
    const turn = turns().at(-1);
    if (last?.authorKind === 'agent' && turn !== undefined) return { turn, reply: last };
    if (Date.now() - began > PATIENCE_MS) throw new Error('Bob says nothing');
    await nextTry(tries);
  }
}

describe('a participant of an api with sessions: resume', () => {
  test('goes on in its session with what is new alone, and not where its context has changed', async () => {
    const chat = await open('keeps');
    const first = (await say(chat, 'one')).turn;
    expect(first.prompt).toContain('# Role');
    const second = (await say(chat, 'two')).turn;
    expect([second.id, second.cwd]).toEqual([first.id, first.cwd]);
    expect(second.prompt).toContain('**Jane**: @bob two');
    expect(second.prompt).not.toMatch(/@bob one|# Role|It is noted/);
    const third = (await say(chat, 'three')).turn;
    expect(third.id).toBe(first.id);
    expect(third.prompt).not.toContain('@bob two');

    await stage.app.chats.change(chat.id, { context: 'Another subject.' });
    const changed = (await say(chat, 'four')).turn;
    expect(changed.id).not.toBe(first.id);
    expect(changed.prompt).toMatch(/Another subject\.[^]*@bob one[^]*@bob four/);
    expect((await say(chat, 'five')).turn.id).toBe(changed.id);
  });

  test('never goes on in a session whose last turn has not ended well', async () => {
    const chat = await open('keeps');
    const first = (await say(chat, 'one')).turn;
    const failed = await say(chat, 'crash now');
    expect(failed.turn.id).toBe(first.id);
    expect(failed.reply.meta.error).toBeDefined();
    const next = (await say(chat, 'three')).turn;
    expect(next.id).not.toBe(first.id);
    expect(next.prompt).toMatch(/# Role[^]*@bob one[^]*@bob three/);
  });
});

test('a participant of another api begins a fresh session in each turn, without marks in its prompt', async () => {
  const chat = await open('fresh');
  const first = (await say(chat, 'one')).turn;
  const second = (await say(chat, 'two')).turn;
  expect(second.id).not.toBe(first.id);
  expect(second.prompt).toMatch(/# Role[^]*@bob one[^]*@bob two/);
  expect(second.prompt).not.toContain('<!--');
});
