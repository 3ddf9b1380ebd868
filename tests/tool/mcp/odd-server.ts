// An MCP server over stdio for tests, without the SDK so that it starts at once. It misbehaves as its tools say.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly requestId?: number;
    readonly arguments?: Record<string, unknown>;
  };
}

const [mode = ''] = process.argv.slice(2);
const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
});
const TEXT = {
  inputSchema: {
    ...{ type: 'object', additionalProperties: false },
    properties: { text: { type: 'string', description: 'What to say.' } },
  },
};
let tools = [
  tool('echo', TEXT),
  tool('hang'),
  tool('die'),
  tool('flood'),
  tool('grow'),
  tool('env'),
  tool('fail'),
  tool('spawn'),
];
if (mode === 'noting') tools.push(tool('note', TEXT));
let isHanging = false;

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

const CALLS: Readonly<Record<string, (args: Record<string, unknown>) => object | undefined>> = {
  echo: ({ text: said }) => text(String(said)),
  note: ({ text: said }) => {
    appendFileSync('notes.txt', `${String(said)}\n`);
    return text('noted');
  },
  hang: () => {
    process.stderr.write('hangs\n');
    if (mode === 'deaf') isHanging = true;
    return undefined;
  },
  die: () => process.exit(3),
  flood: () => {
    const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(1000) } })}\n`;
    const pour = () => {
      while (process.stdout.write(line));
      process.stdout.once('drain', pour);
    };
    pour();
    return undefined;
  },
  grow: () => {
    if (!tools.some(({ name }) => name === 'grown')) tools = [...tools, tool('grown')];
    send({ method: 'notifications/tools/list_changed' });
    return text('grown');
  },
  env: () => text(JSON.stringify({ env: process.env, cwd: process.cwd(), pid: process.pid })),
  fail: () => ({ ...text('no such ticket'), isError: true }),
  spawn: () => text('none'),
};

function answer({ id, method, params = {} }: Message): void {
  if (isHanging) return;
  if (method === 'notifications/cancelled') process.stderr.write(`cancelled ${String(params.requestId)}\n`);
  if (id === undefined) return;
  if (method === 'initialize')
    return void send({
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'odd', version: '1' },
      },
    });
  if (method === 'tools/list') return void send({ id, result: { tools } });
  if (method === 'ping') return void send({ id, result: {} });
  const result = CALLS[params.name ?? '']?.(params.arguments ?? {});
  if (method === 'tools/call' && CALLS[params.name ?? ''] === undefined)
    return void send({ id, error: { code: -32602, message: `no tool ${String(params.name)}` } });
  if (result !== undefined) send({ id, result });
}

process.stderr.write(`pid ${process.pid}\n`);
process.stderr.write(`started ${mode} with ${process.env['TOKEN'] ?? 'no token'}\n`);
if (mode === 'mute') process.stdin.resume();
else if (mode === 'stubborn') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
  createInterface(process.stdin).on('line', (line) => answer(JSON.parse(line) as Message));
} else createInterface(process.stdin).on('line', (line) => answer(JSON.parse(line) as Message));
