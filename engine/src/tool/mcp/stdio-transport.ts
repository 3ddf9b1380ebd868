import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client';
import { EngineError, errorBody } from '../../base/error.ts';
import { startWatched } from '../../base/watch/process-watch.ts';

/** Largest message of a server, in bytes. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Most messages of a server in ten seconds. */
const MAX_MESSAGES = 5000;
const WINDOW_MS = 10_000;
/** Time that a server gets to end by itself, and then after SIGTERM. */
const END_MS = 1000;
/** Longest line of stderr in the log, in characters, and most lines in ten seconds. */
const MAX_LINE = 1000;
const MAX_LINES = 50;

/** The program of an MCP server. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** All variables that it gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** Called with each line of its stderr, within limits. */
  readonly onLine: (line: string) => void;
}

type Sdk = Pick<typeof import('@modelcontextprotocol/client'), 'ReadBuffer' | 'serializeMessage'>;

/**
 * An MCP server as a child process. Unlike the transport of the SDK it gives the process only named variables, ends the whole
 * process group, and closes a server that floods. The process ends with this one, also after SIGKILL.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: ServerProgram;
  readonly #sdk: Sdk;
  readonly #buffer: ReadBuffer;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exited: Promise<void> = Promise.resolve();
  #window = { since: 0, messages: 0 };

  constructor(program: ServerProgram, sdk: Sdk) {
    this.#program = program;
    this.#sdk = sdk;
    this.#buffer = new sdk.ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, onLine } = this.#program;
    // A group of its own: `npx` and the like start further processes.
    const { child, watch } = this.#started(() =>
      spawn(command, args, { cwd, env, stdio: 'pipe', detached: process.platform !== 'win32' }),
    );
    this.#child = child;
    const exited = Promise.withResolvers<void>();
    this.#exited = exited.promise;
    child.once('exit', () => {
      // What it has started must not be left behind.
      signalGroup(child, 'SIGKILL');
      watch.over();
      exited.resolve();
      this.#closed();
    });
    child.stdin.on('error', () => {});
    child.stdout.on('error', () => {});
    child.stderr.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    readLines(child.stderr, onLine);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (cause) => {
        watch.over();
        exited.resolve();
        this.#child = undefined;
        reject(this.#notStarted(cause));
      });
    });
  }

  #started(start: () => ChildProcessWithoutNullStreams) {
    try {
      return startWatched(start);
    } catch (cause) {
      throw this.#notStarted(cause);
    }
  }

  #notStarted(cause: unknown): EngineError {
    const { command } = this.#program;
    return new EngineError('TOOL_FAILED', `${command} cannot be started: ${errorBody(cause).message}`, { cause });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || !stdin.writable)
      return Promise.reject(new EngineError('TOOL_FAILED', 'the process of the server has ended'));
    // A server that reads nothing must not hold its caller up: requests have a time limit.
    stdin.write(this.#sdk.serializeMessage(message));
    return Promise.resolve();
  }

  /** Ends stdin, then the process group. Resolves when the process is gone. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#exitsWithin(END_MS)) break;
      signalGroup(child, signal);
    }
    await this.#exited;
    child.stdout.destroy();
    child.stderr.destroy();
    this.onclose?.();
  }

  #exitsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void this.#exited.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #closed(): void {
    if (this.#child === undefined) return;
    this.#child = undefined;
    this.onclose?.();
  }

  #receive(chunk: Buffer): void {
    if (this.#child === undefined) return;
    try {
      this.#buffer.append(chunk);
      for (;;) {
        const message = this.#read();
        if (message === null) return;
        this.#count();
        if (message !== undefined) this.onmessage?.(message);
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      void this.close();
    }
  }

  /** The next message; null where there is none yet, undefined for a line that is none. */
  #read(): JSONRPCMessage | null | undefined {
    try {
      return this.#buffer.readMessage();
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  #count(): void {
    const now = performance.now();
    if (now - this.#window.since > WINDOW_MS) this.#window = { since: now, messages: 0 };
    if (++this.#window.messages > MAX_MESSAGES)
      throw new EngineError('TOOL_FAILED', `the server sent more than ${MAX_MESSAGES} messages in 10 s`);
  }
}

function signalGroup({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/** Calls `onLine` with the lines of a stream: the first 50 in ten seconds, each cut to 1000 characters. */
function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  let window = { since: 0, lines: 0 };
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    for (const line of lines) {
      const now = performance.now();
      if (now - window.since > WINDOW_MS) window = { since: now, lines: 0 };
      if (++window.lines === MAX_LINES) onLine('… further lines are left out');
      if (window.lines < MAX_LINES && line.trim() !== '') onLine(line.trim().slice(0, MAX_LINE));
    }
  });
}
