/**
 * A command-line agent for tests that speaks the Agent Client Protocol. `FAKE_DO` says how it behaves (`CliBehaviour`, and the words
 * below); `FAKE_DIR` is a folder in which it notes its process ids (`pid`, `child`) and, as JSON lines in `log`, all that it got.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const behaviour = process.env['FAKE_DO'] ?? '';
const folder = process.env['FAKE_DIR'] ?? '.';
const SESSION = 's-1';

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text: string }[]; readonly modeId?: string };
  readonly result?: unknown;
}

function note(name: string, text: string | number): void {
  writeFileSync(join(folder, name), String(text));
}

function send(message: object): boolean {
  return process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function update(one: object): boolean {
  return send({ method: 'session/update', params: { sessionId: SESSION, update: one } });
}

function say(text: string, more: object = {}): boolean {
  return update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more });
}

const waiting = new Map<string, (result: unknown) => void>();

/** Asks the client for a permission; resolves with its answer. */
function ask(id: string, toolCall: object, kinds: readonly string[]): Promise<unknown> {
  const options = kinds.map((kind) => ({ optionId: `the ${kind}`, name: kind, kind }));
  send({
    id,
    method: 'session/request_permission',
    params: { sessionId: SESSION, toolCall: { toolCallId: id, ...toolCall }, options },
  });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const KINDS = ['allow_always', 'allow_once', 'reject_once', 'reject_always'];
const WRITE = { title: 'Write note.txt', kind: 'edit', rawInput: { path: 'note.txt', text: 'hi' } };

/** What a prompt does; it resolves with the stop reason, or never. */
const turns: { readonly [behaviour: string]: (prompt: string) => Promise<string> } = {
  async 'answers'(prompt) {
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'private thought' } });
    update({ sessionUpdate: 'of_tomorrow', content: 1 });
    say('Answer to: ');
    say(prompt);
    return 'end_turn';
  },
  async 'where'() {
    say(JSON.stringify({ cwd: process.cwd(), files: readdirSync('.'), env: process.env }));
    return 'end_turn';
  },
  'silent': never,
  'stubborn': never,
  'outlived'() {
    const file = JSON.stringify(join(folder, 'child'));
    const forever = `require('fs').writeFileSync(${file}, String(process.pid)); setInterval(() => {}, 1000)`;
    spawn(process.execPath, ['-e', forever], { detached: true, stdio: 'inherit' }).unref();
    return never();
  },
  'crashes'() {
    say('half of an ans');
    console.error(`first line\nthe model "x" is gone, key ${process.env['FAKE_API_KEY'] ?? ''}`);
    process.exit(3);
  },
  async 'chatty'() {
    for (let i = 0; i < 50_000; i++) console.error('progress', i);
    say('done');
    return 'end_turn';
  },
  async 'floods'() {
    for (let i = 0; i < 50; i++)
      if (!say('x'.repeat(1024 * 1024))) await new Promise((resolve) => process.stdout.once('drain', resolve));
    return 'end_turn';
  },
  async 'long-line'() {
    say('x'.repeat(9 * 1024 * 1024));
    return never();
  },
  async 'asks'() {
    say(JSON.stringify(await ask('p-1', WRITE, KINDS)));
    return 'end_turn';
  },
  async 'asks-without-input'() {
    update({ sessionUpdate: 'tool_call', toolCallId: 'p-1', ...WRITE });
    say(JSON.stringify(await ask('p-1', {}, KINDS)));
    return 'end_turn';
  },
  async 'asks-for-always'() {
    say(JSON.stringify(await ask('p-1', WRITE, ['allow_always', 'reject_always'])));
    return 'end_turn';
  },
  async 'asks-for-mode'() {
    say(JSON.stringify(await ask('p-1', { title: 'Leave the plan', kind: 'switch_mode', rawInput: { a: 1 } }, KINDS)));
    return 'end_turn';
  },
  async 'asks-twice'() {
    await Promise.all([ask('p-1', WRITE, KINDS), ask('p-2', WRITE, KINDS)]);
    return never();
  },
  async 'works'() {
    say('I look.', { messageId: 'm-1' });
    update({ sessionUpdate: 'tool_call', toolCallId: 'c-1', title: 'ls', kind: 'execute', status: 'in_progress' });
    update({
      ...{ sessionUpdate: 'tool_call_update', toolCallId: 'c-1', status: 'completed', rawInput: { command: 'ls' } },
      locations: [{ path: '/work/a.txt', line: 3 }],
    });
    say('Two ', { messageId: 'm-2' });
    say('\u001b[31mfiles\u001b[0m.', { messageId: 'm-2' });
    return 'end_turn';
  },
  /** Writes into `note.txt`, and notes that in `turns`. While `hold` is there, it stops in windows in which the tool works. */
  async 'edits'() {
    const window = readFileSync('window', 'utf8').trim();
    const before = readFileSync('note.txt', 'utf8');
    appendFileSync('note.txt', 'half\n');
    appendFileSync(
      join(folder, 'turns'),
      `${JSON.stringify({ window, before, cwd: process.cwd(), pid: process.pid })}\n`,
    );
    const isHeld = existsSync(join(folder, 'hold')) && ['working', 'unconfined', 'storing'].includes(window);
    if (isHeld) note(`reached-${window}`, '');
    // It outlives its client: nothing but the time limit of the test ends it.
    if (isHeld && window !== 'storing') return new Promise((_resolve) => setTimeout(() => process.exit(1), 60_000));
    appendFileSync('note.txt', 'whole\n');
    say('done');
    return 'end_turn';
  },
  async 'leaves-mode'() {
    update({ sessionUpdate: 'current_mode_update', currentModeId: 'agent' });
    return never();
  },
  async 'leaves-mode-by-option'() {
    const option = { id: 'mode', category: 'mode', type: 'select', currentValue: 'agent', options: [], name: 'Mode' };
    update({ sessionUpdate: 'config_option_update', configOptions: [option] });
    return never();
  },
  async 'refuses'() {
    say('No.');
    return 'refusal';
  },
  async 'cancels-itself'() {
    return 'cancelled';
  },
};

