import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AppOptions } from '../../../engine/src/app/app.ts';
import { call, playModels, resultText, setStage, type Stage } from '../../run/harness.ts';

/** A tool result as the model reads it. */
export type Result = Record<string, unknown> & { readonly error?: { readonly code: string; readonly message: string } };

/** An app with a notebook `lab` (and `home` where asked), and a director `boss` that makes the calls of a test. */
export interface Lab {
  readonly stage: Stage;
  /** Folder of the notebook. */
  readonly folder: string;
  put(path: string, text: string | Uint8Array): void;
  text(path: string): string;
  remove(path: string): void;
  /** One run, in which each step makes its calls; resolves with the results in their order. A function acts between steps. */
  run(...steps: readonly (Call | readonly Call[] | (() => void))[]): Promise<Result[]>;
  /** The same calls, without waiting for the end of the run. */
  begin(...steps: readonly (Call | readonly Call[] | (() => void))[]): Promise<string>;
  results(runId: string): Promise<Result[]>;
  /** Names of the tools in the newest request. */
  offered(): readonly string[];
  close(): Promise<void>;
}

export type Call = readonly [tool: string, args: object];

export const ALL = 'scope: { notebooks: [lab], operations: [read, write, create, delete] }\n';
export const FREE = 'permissions: { allow: ["notebook_*"] }\n';

/** Opens the lab. `boss` are further lines of the director. */
export async function openLab(
  boss = ALL + FREE,
  options: Partial<AppOptions> & { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<Lab> {
  let script: (Call | readonly Call[] | (() => void))[] = [];
  let offered: readonly string[] = [];
  let turn = 0;
  const models = playModels(({ tools, messages }) => {
    offered = tools.map(({ function: { name } }) => name);
    if (messages.at(-1)?.role === 'user') turn = 0;
    let next = script.shift();
    while (typeof next === 'function') {
      next();
      next = script.shift();
    }
    if (next === undefined) return { content: 'done' };
    turn++;
    const calls = (typeof next[0] === 'string' ? [next] : next) as readonly Call[];
    return { tool_calls: calls.map(([tool, args], n) => call(`c${turn}x${n}`, tool, args)) };
  });
  const stage = await setStage({
    models,
    ...options,
    files: {
      'settings.yaml': 'roots: { lab: ./notebooks/lab }\n',
      'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [notebook]\n${boss}`,
      ...options.files,
    },
  });
  const folder = join(stage.root, 'notebooks', 'lab');
  mkdirSync(folder, { recursive: true });
  const lab: Lab = {
    stage,
    folder,
    put(path, text) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    text: (path) => readFileSync(join(folder, path), 'utf8'),
    remove: (path) => rmSync(join(folder, path)),
    async begin(...steps) {
      script = [...steps];
      return stage.begin();
    },
    async run(...steps) {
      const id = await lab.begin(...steps);
      const run = await stage.ended(id);
      if (run.status !== 'completed') throw new Error(JSON.stringify(run.error));
      return lab.results(id);
    },
    async results(runId) {
      const { dirThreadId } = await stage.run(runId);
      const messages = await stage.messages(dirThreadId);
      // Calls of one answer end in any order.
      const order = messages.flatMap((message) =>
        message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
      );
      const results = new Map<string, Result>();
      for (const message of messages)
        if (message.role === 'tool')
          results.set(message.tool_call_id, JSON.parse(resultText(message.content)) as Result);
      return order.flatMap((id): Result[] => {
        const result = results.get(id);
        return result === undefined ? [] : [result];
      });
    },
    offered: () => offered,
    close: () => stage.close(),
  };
  return lab;
}
