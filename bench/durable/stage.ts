import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../engine/src/base/log.ts';
import { type App, openApp } from '../../engine/src/app/app.ts';
import type { ModelAnswer, ModelRequest, Models } from '../../engine/src/model/model.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import type { WorldTool } from '../../engine/src/tool/tool.ts';

const MAIL =
  'Dear team, please find below the points we discussed on the phone about the delivery, the price and the warranty. ';

/** A message of about a kilobyte, the size of a typical mail. */
export const TASK = MAIL.repeat(8);

const SETTINGS = 'runs: { concurrency: 10000 }\n';
const API =
  'id: main\nprovider: openai\nmodel: in-process\napiKey: "${env:KEY}"\nlimits: { concurrency: 1000 }\nretry: { attempts: 1 }\n';
const DIRECTOR =
  'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace, bench]\nbudget: { maxIterations: 200, maxMinutes: 60 }\n';

/** A tool with a write effect: without a permission, a person must approve it. */
export const send: WorldTool = {
  name: 'bench_send',
  family: 'bench',
  effects: 'write',
  repeat: 'key',
  description: 'Sends a reply.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: () => Promise.resolve('sent'),
};

/** Creates a temporary folder with a config of one director. It must be on a disk, not in memory. */
export async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
  for (const [name, text] of [
    ['settings.yaml', SETTINGS],
    ['apis/main.yaml', API],
    ['directors/boss.yaml', DIRECTOR],
  ] as const) {
    const file = join(root, 'config', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return root;
}

/** Deletes the folder of a bench. */
export function removeRoot(root: string): Promise<void> {
  return rm(root, { recursive: true, force: true });
}

/** Opens the whole app on SQLite at synchronous=FULL, with models that answer in this process. Starts nothing. */
export async function openStage(
  root: string,
  ask: (request: ModelRequest) => Promise<ModelAnswer>,
  onCommit: () => void = () => {},
): Promise<App> {
  const models: Models = {
    open: () => ({ ask, available: () => Promise.resolve({ ok: true }) }),
    close: () => Promise.resolve(),
  };
  const app = await openApp({
    configDir: join(root, 'config'),
    dataDir: join(root, 'data'),
    env: (name) => (name === 'KEY' ? 'sk-bench' : undefined),
    log: silentLogger,
    models,
    tools: [send],
    watch: false,
    probe: (point) => {
      if (point === 'after-commit') onCommit();
    },
  });
  const [problem] = app.config.problems();
  if (problem !== undefined) throw new Error(`${problem.file}: ${problem.message}`);
  return app;
}

/** Stores one new run; the caller then calls `engine.queued()`. */
export async function addRun({ deps, config }: App): Promise<string> {
  const { run, changes } = await createRun(deps, {
    config: config.current(),
    directorId: 'boss',
    trigger: { kind: 'message', message: TASK },
    startedBy: 'bench',
  });
  await deps.store.apply(changes);
  return run.id;
}

/** Calls `listen` with every new status of a run, once it is on disk. */
export function onStatus({ deps }: App, listen: (id: string, status: string) => void): void {
  deps.live.subscribe(({ name, data }) => {
    if (name === 'run') listen(String(data['id']), String(data['status']));
  });
}

/** Runs `count` runs to their end, with `width` concurrent ones. */
export async function runMany(app: App, count: number, width: number): Promise<void> {
  const ended = new Map<string, () => void>();
  onStatus(app, (id, status) => {
    if (status === 'failed') throw new Error(`run ${id} failed`);
    if (status === 'completed') ended.get(id)?.();
  });
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const id = await addRun(app);
      const end = new Promise<void>((resolve) => ended.set(id, resolve));
      app.engine.queued();
      await end;
      ended.delete(id);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** An answer with one tool call, or the final answer; `raw` is as long as a real provider's answer. */
export function answer(turn: number, call?: { name: string; args: unknown }): ModelAnswer {
  const tool_calls =
    call === undefined
      ? undefined
      : [
          {
            id: `call_${turn}`,
            type: 'function' as const,
            function: { name: call.name, arguments: JSON.stringify(call.args) },
          },
        ];
  const message = {
    role: 'assistant' as const,
    content: call === undefined ? 'All points are in the workspace.' : null,
    ...(tool_calls !== undefined && { tool_calls }),
  };
  const finish_reason = call === undefined ? 'stop' : 'tool_calls';
  return {
    message,
    stop: finish_reason,
    model: 'in-process',
    usage: { inputTokens: 400, outputTokens: 60 },
    raw: JSON.stringify({
      id: 'chatcmpl-bench-0123456789',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'in-process',
      choices: [{ index: 0, message: { ...message, refusal: null, annotations: [] }, logprobs: null, finish_reason }],
      usage: { prompt_tokens: 400, completion_tokens: 60, total_tokens: 460 },
    }),
  };
}

/** A model that adds an item of about 300 bytes on each of `turns` turns, then ends. */
export function addItems(turns: number): (turn: number) => ModelAnswer {
  return (turn) => {
    if (turn > turns) return answer(turn);
    const data = `${turn}. The supplier delivers in week ${turn % 52}. `.padEnd(240, 'Ana owns it. ');
    return answer(turn, {
      name: 'workspace_add_item',
      args: { label: `Point ${turn}`, mimeType: 'text/plain', data, tags: ['quote'] },
    });
  };
}
