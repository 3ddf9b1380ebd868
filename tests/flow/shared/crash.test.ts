import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { forPostgres, isFull, longPostgres, postgres } from '../../available.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { isAboutUnknown, takeAccount } from '../effect-faults.ts';
import { describeKills, killCount, POINTS } from '../kill-loop.ts';
import { World } from '../outside-world.ts';
import { bobOf, makeRoot } from './config.ts';
import { type Blows, SharedLoop } from './loop.ts';
import { Office } from './office.ts';
import { describeOutcome, type Outcome, testPromises } from './promises.ts';

const KILLS = killCount(8, 100, isFull);
const isWanted = process.env['KILLS'] === undefined ? longPostgres !== undefined : postgres !== undefined;
const FREEZES = KILLS < 40 ? 0 : 8;
const RESTARTS = KILLS < 40 ? 1 : 10;
const MAILS = Math.min(60, KILLS * 2);
const RUNS_A_LIFE = 6;
const DRAIN_MS = 300_000;

describe.skipIf(!isWanted)(
  `processes on one PostgreSQL, killed ${KILLS} times while their runs act on the world${forPostgres}`,
  () => {
    let outcome: Outcome & { readonly blows: Blows };
    const ends: (() => unknown)[] = [];
    /** Whether the folder stays, for people who have to find out what happened. */
    let isKept = true;

    beforeAll(
      async () => {
        const server = await startPostgres();
        ends.push(() => server.remove());
        const ground = makeRoot();
        const { root } = ground;
        ends.push(() => {
          if (isKept) process.stderr.write(`what the processes said and did is in ${root}/logs and ${root}/world\n`);
          else rmSync(root, { recursive: true, force: true });
        });
        outcome = await endure(server, ground, ends);
        isKept = false;
      },
      KILLS * 10_000 + 240_000,
    );

    beforeEach(({ onTestFailed }) => onTestFailed(() => void (isKept = true)));

    afterAll(async () => {
      for (const end of ends.reverse()) await end();
    });

    testPromises(() => outcome);

    test('have gone through all that was meant for them', () => {
      const { blows, approvals } = outcome;
      expect(blows.restarts).toBe(RESTARTS);
      expect(blows.freezes).toBeGreaterThanOrEqual(FREEZES / 2);
      expect(approvals.filter(isAboutUnknown).length).toBeGreaterThan(0);
    });
  },
);

/** Kills, freezes and restarts, lets fresh processes finish everything, and reads what is left. */
async function endure(
  server: PostgresServer,
  { root, write }: ReturnType<typeof makeRoot>,
  ends: (() => unknown)[],
): Promise<Outcome & { readonly blows: Blows }> {
  const world = new World(`${root}/world`);
  const url = await server.createDatabase();
  const database = openPg(url);
  ends.push(() => database.close());
  let office: Office | undefined;
  const loop = new SharedLoop({
    ...{ root, server, kills: KILLS, freezes: FREEZES, restarts: RESTARTS, points: POINTS, maxPasses: 15 },
    provoked: { point: 'in-effect', env: { KILL_TOOL: 'fire' } },
    lifeMs: isFull ? 5000 : 2500,
    env: { ROOT: root, DATABASE_URL: url, LATENCY_MS: '15' },
    onLife(n) {
      if (office === undefined) return;
      office.target = (n + 1) * RUNS_A_LIFE;
      while (office.letters.length < Math.min(MAILS, ((n + 1) * MAILS) / (KILLS * 0.7))) office.drop();
      if (n % 15 === 14) write('agents/bob.yaml', bobOf(n));
    },
    async openOffice() {
      const log = silentLogger;
      const given = { url, env: () => undefined, log, redactor: createRedactor(), version: '0' };
      office = await Office.open({ root, storeHandle: await openSharedStore(given), world, log, database });
      office.target = RUNS_A_LIFE * 3;
      return office;
    },
  });
  ends.push(async () => {
    loop.killAll();
    await office?.close();
  });
  const began = performance.now();
  const opened = await loop.run();
  const looped = performance.now();
  while (opened.letters.length < MAILS) opened.drop();
  await loop.drain(DRAIN_MS);
  const seconds = (from: number, to: number) => Math.round((to - from) / 1000);
  const outcome = { ...(await takeAccount(opened.app.deps.store, world)), office: opened, blows: loop.blows };
  const { blows } = loop;
  process.stderr.write(
    `shared loop: ${describeKills(blows)}, ${blows.together} times all at once; ${blows.freezes} times frozen; ` +
      `server away ${blows.restarts} times, ${blows.stillborn} processes found none; ${await describeOutcome(outcome)}; ` +
      `${seconds(began, looped)} s of blows, ${seconds(looped, performance.now())} s until all was over\n`,
  );
  return outcome;
}
