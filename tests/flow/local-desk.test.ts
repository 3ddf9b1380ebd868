import { mkdirSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { completion, sendJson, startServer } from '../model/chat-server.ts';
import { setStage } from '../run/harness.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

/** What the desk calls in its first turn, one tool of each kind. */
const CALLS: readonly (readonly [string, object])[] = [
  ['mail_search', { text: 'offer' }],
  ['document_list', {}],
  ['document_read', { document: 'prices.md' }],
  ['calendar_list', {}],
  ['memory_add', { content: 'Ann prefers tea.' }],
  ['memory_search', { query: 'tea' }],
  ['reminder_create', { text: 'Call Ann', in: 'P1D' }],
  ['web_research', { query: 'price of tea' }],
];

test('a desk on a local model, local mail, files and calendar connects to nothing but the model and the web search', async () => {
  let asked = 0;
  const model = await startServer(({ path }, response) => {
    if (path === '/api/tags') return sendJson(response, { models: [{ name: 'qwen3:8b' }] });
    const tool_calls = CALLS.map(([name, args], index) => ({
      ...{ id: '', index, type: 'function' },
      function: { name, arguments: args },
    }));
    return sendJson(
      response,
      asked++ === 0 ? completion({ content: '', tool_calls }, 'stop') : completion({ content: 'Done.' }, 'stop'),
    );
  });
  const search = await startServer((_request, response) => sendJson(response, { answer: '3 €' }));
  closing.push(
    () => model.close(),
    () => search.close(),
  );
  const connected = new Set<string>();
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [options] = (Array.isArray(args[0]) ? args[0] : args) as [{ host?: string; port?: number; path?: string }];
    connected.add(options.path ?? `${options.host}:${options.port}`);
    return Reflect.apply(connect, this, args) as Socket;
  });
  const stage = await setStage({
    files: {
      'settings.yaml': 'virtualRoot: ./documents\ncalendar: { path: ./calendar }\n',
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
      'apis/main.yaml': `id: main\nprovider: ollama\nmodel: qwen3:8b\nbaseUrl: ${model.origin}\n`,
      'directors/boss.yaml':
        'id: boss\nname: Desk\napiConfigId: main\npermissions: { allow: ["*"] }\n' +
        'tools: [mail, document, calendar, reminder, memory, web_research]\n',
      'tools/web_research.yaml': `id: web_research\nkind: http\ndescription: Searches the web.\neffects: read
allowHosts: [127.0.0.1]\nrequest: { method: POST, url: "${search.origin}/v1/search", json: { q: "{{query}}" } }
parameters: { type: object, required: [query], properties: { query: { type: string } } }\n`,
    },
  });
  closing.push(() => stage.close());
  for (const folder of ['inbox', 'documents']) mkdirSync(join(stage.root, folder));
  writeFileSync(join(stage.root, 'documents/prices.md'), '# Prices\n\nTea costs 3 €.\n');
  await stage.app.start();
  const run = await stage.ended(await stage.begin());
  expect(run).toMatchObject({ status: 'completed', summary: 'Done.' });
  const results = (await stage.messages(run.dirThreadId)).flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  );
  expect(results).toHaveLength(CALLS.length);
  expect(results.filter((text) => text.startsWith('{"error"'))).toEqual([]);
  const portOf = (origin: string) => `127.0.0.1:${new URL(origin).port}`;
  expect([...connected].sort()).toEqual([portOf(model.origin), portOf(search.origin)].sort());
});
