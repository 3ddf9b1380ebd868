import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '../../engine/src/cli/program.ts';
import { powerless, root } from '../available.ts';
import { fakeTerminal } from './terminal/fake-terminal.ts';

const MAIN = join(root, 'engine/callsheet.cjs');

/** A desk whose director notes what it is told, by rules: no network, no waiting. */
export const FILES: Readonly<Record<string, string>> = {
  'apis/main.yaml': `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: workspace_add_item, arguments: { label: Note, mimeType: text/plain, data: 'noted' } }
  - when: { any: true }
    say: done
`,
  'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\n',
  'directors/shy.yaml':
    'id: shy\nname: Shy\napiConfigId: main\ntools: [workspace]\npermissions: { ask: [workspace_add_item] }\n',
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'filters/all.yaml': 'id: all\nnot: { field: Subject, regex: ^nothing }\ndirectorId: [boss]\n',
};

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  readonly dir: string;
  readonly dataDir: string;
  /** Runs a command in this place, in the process of the test, and waits for its end. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The same in a process of its own. */
  runApart(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** `runApart` as `powerless` of `available.ts`, to whom the place belongs from then on. */
  runPowerless(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** `start --json`, once its URL is printed. */
  start(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Started>;
  write(files: Readonly<Record<string, string>>): void;
  drop(name: string, text: string): void;
  remove(): void;
}

export interface Started {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  ask(method: string, path: string, body?: unknown): Promise<Response>;
  /** Ends it and says how it ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** A folder with `config/` and an empty `inbox/`. */
export function makePlace(files: Readonly<Record<string, string>> = FILES): Place {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-cli-'));
  mkdirSync(join(dir, 'inbox'));
  const spawnMain = (args: readonly string[], env: Readonly<Record<string, string>> = {}, user = {}) =>
    spawn(process.execPath, ['--', MAIN, ...args], {
      ...user,
      cwd: dir,
      env: { PATH: process.env['PATH'], HOME: dir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const write = (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) {
      const file = join(dir, 'config', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  };
  write(files);
  return {
    dir,
    dataDir: join(dir, 'data'),
    write,
    run: (args, env = {}) => runHere(dir, args, { PATH: process.env['PATH'] ?? '', HOME: dir, ...env }),
    runApart: (args, env) => watch(spawnMain(args, env)).ended,
    runPowerless: (args, env) => {
      const { uid, gid } = powerless ?? {};
      const files = ['.', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })];
      if (uid !== undefined && gid !== undefined) for (const file of files) chownSync(join(dir, file), uid, gid);
      return watch(spawnMain(args, env, powerless)).ended;
    },
    async start(args = [], env = {}) {
      const child = spawnMain(['start', '--json', '--no-open', '--port', '0', ...args], env);
      const { ended, output } = watch(child);
      const line = await firstLine(child, ended);
      const { url, token } = JSON.parse(line) as { url: string; token: string };
      return {
        url,
        token,
        process: child,
        stdout: () => output.stdout,
        stderr: () => output.stderr,
        ask: (method, path, body) =>
          fetch(url + path, {
            method,
            headers: { 'Authorization': `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: body === undefined ? null : JSON.stringify(body),
          }),
        async stop(signal = 'SIGTERM') {
          child.kill(signal);
          return ended;
        },
      };
    },
    drop(name, text) {
      const file = join(dir, 'inbox', name);
      writeFileSync(file, text.replace(/\n/g, '\r\n'));
      utimesSync(file, new Date(0), new Date(0));
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

async function runHere(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const terminal = fakeTerminal({ argv: args, cwd, env });
  terminal.end();
  const code = await runCommand(terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

function watch(child: ChildProcess): { ended: Promise<Ended>; output: { stdout: string; stderr: string } } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
  return { ended, output };
}

async function firstLine(child: ChildProcess, ended: Promise<Ended>): Promise<string> {
  let text = '';
  const line = new Promise<string>((resolve) =>
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    }),
  );
  const failed = ended.then(({ code, stderr }) => {
    throw new Error(`it ended with ${code}: ${stderr}`);
  });
  failed.catch(() => {});
  return Promise.race([line, failed]);
}

export const LETTER = `From: Ada Ray <ada@example.org>
To: me@example.org
Subject: hello
Message-ID: <1@example.org>
Date: Sat, 21 Nov 2026 10:00:00 +0000

Hello.
`;
