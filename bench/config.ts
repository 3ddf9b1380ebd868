/**
 * Measures save-to-applied: the time from the end of a save to the new snapshot, with a real folder and a real watcher,
 * with 1,000 and 10,000 documents; and the processor time of the longest turn of the event loop at a save, and while a document
 * of 200 KB is saved.
 * `node bench/config.ts [--json]`.
 */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../engine/src/base/clock.ts';
import { silentLogger } from '../engine/src/base/log.ts';
import { DISCOVERY_TOOLS } from '../engine/src/config/permissions.ts';
import type { ConfigService, ToolCatalog, LastGoodStore } from '../engine/src/config/config.ts';
import { openConfig } from '../engine/src/config/service.ts';
import { longestTurn } from '../tests/longest-turn.ts';

const SAVES = 30;
const catalog: ToolCatalog = {
  tools: new Map([['workspace_add_item', { family: 'workspace', effects: 'none' }]]),
  aliases: new Map(),
  discovery: DISCOVERY_TOOLS,
};
const revisionStore: LastGoodStore = {
  loadGood: () => Promise.resolve(new Map()),
  saveGood: () => Promise.resolve(),
  loadRevision: () => Promise.resolve(undefined),
};

/**
 * Writes one API, and equally many directors, agents and filters: each director has two agents, each filter one
 * director.
 */
async function fill(dir: string, count: number): Promise<void> {
  for (const folder of ['apis', 'directors', 'agents', 'filters']) await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, 'apis/main.yaml'), 'id: main\nprovider: ollama\nmodel: qwen3:8b\n');
  const each = Math.floor(count / 3);
  for (let i = 0; i < each; i++) {
    await writeFile(join(dir, `agents/a${i}.yaml`), agent(i, 'calm'));
    const asks = `agents: [a${i}, a${(i + 1) % each}]`;
    const prompt =
      'prompt:\n  - role: system\n    content: You direct specialists.\n  - role: user\n    content: "{{email}}"\n';
    await writeFile(
      join(dir, `directors/d${i}.yaml`),
      `id: d${i}\nname: Director ${i}\napiConfigId: main\n${asks}\n${prompt}`,
    );
    await writeFile(
      join(dir, `filters/f${i}.yaml`),
      `id: f${i}\nfield: Subject\nregex: "(?i)case ${i}"\ndirectorId: d${i}\n`,
    );
  }
}

function agent(i: number, mood: string): string {
  return `# yaml-language-server: $schema=../../schemas/agent.schema.json\nid: a${i}\nname: Agent ${i}\ndescription: Is ${mood}.\ntools: [workspace]\nprompt:\n  - role: system\n    content: Answer in one line.\n`;
}

/** Milliseconds from the end of the save to the new snapshot. Every second save is by rename, as in vim. */
async function saveToApplied(config: ConfigService, dir: string, round: number): Promise<number> {
  const path = join(dir, `agents/a${round}.yaml`);
  const text = agent(round, `busy ${round}`);
  const applied = new Promise<number>((resolve) => {
    const stop = config.onChange(({ changed }) => {
      if (!changed.includes(`agents/a${round}`)) return;
      stop();
      resolve(performance.now());
    });
  });
  if (round % 2 === 0) await writeFile(path, text);
  else {
    await writeFile(`${path}.tmp`, text);
    await rename(`${path}.tmp`, path);
  }
  const saved = performance.now();
  return (await applied) - saved;
}

/** Processor time, in milliseconds, of the longest turn of the event loop while a new document of 200 KB is read and applied. */
async function largeTurnMs(config: ConfigService, dir: string): Promise<number> {
  const answers = Array.from(
    { length: 900 },
    (_, i) => `  - when: { text: "word${i}" }\n    say: "${'answer '.repeat(28)}"\n`,
  );
  const { longestMs } = await longestTurn(async () => {
    await writeFile(join(dir, 'apis/large.yaml'), `id: large\nprovider: scripted\nscript:\n${answers.join('')}`);
    await config.refresh();
  });
  return longestMs;
}

/** Measures one row of the table. */
export async function measure(count: number): Promise<Record<string, number>> {
  const base = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
  const dir = join(base, 'config');
  await fill(dir, count);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const start = performance.now();
  const config = await openConfig({
    dir,
    revisionStore,
    catalog,
    env: () => undefined,
    log: silentLogger,
    clock: systemClock,
  });
  const openMs = performance.now() - start;
  // The last turn ends after the folder is open.
  await pause(5);
  const openLagMs = loop.max / 1e6;
  await config.watching();
  await config.refresh();
  loop.reset();
  const times: number[] = [];
  for (let round = 0; round < SAVES; round++) {
    times.push(await saveToApplied(config, dir, round));
    await pause(50);
  }
  const editLagMs = loop.max / 1e6;
  const turns: number[] = [];
  for (let round = SAVES; round < 2 * SAVES; round++)
    turns.push((await longestTurn(() => saveToApplied(config, dir, round))).longestMs);
  turns.sort((a, b) => a - b);
  const largeMs = await largeTurnMs(config, dir);
  await config.close();
  await rm(base, { recursive: true });
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? NaN;
  return {
    documents: config.documents().length,
    openMs,
    openLagMs,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    maxMs: at(1),
    editLagMs,
    saveTurnMs: turns[turns.length >> 1] ?? NaN,
    largeTurnMs: largeMs,
  };
}

if (import.meta.main) {
  for (const count of [1_000, 10_000]) {
    const row = Object.entries(await measure(count)).map(([key, value]) => [key, Math.round(value * 10) / 10] as const);
    const text = process.argv.includes('--json')
      ? JSON.stringify(Object.fromEntries(row))
      : row.map(([k, v]) => `${k} ${v}`).join('  ');
    process.stdout.write(`save-to-applied  ${text}\n`);
  }
}
