import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import { forFull, isFull } from '../../available.ts';
import { startPglite } from '../../postgres.ts';
import { someTime } from '../doomed.ts';
import { doubled, takeAccount } from '../effect-faults.ts';
import { POINTS } from '../kill-loop.ts';
import { type Doom, startLite } from './lite-process.ts';
import { World } from '../outside-world.ts';
import { makeRoot } from './config.ts';
import { Office } from './office.ts';
import { describeOutcome, type Outcome, testPromises } from './promises.ts';

const KILLS = 8;
const SLOTS = 3;
const RUNS = 24;
const MAILS = 10;
/** How long one that should end itself may idle; in the control it certainly ends itself. */
const IDLE_MS = 1500;
const STUCK_MS = 60_000;
const LIFE_MS = 250;
const DRAIN_MS = 60_000;

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Resolves when one that certainly ends itself has not. */
const stuck = () => new Promise<void>((resolve) => void setTimeout(resolve, STUCK_MS).unref());

interface LoopOptions {
  readonly kills: number;
  readonly runs: number;
  readonly mails: number;
  readonly dedupes: boolean;
  /** Where the process ends itself that comes after the nth kill; undefined where it is ended from outside. */
  readonly doomOf: (n: number) => Doom | undefined;
}

/** Kills one process after the other, each replaced at once, in the middle all of them; then lets the last ones finish. */
async function endure({ kills, runs, mails, dedupes, doomOf }: LoopOptions): Promise<Outcome> {
  const server = await startPglite();
  const { root } = makeRoot();
  const world = new World(`${root}/world`);
  const { database } = server;
  const start = (slot: number, n: number) =>
    startLite({ root, slot, database, world, dedupes, latencyMs: 15, doom: doomOf(n) });
  const log = silentLogger;
  const given = { url: '', env: () => undefined, log, redactor: createRedactor(), version: '0', database };
  const all = [await start(0, 0)];
  const office = await Office.open({ root, storeHandle: await openSharedStore(given), world, log, database });
  ends.push(async () => {
    await office.close();
    // One that was doomed may have ended itself since.
    await Promise.all(all.map(({ app, life }) => (life.isCut ? undefined : app.close())));
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });
  office.target = runs;
  // A cancelled run repeats nothing, so the control would have nothing to find.
  office.mayCancel = dedupes;
  while (office.letters.length < mails) office.drop();
  for (let slot = 1; slot < SLOTS; slot++) all.push(await start(slot, slot));
  for (let n = 0; n < kills; n++) {
    const { life } = all[n % SLOTS]!;
    const limit = dedupes || !life.isDoomed ? someTime(life.isDoomed ? IDLE_MS : LIFE_MS) : stuck();
    await Promise.race([life.cutOff, limit]);
    for (const one of n === kills >> 1 ? all : [all[n % SLOTS]!]) one.life.cut();
    for (const [slot, { life: other, worker }] of all.entries()) {
      if (!other.isCut) continue;
      office.handovers.died(worker);
      await all[slot]!.bury();
      all[slot] = await start(slot, SLOTS + n);
    }
  }
  for (const { life } of all) life.spare();
  await office.settle(DRAIN_MS);
  return { ...(await takeAccount(office.app.deps.store, world)), office };
}

describe.skipIf(!isFull)(`processes on one PGlite, cut off ${KILLS} times as they act on the world${forFull}`, () => {
  let outcome: Outcome;
  let control: Outcome;

  beforeAll(async () => {
    const kills = KILLS;
    [outcome, control] = await Promise.all([
      endure({
        ...{ kills, runs: RUNS, mails: MAILS, dedupes: true },
        doomOf: (n) => (n % 2 === 0 ? undefined : { point: POINTS[(n >> 1) % POINTS.length]!, after: n }),
      }),
      // Each one dies within an effect, which the next one takes for one that did not happen.
      endure({ kills: 5, runs: 12, mails: 0, dedupes: false, doomOf: () => ({ point: 'in-effect', after: 1 }) }),
    ]);
    process.stderr.write(`shared loop on PGlite: ${KILLS} kills; ${await describeOutcome(outcome)}\n`);
  }, 180_000);

  testPromises(() => outcome);

  test('do effects twice where the far side does not dedupe and look-ups lie, and the loop finds it', () => {
    expect(doubled(control.world).length).toBeGreaterThan(0);
  });
});
