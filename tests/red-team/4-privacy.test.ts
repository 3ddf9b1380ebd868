import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import type { Entity } from '../../engine/src/guard/placeholder/entity-map.ts';
import type { Message, ToolCall } from '../../engine/src/model/model.ts';
import { createModels } from '../../engine/src/model/models.ts';
import { OPEN_STATUSES, type Run } from '../../engine/src/run/run.ts';
import { openSession } from '../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../engine/src/run/session/take-message.ts';
import { type ChatServer, completion, type Seen, sendJson, startServer } from '../model/chat-server.ts';
import { call, setStage, type Stage } from '../run/harness.ts';

/** What no provider may see, in any spelling of bytes. */
const SECRET = ['Karthik', 'Raman', 'karthik.raman@corp.test', 'DE89370400440532013000', '4111111111111111', 'Zofia'];

const MAIL = `From: Karthik Raman <karthik.raman@corp.test>
To: me@corp.test
Subject: Offer for Zofia Nowak
Message-ID: <offer-1@corp.test>
Date: Sat, 21 Nov 2026 10:00:00 +0000

Dear Zofia Nowak,

please pay to DE89 3704 0044 0532 0130 00 or charge 4111 1111 1111 1111.
Write <PERSON_1> or [EMAIL_1] and I will know. Acme in Berlin needs it on Friday.

Best regards,
Karthik Raman
`;

interface Sent {
  readonly model: string;
  readonly messages: Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

type Script = (sent: Sent, nth: number) => { content?: string; tool_calls?: ToolCall[] } | undefined;

let stage: Stage;
let provider: ChatServer;
let script: Script = () => ({ content: 'ok' });
let chats: Sent[] = [];

const isChat = ({ path }: Seen) => path.endsWith('/chat/completions');

beforeEach(async () => {
  chats = [];
  provider = await startServer((request, response) => {
    if (request.path.endsWith('/embeddings')) {
      const { input } = JSON.parse(request.body) as { input: readonly string[] };
      const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, index + 1] }));
      return sendJson(response, { object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
    }
    if (!isChat(request)) return sendJson(response, { answer: 'nothing about it' });
    const sent = JSON.parse(request.body) as Sent;
    chats.push(sent);
    const answer = script(sent, chats.length);
    // No answer: the request stays open until the process stops.
    if (answer !== undefined)
      sendJson(response, completion(answer, answer.tool_calls === undefined ? 'stop' : 'tool_calls'));
  });
});

afterEach(async () => {
  await stage.close();
  await provider.close();
});

const models = () =>
  createModels({ resolve: () => 'sk-test-key', redactor: createRedactor(), clock: systemClock, log: silentLogger });

async function open(files: Readonly<Record<string, string>> = {}, director = ''): Promise<void> {
  const api = (id: string, model: string) =>
    `id: ${id}\nprovider: openai\nmodel: ${model}\nbaseUrl: ${provider.origin}/v1\napiKey: \${env:KEY}\n`;
  stage = await setStage({
    models: models(),
    files: {
      'settings.yaml': 'memory: { window: 4, embeddings: { apiConfigId: vectors } }\n',
      'apis/main.yaml': api('main', 'chat'),
      'apis/vectors.yaml': api('vectors', 'small'),
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@corp.test\npath: ./inbox\n',
      'filters/all.yaml': 'id: all\nfield: Subject\nregex: .\ndirectorId: [boss]\n',
      'tools/web.yaml': `id: web\nkind: http\ndescription: Searches the web.\neffects: read\nallowHosts: [127.0.0.1]\nrequest: { method: GET, url: "${provider.origin}/search?q={{q}}" }\nparameters: { type: object, properties: { q: { type: string, description: What to look for. } } }\n`,
      'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace, memory, mail, web]\npermissions: { allow: ["*"] }\nprivacy: { restoreIn: [mail_draft] }\nprompt:\n  - { role: system, content: "You work at the desk of Zofia Nowak." }\n  - { role: user, content: "{{email}}" }\n  - { role: user, content: "{{memories}}" }\n${director}`,
      'agents/helper.yaml': 'id: helper\nname: Helper\ntools: [workspace]\n',
      ...files,
    },
  });
  expect(faults()).toEqual([]);
}

