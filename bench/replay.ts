/**
 * What a replay costs: 1,000 stored mails at the routing tier, and 200 recorded runs with their answers. Each has 60 seconds.
 *
 *     node bench/replay.ts [--json] [mails] [runs]
 */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApp } from '../engine/src/app/app.ts';
import { openRecordings } from '../engine/src/app/scratch/open-recordings.ts';
import { openScratch } from '../engine/src/app/scratch/open-scratch.ts';
import { silentLogger } from '../engine/src/base/log.ts';
import { createRedactor } from '../engine/src/base/redact.ts';
import { filterQuestion } from '../engine/src/filter/filter-question.ts';
import { ingestMail } from '../engine/src/intake/intake.ts';
import { replayAll } from '../engine/src/replay/compare/replay-all.ts';
import type { ReplayReport } from '../engine/src/replay/difference.ts';

/** Most milliseconds of each tier. */
const LIMIT_MS = 60_000;
const HOME = fileURLToPath(new URL('..', import.meta.url));
const env = () => undefined;

const [mails = 1000, runs = 200] = process.argv
  .slice(2)
  .filter((arg) => !arg.startsWith('-'))
  .map(Number);
const place = mkdtempSync(join(tmpdir(), 'callsheet-bench-replay-'));
try {
  for (const folder of ['config', 'documents']) cpSync(join(HOME, folder), join(place, folder), { recursive: true });
  const folders = { configDir: join(place, 'config'), dataDir: join(place, 'data') };
  await record(folders);
  const { report, cpuMs } = await measure(folders);
  const tiers = report.tiers.map(({ tier, total, tookMs, missed }) => ({
    tier,
    total,
    missed,
    tookMs: Math.round(tookMs),
  }));
  const result = { tiers, cpuMs };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else {
    for (const { tier, total, missed, tookMs } of tiers)
      console.log(
        `${tier.padEnd(8)} ${total} in ${(tookMs / 1000).toFixed(1)} s${missed > 0 ? `, ${missed} missed` : ''}: ${tookMs < LIMIT_MS ? 'under' : 'OVER'} 60 s`,
      );
    console.log(`CPU      ${(cpuMs / 1000).toFixed(1)} s`);
  }
  if (tiers.some(({ tookMs }) => tookMs >= LIMIT_MS)) process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** Stores the samples again and again, and works on the last ones. */
async function record(folders: { readonly configDir: string; readonly dataDir: string }): Promise<void> {
  const samples = readdirSync(join(HOME, 'samples')).filter((name) => name.endsWith('.eml'));
  const app = await openApp({ ...folders, env, log: silentLogger, watch: false });
  await app.engine.start();
  const config = app.config.current();
  const [account] = [...config.accounts.values()];
  for (let n = 0; n < mails; n++) {
    const text = readFileSync(join(HOME, 'samples', samples[n % samples.length] ?? ''), 'utf8');
    const raw = Buffer.from(text.replace(/^Message-ID:.*$/im, `Message-ID: <${n}@example.org>`));
    const id = app.deps.ids.next('mail');
    const facts = {
      id,
      accountId: account?.id ?? '',
      ownAddresses: [account?.email ?? ''],
      receivedAt: new Date().toISOString(),
      labels: [],
    };
    const parsed = await app.mailWorkers.parse(
      { kind: 'bytes', bytes: Uint8Array.from(raw) },
      { ...facts, readsLabelHeaders: true },
    );
    const routed = (subject: string) => app.filterPool.decide(filterQuestion(subject, config));
    // Runs are recorded for the last ones only: the others have a way and no run.
    const route = async (subject: string) =>
      n < mails - runs ? { directors: [], passedOver: [], results: [] } : routed(subject);
    await ingestMail(app.deps, route, {
      mailId: id,
      accountId: facts.accountId,
      parsed,
      fetchCycleId: 'bench',
      cursor: () => [],
    });
  }
  app.engine.queued();
  for (;;) {
    const open = await app.deps.store.count('run', [['status', 'in', ['queued', 'running']]]);
    if (open === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await app.close();
}

async function measure(folders: {
  readonly configDir: string;
  readonly dataDir: string;
}): Promise<{ readonly report: ReplayReport; readonly cpuMs: number }> {
  const store = await openRecordings({ ...folders, env, redactor: createRedactor() });
  const scratch = await openScratch({ configDir: folders.configDir, env });
  const listed = await store.list({ since: '', limit: mails });
  const before = process.cpuUsage();
  const input = { against: 'itself', base: store.current, mails: listed.mails, runs: listed.runs.slice(0, runs) };
  const report = await replayAll(scratch, input);
  const { user, system } = process.cpuUsage(before);
  await scratch.close();
  await store.close();
  return { report, cpuMs: Math.round((user + system) / 1000) };
}
