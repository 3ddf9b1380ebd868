/**
 * Runs Callsheet in the harness that compares it with peers: the whole engine with real config, a real store at
 * synchronous=FULL, provider events, entries, transcript and workspace items. The scripted model of the harness calls
 * `workspace_add_item` with its own arguments and counts the answers. So the driver replaces that tool: it has the
 * schema of the harness, stores a real item, and returns the text of the harness.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../engine/src/base/log.ts';
import { limitHeapGrowth } from '../../engine/src/cli/terminal/heap-growth.ts';
import { openApp } from '../../engine/src/app/app.ts';
import { openSharedStore } from '../../engine/src/app/shared-store.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import type { Message } from '../../engine/src/model/model.ts';
import { createRun } from '../../engine/src/run/lifecycle/create.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import type { LocalTool } from '../../engine/src/tool/tool.ts';
import { addItem } from '../../engine/src/workspace/items.ts';

interface Common {
  readonly MODEL: string;
  readonly SYSTEM: string;
  readonly TOOL_NAME: string;
  readonly TOOL_DESC: string;
  readonly TOOL_SCHEMA: object;
  readonly APIKEY: string;
  mail(runId: string, turns: number): string;
  workspaceAddItem(args: unknown): string;
}

function harnessTool(common: Common): LocalTool {
  return {
    name: common.TOOL_NAME,
    family: 'workspace',
    effects: 'none',
    description: common.TOOL_DESC,
    parameters: common.TOOL_SCHEMA,
    async run(args, { caller, draft, now, newId }) {
      const input = { label: String(args['title']), data: String(args['body']), tags: [String(args['kind'])] };
      const context = {
        ...caller.origin,
        createdBy: 'director' as const,
        tool: common.TOOL_NAME,
        conversationId: caller.threadId,
      };
      await addItem(draft, caller.workspaceId, input, { id: newId('item'), now, context });
      return common.workspaceAddItem(args);
    },
  };
}

function writeConfig(dir: string, common: Common, baseURL: string): void {
  for (const folder of ['apis', 'directors']) mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'settings.yaml'), 'runs: { concurrency: 1000 }\n');
  writeFileSync(
    join(dir, 'apis', 'main.yaml'),
    `id: main\nprovider: openai\nmodel: ${common.MODEL}\nbaseUrl: ${baseURL}\napiKey: "\${env:BENCH_KEY}"\nstream: false\nlimits: { concurrency: 1000 }\nretry: { attempts: 1 }\n`,
  );
  const director = {
    id: 'bench',
    name: 'Bench',
    apiConfigId: 'main',
    tools: [common.TOOL_NAME],
    permissions: { deny: ['list_*', 'describe_*'] },
    budget: { maxIterations: 200, maxMinutes: 60 },
    prompt: [
      { role: 'system', content: common.SYSTEM },
      { role: 'user', content: '{{message}}' },
    ],
  };
  writeFileSync(join(dir, 'directors', 'bench.json'), JSON.stringify(director));
}

/** What the harness gives: `mode` is `postgres` for a store in the database of `PG_URL` instead of the embedded one. */
interface Given {
  readonly baseURL: string;
  readonly dir: string;
  readonly mode?: string;
  readonly common: Common;
}

/** What an app on the shared store takes besides, and the bytes that its database has written. */
async function sharedParts(url: string, env: (name: string) => string | undefined) {
  const redactor = createRedactor();
  const storeHandle = await openSharedStore({ url, env, log: silentLogger, redactor, version: 'bench' });
  const probe = openPg(url);
  const bytes = async () => {
    const { rows } = await probe.query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS bytes");
    return Number(rows[0]?.['bytes']);
  };
  return { app: { storeHandle, redactor, role: 'start' as const }, bytes, close: () => probe.close() };
}

/**
 * The interface that the harness calls: `run` resolves with the final text once the run has ended and is on disk. `bytes`, on
 * PostgreSQL alone, is what its write-ahead log has taken so far.
 */
export async function create({ baseURL, dir, mode, common }: Given) {
  const configDir = join(dir, 'config');
  writeConfig(configDir, common, baseURL);
  const env = (name: string) => (name === 'BENCH_KEY' ? common.APIKEY : undefined);
  const shared = mode === 'postgres' ? await sharedParts(process.env['PG_URL'] ?? '', env) : undefined;
  const app = await openApp({
    ...shared?.app,
    configDir,
    dataDir: join(dir, 'data'),
    env,
    log: silentLogger,
    tools: [harnessTool(common)],
    watch: false,
  });
  await (shared === undefined ? app.engine.start() : app.start());
  const { deps, engine } = app;
  const waiting = new Map<string, () => void>();
  let runs = 0;
  deps.live.subscribe(({ name, data }) => {
    if (name === 'run' && ['completed', 'failed', 'cancelled'].includes(String(data['status'])))
      waiting.get(String(data['id']))?.();
  });
  return {
    async run(runId: string, turns: number): Promise<string> {
      const trigger = { kind: 'message', message: common.mail(runId, turns) } as const;
      const config = app.config.current();
      const { run, changes } = await createRun(deps, { config, directorId: 'bench', trigger, startedBy: 'bench' });
      const ended = new Promise<void>((resolve) => waiting.set(run.id, resolve));
      await deps.store.apply(changes);
      engine.queued();
      await ended;
      waiting.delete(run.id);
      // A server does so after its first minute.
      if (++runs === 50) limitHeapGrowth();
      const row = await deps.store.get('run', { id: run.id });
      if (row === undefined || row.status !== 'completed')
        throw new Error(`run ${run.id} ${row?.status}: ${row?.body}`);
      const [last] = await deps.store.list('message', {
        where: [['thread', '=', recordOf(row).run.dirThreadId]],
        order: [['seq', 'desc']],
        limit: 1,
      });
      const answer = JSON.parse(last?.body ?? 'null') as Message | null;
      if (answer?.role !== 'assistant' || answer.content === null) throw new Error(`run ${run.id} has no answer`);
      return answer.content;
    },
    ...(shared && { bytes: shared.bytes }),
    async close() {
      await app.close();
      await shared?.close();
    },
  };
}