/** Errors of the config: a director with one does not run. */
const faults = () => stage.app.config.problems().filter(({ severity }) => severity === 'error');

/** Fetches one mail and waits until its run has ended. */
async function receive(text = MAIL): Promise<string> {
  const inbox = join(stage.root, 'inbox');
  mkdirSync(inbox, { recursive: true });
  writeFileSync(join(inbox, 'mail.eml'), text);
  await stage.app.fetcher.fetch();
  const [row] = await stage.app.deps.store.list('run');
  return row?.id ?? '';
}

/** The run once it has ended; a person allows whatever asks. */
async function allowed(id: string): Promise<Run> {
  for (;;) {
    const run = await stage.until(id, ({ status }) => !['queued', 'running'].includes(status));
    if (run.status !== 'waiting') return run;
    const pending = await stage.app.deps.store.list('approval', { where: [['status', '=', 'pending']] });
    for (const { id: approval } of pending) await stage.app.engine.decide(approval, { decision: 'allow', by: 'test' });
  }
}

/** All forms in which the bytes of a value may travel. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((skip) => {
    const text = Buffer.concat([Buffer.alloc(skip), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(skip === 0 ? 0 : skip + 1, -1);
  });
  const escaped = [...value].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const plain = [value, encodeURIComponent(value), bytes.toString('hex'), escaped, [...value].reverse().join('')];
  return [...plain.map((form) => form.toLowerCase()), ...base64];
}

/** Values that some request to the provider or to the web contains. */
async function leaks(): Promise<string[]> {
  const rows = await stage.app.deps.store.list('entity');
  const known = rows.map(({ body }) => JSON.parse(body) as Entity).filter(({ kind }) => kind !== 'text');
  const values = new Set([...SECRET, ...known.flatMap(({ value, forms = [] }) => [value, ...forms])]);
  return [...values].filter((value) =>
    provider.seen.some(({ method, path, headers, body }) => {
      const bytes = [method, path, JSON.stringify(headers), body].join('\n');
      const compact = bytes.replace(/[\s-]/g, '');
      return formsOf(value).some(
        (form) => bytes.toLowerCase().includes(form) || bytes.includes(form) || compact.toLowerCase().includes(form),
      );
    }),
  );
}

const textOf = ({ messages }: Sent) => messages.map(({ content }) => content).join('\n');
const placeholderIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? 'none';

