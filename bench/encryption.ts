/**
 * Measures the cost of encryption: CPU and bytes per turn of the whole engine, with a key and without, alternating in
 * one process; and the CPU for bodies alone. The model answers at once; each turn except the last adds an item. `node
 * bench/encryption.ts [--json]`.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../engine/src/base/log.ts';
import { type App, openApp } from '../engine/src/app/app.ts';
import type { Models } from '../engine/src/model/model.ts';
import { createRun } from '../engine/src/run/lifecycle/create.ts';
import { CipherKey, makeKey } from '../engine/src/store/cipher.ts';

const ROUNDS = 7;
const RUNS = 40;
const TURNS = 20;
const TEXT = 'The client is calm and asks for an offer by Friday. '.repeat(20);

const models: Models = {
  open: () => ({
    async ask({ turn }) {
      const args = JSON.stringify({ label: `Note ${turn}`, mimeType: 'text/plain', data: TEXT });
      const call = {
        id: `call_${turn}`,
        type: 'function' as const,
        function: { name: 'workspace_add_item', arguments: args },
      };
      const isLast = turn === TURNS;
      const message = {
        role: 'assistant' as const,
        content: isLast ? 'done' : null,
        ...(!isLast && { tool_calls: [call] }),
      };
      return { message, stop: isLast ? 'stop' : 'tool_calls', model: 'bench', raw: JSON.stringify({ message }) };
    },
    available: async () => ({ ok: true }),
  }),
  close: async () => {},
};

function writeConfig(dir: string): void {
  for (const folder of ['apis', 'directors']) mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'settings.yaml'), `runs: { concurrency: ${RUNS} }\n`);
  writeFileSync(join(dir, 'apis/main.yaml'), 'id: main\nprovider: openai\nmodel: bench\napiKey: ${env:KEY}\n');
  const director = { id: 'boss', name: 'Boss', apiConfigId: 'main', tools: ['workspace'] };
  writeFileSync(
    join(dir, 'directors/boss.json'),
    JSON.stringify({ ...director, budget: { maxIterations: TURNS + 5 } }),
  );
}

async function begin({ deps, config, engine }: App): Promise<void> {
  for (let n = 0; n < RUNS; n++) {
    const trigger = { kind: 'message', message: TEXT } as const;
    const request = { config: config.current(), directorId: 'boss', trigger, startedBy: 'bench' };
    await deps.store.apply((await createRun(deps, request)).changes);
  }
  engine.queued();
}

/** One round on a new data folder: microseconds of CPU and bytes of the database file, per turn. */
async function round(root: string, key: string | undefined): Promise<{ cpu: number; bytes: number }> {
  const dataDir = mkdtempSync(join(root, 'data-'));
  const env = (name: string) => (name === 'VX_MAILAGENT_KEY' ? key : 'sk-bench-key');
  const app = await openApp({
    configDir: join(root, 'config'),
    dataDir,
    env: (name) => (name === 'CALLSHEET_PLAINTEXT' ? undefined : env(name)),
    log: silentLogger,
    models,
    watch: false,
  });
  await app.engine.start();
  const over = Promise.withResolvers<void>();
  let ended = 0;
  app.deps.live.subscribe(({ name, data }) => {
    const { status } = data as { status?: string };
    if (name === 'run' && status === 'failed') over.reject(new Error('a run failed'));
    if (name === 'run' && status === 'completed' && ++ended === RUNS) over.resolve();
  });
  const before = process.cpuUsage();
  await begin(app);
  await over.promise;
  const { user, system } = process.cpuUsage(before);
  await app.close();
  const bytes = statSync(join(dataDir, 'callsheet.db')).size;
  rmSync(dataDir, { recursive: true });
  return { cpu: (user + system) / (RUNS * TURNS), bytes: bytes / (RUNS * TURNS) };
}

/** Milliseconds of CPU to seal and to open a megabyte in bodies of one length. */
function bodies(length: number): { sealMs: number; openMs: number } {
  const key = new CipherKey(makeKey());
  const body = 'x'.repeat(length);
  const count = Math.ceil((32 * 1024 * 1024) / length);
  const perMb = (work: () => void) => {
    const before = process.cpuUsage();
    for (let n = 0; n < count; n++) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / 32;
  };
  const sealed = key.seal(body, 'bench');
  perMb(() => void key.seal(body, 'bench'));
  return {
    sealMs: perMb(() => void key.seal(body, 'bench')),
    openMs: perMb(() => void key.open(sealed, 'bench')?.toString('utf8')),
  };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const root = mkdtempSync(join(tmpdir(), 'callsheet-bench-'));
try {
  writeConfig(join(root, 'config'));
  const plain: Awaited<ReturnType<typeof round>>[] = [];
  const sealed: Awaited<ReturnType<typeof round>>[] = [];
  const key = makeKey();
  // The first round of each mode only warms up the code.
  for (let n = 0; n <= ROUNDS; n++) {
    const rounds = [await round(root, undefined), await round(root, key)] as const;
    if (n > 0) plain.push(rounds[0]);
    if (n > 0) sealed.push(rounds[1]);
  }
  const figures = (rounds: readonly { cpu: number; bytes: number }[]) => ({
    cpuPerTurnUs: Math.round(median(rounds.map(({ cpu }) => cpu))),
    bytesPerTurn: Math.round(median(rounds.map(({ bytes }) => bytes))),
  });
  const result = {
    plaintext: figures(plain),
    encrypted: figures(sealed),
    ratio: Number(median(plain.map(({ cpu }, n) => (sealed[n]?.cpu ?? NaN) / cpu)).toFixed(3)),
    bodies: Object.fromEntries([500, 4000, 262_144].map((length) => [length, bodies(length)])),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else {
    for (const [mode, { cpuPerTurnUs, bytesPerTurn }] of [
      ['plaintext', result.plaintext],
      ['encrypted', result.encrypted],
    ] as const)
      console.log(`${mode}: ${cpuPerTurnUs} µs of CPU and ${bytesPerTurn} bytes a turn`);
    console.log(`encrypted / plaintext: ${result.ratio} (median of ${ROUNDS} rounds of ${RUNS} runs × ${TURNS} turns)`);
    for (const [length, { sealMs, openMs }] of Object.entries(result.bodies))
      console.log(`bodies of ${length} bytes: ${sealMs.toFixed(2)} ms a MB to seal, ${openMs.toFixed(2)} to open`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
