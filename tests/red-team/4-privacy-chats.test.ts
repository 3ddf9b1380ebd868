import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import { readMessages } from '../../engine/src/chat/chat-rows.ts';
import { readSummary } from '../../engine/src/chat/summary-rows.ts';
import type { Message } from '../../engine/src/model/model.ts';
import { createModels } from '../../engine/src/model/models.ts';
import { openSession } from '../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../engine/src/run/session/take-message.ts';
import { type ChatServer, completion, sendJson, startServer } from '../model/chat-server.ts';
import { setStage, type Stage } from '../run/harness.ts';

/** What no provider may see, in any spelling of bytes. */
const SECRET = ['Karthik', 'Raman', 'karthik.raman@corp.test', 'DE89370400440532013000', '4111111111111111'];
const WORDS =
  'Dear Karthik Raman, write to karthik.raman@corp.test and pay to DE89 3704 0044 0532 0130 00 or 4111 1111 1111 1111.';
const JANE = { id: 'jane', name: 'Jane' };
/** With the words above more than the window of a prompt. */
const LONG = 'Word after word. '.repeat(1400);

let stage: Stage;
let provider: ChatServer;

beforeEach(async () => {
  provider = await startServer((request, response) => {
    const { messages } = JSON.parse(request.body) as { readonly messages: readonly Message[] };
    const isSummary = String(messages.at(-1)?.content).startsWith('You write the summary');
    const text = isSummary ? 'They talk about <EMAIL_1> and <IBAN_1>.' : '<EMAIL_1> knows.';
    sendJson(response, completion({ content: text }));
  });
});

afterEach(async () => {
  await stage.close();
  await provider.close();
});

/** `privacy`: of the agent, and of a director that may ask it. */
async function open(privacy: { readonly agent?: string; readonly director?: string }): Promise<void> {
  stage = await setStage({
    models: createModels({
      ...{ resolve: () => 'sk-test-key', redactor: createRedactor(), clock: systemClock, log: silentLogger },
    }),
    files: {
      'apis/main.yaml': `id: main\nprovider: openai\nmodel: test\napiKey: \${env:KEY}\nbaseUrl: ${provider.origin}/v1\nretry: { attempts: 1 }\n`,
      'agents/helper.yaml': `id: helper\nname: Helper\napiConfigId: main\n${privacy.agent ?? ''}`,
      'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\n${privacy.director ?? ''}`,
    },
  });
  expect(stage.app.config.problems().filter(({ severity }) => severity === 'error')).toEqual([]);
  stage.app.notices.start();
}

/** The secrets that stand in what the provider has got: the text of bodies and addresses, and the JSON of headers. */
function leaked(): string[] {
  const bytes = provider.seen
    .map(({ path, headers, body }) => `${path}\n${JSON.stringify(headers)}\n${body}`)
    .join('\n');
  const folded = bytes.replaceAll(/[\s-]/g, '').toLowerCase();
  return SECRET.filter((secret) => folded.includes(secret.toLowerCase()));
}

const poll = (read: () => Promise<unknown>) => expect.poll(read);

/** Chats about private data until a summary was written and read. */
async function chat(): Promise<{ readonly id: string; readonly replies: string[] }> {
  const { chats, deps } = stage.app;
  const { id } = await chats.create({ participants: [{ displayName: 'Helper', agentId: 'helper' }] }, JANE);
  const say = async (text: string) => {
    await chats.say(id, text, JANE);
    await poll(async () => (await chats.view(id)).round).toBeUndefined();
    await poll(async () => (await readSummary(deps.store, id)).isOpen).toBe(false);
  };
  for (const text of [`${WORDS} ${LONG}`, `${LONG}`, '@helper who?', LONG, '@helper and now?']) await say(text);
  const messages = await readMessages(deps.store, id, { limit: 20 });
  return { id, replies: messages.filter(({ authorKind }) => authorKind === 'agent').map(({ text }) => text) };
}

const ALL = 'privacy: {}\n';

describe('an agent with privacy', () => {
  test('in a group chat: no byte of its turns and of the summary has a private value, and people read real ones', async () => {
    await open({ agent: ALL });
    const { id, replies } = await chat();
    expect(leaked()).toEqual([]);
    const turns = provider.seen.filter(({ body }) => !body.includes('You write the summary'));
    expect([turns.length, provider.seen.length > 2]).toEqual([2, true]);
    expect(turns[1]?.body).toMatch(/Summary of the first \d messages:.{0,60}They talk about <EMAIL_\d>/);
    expect(replies).toEqual(['karthik.raman@corp.test knows.', 'karthik.raman@corp.test knows.']);
    const { text } = (await readSummary(stage.app.deps.store, id)).record;
    expect(text).toBe('They talk about karthik.raman@corp.test and DE89 3704 0044 0532 0130 00.');
  });

  test('whose director has none: the same holds in a session with it', async () => {
    await open({ agent: ALL });
    const session = await openSession(stage.app.deps, 'helper', 'jane');
    const run = await acceptMessage(stage.app.deps, session.id, { content: WORDS, by: 'jane' });
    stage.app.engine.queued();
    expect((await stage.ended(run.id)).summary).toBe('karthik.raman@corp.test knows.');
    expect([leaked(), provider.seen.length]).toEqual([[], 1]);
  });

  test('hides private data from a director that may ask it, too', async () => {
    await open({ agent: ALL });
    await stage.ended(await stage.begin('boss', WORDS));
    expect([leaked(), provider.seen.length]).toEqual([[], 1]);
  });

  test('and a director with privacy: both rules hold in a chat', async () => {
    await open({ agent: 'privacy: { redact: [person, email] }\n', director: 'privacy: { redact: [iban, card] }\n' });
    await chat();
    expect(leaked()).toEqual([]);
  });
});

describe('without privacy', () => {
  test('the provider reads what was said, so the tests above look at the right bytes', async () => {
    await open({});
    await chat();
    expect(leaked()).toEqual(SECRET);
  });
});