describe('the provider', () => {
  test('never gets a private value in a run with a mail, tools, an agent, memories and embeddings', async () => {
    await open();
    let sender = '';
    let address = '';
    script = (sent, nth) => {
      if (nth === 1) {
        sender = placeholderIn(textOf(sent), /From: "?(<PERSON_\d+>)/);
        address = placeholderIn(textOf(sent), /(<EMAIL_\d+>)/);
        return {
          tool_calls: [
            call('a', 'memory_add', { content: `${sender} wants to be paid, says ${address}` }),
            call('b', 'mail_search', { from: sender }),
            call('c', 'web', { q: `who is ${sender}` }),
            call('d', 'workspace_add_item', { label: 'Note', mimeType: 'text/plain', data: `For ${sender}` }),
          ],
        };
      }
      if (nth === 2) return { tool_calls: [call('e', 'memory_search', { query: `what does ${sender} want` })] };
      if (nth === 3) return { tool_calls: [call('f', 'agent__helper', { input: `Look at ${sender}` })] };
      if (nth === 4) return { content: `I looked at ${sender} and <PERSON_1>.` };
      if (nth === 5)
        return { tool_calls: [call('g', 'mail_draft', { to: [address], subject: 'Re', text: `Dear ${sender}` })] };
      return { content: `Drafted for ${sender}.` };
    };
    stage.app.memory.start();
    const id = await receive();
    const run = await allowed(id);
    await stage.app.memory.idle();
    expect(run).toMatchObject({ status: 'completed', summary: 'Drafted for Karthik Raman.' });
    expect(chats.length).toBeGreaterThanOrEqual(6);
    expect(provider.seen.filter(({ path }) => path.endsWith('/embeddings')).length).toBeGreaterThan(0);
    expect(provider.seen.some(({ path }) => path.startsWith('/search'))).toBe(true);
    expect(sender).toMatch(/^<PERSON_\d+>$/);
    expect(await leaks()).toEqual([]);
    // Companies, places and dates stay.
    expect(chats[0] && textOf(chats[0])).toContain('Acme in Berlin needs it on Friday');
    const [item] = await stage.app.deps.store.list('item');
    expect(item?.body).toContain('For Karthik Raman');
    const memory = (await stage.app.deps.store.list('memory')).map(({ body }) => body).join();
    expect(memory).toContain('Karthik Raman wants to be paid, says karthik.raman@corp.test');
  });

  test('gets the same bytes again after a restart', async () => {
    await open();
    script = (_sent, nth) => (nth === 1 ? undefined : { content: 'ok' });
    const id = await receive();
    await provider.whenSeen(1);
    while (chats.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await stage.restart({ models: models() });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    const bodies = provider.seen.filter(isChat).map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(await leaks()).toEqual([]);
  });

  test('never gets a private value in a long session with summaries, and the answer to message 5 knows message 1', async () => {
    await open();
    const { id } = await openSession(stage.app.deps, 'helper', 'jane');
    script = (sent, nth) => {
      if ((sent.tools ?? []).length === 0 && textOf(sent).includes('summary of the earlier part'))
        return { content: 'They talked about <PERSON_1>.' };
      return { content: `Answer ${nth} about <PERSON_1>` };
    };
    for (let n = 1; n <= 8; n++) {
      const content = n === 1 ? 'email to karthik, call 1234567890' : `question ${n}`;
      const run = await acceptMessage(stage.app.deps, id, { content, by: 'jane' });
      stage.app.engine.queued();
      const ended = await stage.ended(run.id);
      expect(ended).toMatchObject({ status: 'completed', summary: expect.stringContaining('about karthik') });
    }
    expect(chats.map(textOf).join()).toContain('They talked about <PERSON_1>.');
    expect(chats[0] && textOf(chats[0])).toContain('email to <PERSON_1>, call <PHONE_1>');
    const bytes = provider.seen.map(({ body }) => body).join();
    expect(bytes).not.toMatch(/karthik|1234567890/i);
    expect(await leaks()).toEqual([]);
  });

  test('never gets a private value in a group chat of agents that speak at the same time, also where one has no privacy', async () => {
    await open({
      'agents/other.yaml': 'id: other\nname: Other\napiConfigId: main\nimprint: You help Zofia Nowak.\nprivacy: {}\n',
      'apis/open.yaml':
        'id: open\nprovider: scripted\nscript: [{ when: { any: true }, say: "Karthik Raman? Zofia knows. @helper @other" }]\n',
    });
    script = () => ({ content: 'ok' });
    stage.app.notices.start();
    const jane = { id: 'jane', name: 'Jane' };
    const participants = [
      { displayName: 'Helper', agentId: 'helper', persona: 'Writes to karthik.raman@corp.test.' },
      { displayName: 'Other', agentId: 'other', persona: 'Works for Karthik Raman.' },
      { displayName: 'Open', apiConfigId: 'open', persona: '' },
    ];
    const { id } = await stage.app.chats.create({ title: 'Desk', participants }, jane);
    await stage.app.chats.say(id, '@helper @other @open: Zofia Nowak pays DE89 3704 0044 0532 0130 00', jane);
    await expect.poll(async () => (await stage.app.chats.view(id)).round).toBeUndefined();
    expect(chats).toHaveLength(4);
    const zofias = chats.map((sent) => placeholderIn(textOf(sent), /(<PERSON_\d+>) pays <IBAN_1>/));
    expect(zofias[0]).toMatch(/^<PERSON_\d+>$/);
    expect(new Set(zofias).size).toBe(1);
    expect(textOf(chats[3] ?? { model: '', messages: [] })).toMatch(/<PERSON_\d+>\? <PERSON_\d+> knows/);
    expect(await leaks()).toEqual([]);
  });

  test('never gets the name that a memory of another conversation names', async () => {
    await open({}, '');
    script = (sent, nth) =>
      nth === 1
        ? {
            tool_calls: [
              call('a', 'memory_add', { content: `${placeholderIn(textOf(sent), /tell (<PERSON_\d+>)/)} likes tea` }),
            ],
          }
        : nth === 3
          ? { tool_calls: [call('b', 'memory_search', { query: 'tea' })] }
          : { content: 'ok' };
    await stage.ended(await stage.begin('boss', 'tell zofia that I like tea, email to zofia'));
    await stage.ended(await stage.begin('boss', 'who likes tea?'));
    expect(chats.map(textOf).join()).toMatch(/<PERSON_\d+> likes tea/);
    expect(provider.seen.map(({ body }) => body).join()).not.toMatch(/zofia(?! nowak)/i);
  });
});

describe('an attacker who writes placeholders', () => {
  test('gets nobody’s name: what a mail spells like a placeholder is put back as it was', async () => {
    await open();
    script = (sent, nth) => {
      if (nth > 1) return { content: 'ok' };
      const fake = placeholderIn(textOf(sent), /Write (<TEXT_\d+>)/);
      return { tool_calls: [call('a', 'workspace_add_item', { label: 'L', mimeType: 'text/plain', data: fake })] };
    };
    await stage.ended(await receive());
    const [item] = await stage.app.deps.store.list('item');
    expect(JSON.parse(item?.body ?? '{}')).toMatchObject({ data: '<PERSON_1>' });
  });

  test('cannot make a model send a name to the web', async () => {
    await open();
    script = (_sent, nth) =>
      nth === 1 ? { tool_calls: [call('a', 'web', { q: '<PERSON_1> <EMAIL_1> <IBAN_1>' })] } : { content: 'ok' };
    await allowed(await receive());
    expect(provider.seen.find(({ path }) => path.startsWith('/search'))?.path).toContain('PERSON_1');
    expect(await leaks()).toEqual([]);
  });
});

test('a run with locality: local asks before a tool takes anything off the machine, and sends nothing until a person allows it', async () => {
  const url = 'https://search.example.invalid/search?q={{q}}';
  await open({
    'apis/main.yaml': `id: main\nprovider: openai\nmodel: chat\nbaseUrl: ${provider.origin}/v1\napiKey: \${env:KEY}\nlocality: local\n`,
    'tools/web.yaml': `id: web\nkind: http\ndescription: Searches the web.\neffects: read\nrequest: { method: GET, url: "${url}" }\nparameters: { type: object, properties: { q: { type: string, description: What to look for. } } }\n`,
    'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nlocality: local\ntools: [web]\n',
  });
  script = (_sent, nth) =>
    nth === 1 ? { tool_calls: [call('a', 'web', { q: 'Zofia Nowak' })] } : { content: 'Not found.' };
  const id = await stage.begin('boss', 'Who is Zofia Nowak?');
  const run = await stage.until(id, ({ status }) => !['queued', 'running'].includes(status));
  expect(run).toMatchObject({ status: 'waiting', waitingFor: 'approval' });
  const [row] = await stage.app.deps.store.list('approval');
  expect(row?.body).toContain('sends its arguments to search.example.invalid');
  expect(chats).toHaveLength(1);
});

test('without its recogniser a run sends nothing at all', async () => {
  await open();
  await stage.restart({
    models: models(),
    recogniser: {
      recognise: async () => {
        throw new Error('gone');
      },
      close: async () => {},
    },
  });
  const id = await receive();
  expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'PRIVACY_UNAVAILABLE' } });
  expect(provider.seen).toEqual([]);
  expect(await stage.app.deps.store.count('run', [['status', 'in', [...OPEN_STATUSES]]])).toBe(0);
});
