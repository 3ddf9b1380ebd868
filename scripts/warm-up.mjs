// Runs the commonest commands of a new bundle once, in a temporary folder, before its compiled code is stored: that has only the
// functions that have run. The config is its own, never that of the user: it has no account, so that no mail is fetched, no tool, so
// that no program is started, and no model but a scripted one, on a port of this process.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Longest time of all commands, which take a second or two. Without them the bundle works all the same. */
const MOST_MS = 20_000;
/** Longest time for a server to stop after that. */
const STOP_MS = 5_000;

/** A document of the commonest kinds; they start nothing. The port of the served model is filled in. */
export const CONFIG = {
  'settings.yaml': 'server: { port: 3001 }\n',
  'apis/served.yaml': `id: served
provider: openai
model: scripted
baseUrl: http://127.0.0.1:9/v1
apiKey: '\${env:WARM_UP_KEY}'
`,
  'directors/asked.yaml': `id: asked
name: Asked
apiConfigId: served
tools: [workspace_add_item]
prompt:
  - { role: system, content: Answer. }
  - { role: user, content: '{{message}}' }
`,
  'apis/offline.yaml': `# A comment, as in any config.
id: offline
provider: scripted
script:
  - when: { role: director, turn: 1 }
    call: [{ tool: agent__reader, arguments: { input: '{{subject}}' } }]
  - when: { any: true }
    say: Done.
`,
  'agents/reader.yaml': `id: reader
name: Reader
description: Reads.
tools: [workspace_add_item]
prompt:
  - role: system
    content: |
      Read the message.
permissions: { allow: [workspace_add_item] }
budget: { maxIterations: 2, maxMinutes: 1 }
`,
  'directors/desk.yaml': `id: desk
name: Desk
apiConfigId: offline
agents: [reader]
prompt:
  - { role: system, content: Answer. }
  - { role: user, content: '{{email}}' }
`,
  'filters/orders.yaml': `id: orders
order: 10
allOf:
  - { field: Subject, regex: '(?i)\\border\\b' }
  - not: { field: From, regex: 'nobody' }
directorId: desk
`,
};

/** Documents of the other kinds, in a folder that is only checked: that reads no mail and starts no program. */
export const CHECKED = {
  ...CONFIG,
  'accounts/post.yaml': 'id: post\nprovider: folder\nemail: me@example.org\npath: ./mails\n',
  'tools/look_up.yaml': `id: look_up
kind: http
description: Looks up.
parameters: { type: object, required: [query], properties: { query: { type: string } } }
request: { method: POST, url: 'https://example.org/search', headers: { Authorization: 'Bearer \${env:NO_SUCH_KEY}' }, json: { q: '{{query}}' } }
effects: read
trust: untrusted
`,
  'chats/table.yaml': `id: table
title: Table
participants:
  - { displayName: Ada, apiConfigId: offline, persona: Asks. }
  - { displayName: Ben, apiConfigId: offline, persona: Answers. }
`,
  'prompts/reply.yaml': `id: reply
variables: { tone: friendly }
messages:
  - role: system
    content: Answer in a {{tone}} tone.
`,
  'tests/desk.yaml': `director: desk
tests:
  - description: The desk answers
    message: Hello
    assert: [{ type: contains, value: Done }]
`,
};

/** Runs the commands by the function of the bundle that runs one. */
export async function warmUp({ runCommand }) {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-warm-up-'));
  const stops = [];
  const run = (argv, more = {}) => runCommand({ ...terminalIn(root, stops), argv, ...more });
  // Where no port can be opened, what needs none is compiled all the same.
  const model = await openModel().catch(() => undefined);
  try {
    for (const [folder, files] of Object.entries({ config: CONFIG, checked: CHECKED })) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, folder, name)), { recursive: true });
        const port = model?.address().port ?? 9;
        writeFileSync(join(root, folder, name), text.replace('127.0.0.1:9', `127.0.0.1:${port}`));
      }
    }
    // What has run when one of them fails is compiled.
    let isOver = false;
    const all = runAll(run, stops).catch((error) => {
      if (!isOver) console.error(`callsheet: the first commands will start slower: ${error?.message ?? error}`);
    });
    await Promise.race([all, setTimeout(MOST_MS, undefined, { ref: false })]);
    isOver = true;
    for (const stop of stops) stop('SIGTERM');
    await Promise.race([all, setTimeout(STOP_MS, undefined, { ref: false })]);
  } finally {
    model?.close();
    model?.closeAllConnections();
    rmSync(root, { recursive: true, force: true });
  }
}

/** A model that asks for an item, and then answers in a stream, as most models do. */
async function openModel() {
  const call = { index: 0, id: 'call_1', type: 'function' };
  const item = { name: 'workspace_add_item', arguments: '{"label":"Note","data":"A text."}' };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const isLast = text.includes('"role":"tool"');
    const delta = isLast ? { content: 'Done.' } : { content: null, tool_calls: [{ ...call, function: item }] };
    const chunk = (choice) => {
      const choices = [{ index: 0, delta: {}, ...choice }];
      const body = { id: 'answer', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices };
      response.write(`data: ${JSON.stringify(body)}\n\n`);
    };
    response.setHeader('content-type', 'text/event-stream');
    chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null });
    chunk({ finish_reason: isLast ? 'stop' : 'tool_calls' });
    response.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function runAll(run, stops) {
  await run(['--help']);
  await run(['validate', '--config', 'checked']);
  await run(['runs', 'list']);
  await serveOnce(run, stops);
}

/** Starts a server, asks for what the first page needs, runs a director and lists the runs by it, and stops it. */
async function serveOnce(run, stops) {
  const started = Promise.withResolvers();
  const out = (text) => void (text.startsWith('{') && started.resolve(JSON.parse(text)));
  const served = run(['start', '--port', '0', '--no-open', '--json'], { out });
  served.then(started.reject, started.reject);
  const { url, token } = await started.promise;
  try {
    for (const path of ['/', '/api/status', '/api/emails', '/api/runs', '/api/settings']) {
      const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
      await answer.text();
    }
    await run(['run', 'asked', '--message', 'Hello']);
    await run(['runs', 'list']);
  } finally {
    for (const stop of stops.splice(0)) stop('SIGTERM');
    await served;
  }
}

/** A terminal that shows nothing, and whose commands are stopped by calling `stops`. */
function terminalIn(cwd, stops) {
  const onSignal = (stop) => {
    stops.push(stop);
    return () => void stops.splice(stops.indexOf(stop) >>> 0, 1);
  };
  return {
    ...{ argv: [], env: { WARM_UP_KEY: 'none' }, cwd, pid: process.pid, platform: process.platform },
    ...{ openStdin: () => process.stdin, isStdoutTty: false, isStderrTty: false },
    openLines: () => Promise.reject(new Error('there is no input')),
    ...{ out() {}, err() {}, onSignal, exit() {} },
  };
}
