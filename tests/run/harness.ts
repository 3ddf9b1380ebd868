import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../engine/src/base/log.ts';
import { unwrapped } from '../../engine/src/config/prompt/envelope.ts';
import { type App, type AppOptions, openApp } from '../../engine/src/app/app.ts';
import type { Message, ModelAnswer, ModelRequest, Models, ToolCall } from '../../engine/src/model/model.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import { readMessages } from '../../engine/src/run/thread.ts';
import { recordOf, type Run } from '../../engine/src/run/run.ts';
import { putEmptyDatabase } from './empty-database.ts';
import { sharedChecker, sharedRecogniser, sharedThreads } from './shared-threads.ts';
import { nextTry, PATIENCE_MS } from '../next-try.ts';

/** What a stand-in for a model does with a request: an answer, or an error to throw. */
export type Play = (
  request: ModelRequest,
) => Partial<ModelAnswer['message']> | Promise<Partial<ModelAnswer['message']>>;

/** A tool call with arguments as a model would write them. */
export function call(id: string, name: string, args: unknown): ToolCall {
  return {
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

/** The result of a tool as the tool returned it: models get those of strangers in an envelope. */
export function resultText(content: string | null): string {
  return unwrapped(content ?? '', ['RESULT']);
}

/** Models that answer as the test says. */
export function playModels(play: Play): Models {
  return {
    open: () => ({
      async ask(request) {
        const message = { role: 'assistant' as const, content: null, ...(await play(request)) };
        const stop =
          message.refusal !== undefined ? 'refusal' : message.tool_calls === undefined ? 'stop' : 'tool_calls';
        return {
          message,
          stop,
          model: 'test',
          usage: { inputTokens: 10, outputTokens: 1 },
          raw: JSON.stringify({ message }),
        };
      },
      available: async () => ({ ok: true }),
    }),
    close: async () => {},
  };
}

const API = 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nretry: { attempts: 3, backoffSeconds: 1 }\n';

/** Config files by path, on top of an api `main` and a director `boss` with the agent `helper`. */
export const BASIC: Readonly<Record<string, string>> = {
  'apis/main.yaml': API,
  'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\n',
  'agents/helper.yaml': 'id: helper\nname: Helper\ndescription: Helps.\n',
};

export interface Stage {
  readonly app: App;
  readonly root: string;
  /** Starts a run of a director on a message; resolves once it is stored. */
  begin(directorId?: string, message?: string): Promise<string>;
  run(id: string): Promise<Run>;
  /** The run, once `state` holds for it. */
  until(id: string, state: (run: Run) => boolean): Promise<Run>;
  ended(id: string): Promise<Run>;
  messages(threadId: string): Promise<Message[]>;
  write(files: Readonly<Record<string, string>>): void;
  /** Closes the app and opens it anew on the same folders. */
  restart(options?: Partial<AppOptions>): Promise<void>;
  close(): Promise<void>;
}

/** A whole app on folders of its own, with models that play. */
export async function setStage(
  options: Partial<AppOptions> & { files?: Readonly<Record<string, string>> } = {},
): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-run-'));
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      const file = join(root, 'config', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  };
  write({ ...BASIC, ...options.files });
  const open = (more: Partial<AppOptions> = {}) =>
    openApp({
      configDir: join(root, 'config'),
      dataDir: join(root, 'data'),
      env: () => 'sk-test-key',
      log: silentLogger,
      watch: false,
      threads: sharedThreads,
      recogniser: sharedRecogniser,
      checker: sharedChecker,
      ...options,
      ...more,
    });
  putEmptyDatabase(join(root, 'data'));
  let app = await open();
  // A process of a shared store also joins the others, or its engine would begin nothing.
  const start = () => (app.joined === undefined ? app.engine.start() : app.start());
  await start();
  const stage: Stage = {
    get app() {
      return app;
    },
    root,
    async begin(directorId = 'boss', message = 'do it') {
      const config = app.config.current();
      const { run, changes } = await createRun(app.deps, {
        config,
        directorId,
        trigger: { kind: 'message', message },
        startedBy: 'test',
      });
      await app.deps.store.apply(changes);
      app.engine.queued();
      return run.id;
    },
    async run(id) {
      const row = await app.deps.store.get('run', { id });
      if (row === undefined) throw new Error(`no run ${id}`);
      return recordOf(row).run;
    },
    async until(id, state) {
      for (let tries = 0, began = Date.now(); ; tries++) {
        const run = await stage.run(id);
        if (state(run)) return run;
        if (Date.now() - began > PATIENCE_MS) throw new Error(`still ${run.status}: ${JSON.stringify(run.error)}`);
        await nextTry(tries);
      }
    },
    ended: (id) => stage.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status)),
    messages: (threadId) => readMessages(app.deps.store, threadId),
    write,
    async restart(more = {}) {
      await app.close();
      app = await open(more);
      await start();
    },
    async close() {
      await app.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return stage;
}

/**
 * Faults of a transcript by OpenAI's rule: after an assistant message with tool calls comes exactly one tool message a
 * call, before anything else.
 */
export function transcriptFaults(messages: readonly Message[], isOver = true): string[] {
  const faults: string[] = [];
  let open = new Set<string>();
  for (const [n, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) faults.push(`${n}: answers no open call (${message.tool_call_id})`);
      continue;
    }
    if (open.size > 0) faults.push(`${n}: ${message.role} while calls are open (${[...open].join(', ')})`);
    if (message.role !== 'assistant' || message.tool_calls === undefined) continue;
    open = new Set(message.tool_calls.map(({ id }) => id));
    if (open.size !== message.tool_calls.length) faults.push(`${n}: ids repeat`);
  }
  if (isOver && open.size > 0) faults.push(`end: never answered (${[...open].join(', ')})`);
  return faults;
}