function never(): Promise<string> {
  return new Promise(() => {});
}

const MODES = [
  'agent',
  'read-only',
  'workspace-write',
  'agent-full-access',
  'default',
  'plan',
  'bypassPermissions',
  'yolo',
];

async function take({ id, method, params, result }: Request): Promise<void> {
  if (method === undefined) return waiting.get(String(id))?.(result);
  switch (method) {
    case 'initialize':
      note('pid', process.pid);
      return void send({
        id,
        result: {
          protocolVersion: behaviour === 'of-tomorrow' ? 2 : 1,
          agentCapabilities: { loadSession: behaviour === 'remembers' || behaviour === 'forgets' },
          agentInfo: { name: '@fakes/fake-acp', version: '2.6.0' },
        },
      });
    case 'session/new': {
      if (behaviour === 'signed-out')
        return void send({ id, error: { code: -32000, message: 'Authentication required' } });
      const offered = behaviour === 'without-modes' ? ['agent'] : MODES;
      const modes = { currentModeId: 'agent', availableModes: offered.map((one) => ({ id: one, name: one })) };
      send({ id, result: { sessionId: SESSION, modes } });
      return void send({ method: '_auth/status_update', params: { authStatus: { kind: 'chatgpt' } } });
    }
    case 'session/load': {
      if (behaviour === 'forgets') return void send({ id, error: { code: -32002, message: 'Resource not found' } });
      // A session that is loaded is told again, and comes back in the start mode.
      say('An old answer');
      update({ sessionUpdate: 'tool_call', toolCallId: 'old', title: 'rm', kind: 'execute', status: 'completed' });
      const modes = { currentModeId: 'agent', availableModes: MODES.map((one) => ({ id: one, name: one })) };
      return void send({ id, result: { modes } });
    }
    case 'session/set_mode':
      update({ sessionUpdate: 'current_mode_update', currentModeId: params?.modeId });
      return void send({ id, result: {} });
    case 'session/prompt': {
      const turn = turns[behaviour];
      if (behaviour === 'fails')
        return void send({
          id,
          error: { code: -32603, message: 'Internal error', data: { details: 'the model is gone' } },
        });
      const stopReason = await (turn ?? turns['answers'] ?? never)(
        params?.prompt?.map(({ text }) => text).join('') ?? '',
      );
      return void send({ id, result: { stopReason } });
    }
    case 'session/cancel':
      return;
    default:
      send({ id, error: { code: -32601, message: `no method ${method}` } });
  }
}

if (behaviour === 'stubborn') process.on('SIGTERM', () => {});
const alive = setInterval(() => {}, 1000);
appendFileSync(join(folder, 'log'), `${JSON.stringify({ argv: process.argv.slice(2) })}\n`);
const lines = createInterface({ input: process.stdin });
lines.on('close', () => clearInterval(alive));
lines.on('line', (line) => {
  appendFileSync(join(folder, 'log'), `${line}\n`);
  void take(JSON.parse(line) as Request);
});
