import { expect, test } from 'vitest';
import { mailOf } from '../../../engine/src/mail/mail-store.ts';
import { recordOf } from '../../../engine/src/run/run.ts';
import { type Account, denied, doubled, neverDone, offRecord, saidDone, unasked } from '../effect-faults.ts';
import { brokenTranscripts, gapsInLogs, leftOpen, taskFaults } from '../faults.ts';
import { planFaults, plansDone } from '../plan-faults.ts';
import type { Office } from './office.ts';

export interface Outcome extends Account {
  readonly office: Office;
}

/** What several processes on one store keep, whatever was done to them. */
export function testPromises(outcomeOf: () => Outcome): void {
  test('have done no effect twice', () => {
    expect(doubled(outcomeOf().world)).toEqual([]);
  });

  test('have done every effect that they say they did', () => {
    expect(neverDone(outcomeOf())).toEqual([]);
    expect(saidDone(outcomeOf()).length).toBeGreaterThan(0);
  });

  test('have put every effect on record before it happened, with the arguments that it happened with', () => {
    expect(offRecord(outcomeOf())).toEqual([]);
  });

  test('never say of what happened that it did not', async () => {
    expect(await denied(outcomeOf())).toEqual([]);
  });

  test('have asked a person where they could not know', () => {
    expect(unasked(outcomeOf())).toEqual([]);
  });

  test('have taken every mail exactly once, and started exactly the runs that the filters say', async () => {
    const { store, office } = outcomeOf();
    const mails = (await store.list('mail')).map((row) => mailOf(row));
    const taken = mails.map(({ providerId }) => providerId);
    expect(taken.toSorted()).toEqual(office.letters.map(({ sha256 }) => sha256).toSorted());
    const directors = new Map(office.letters.map((letter) => [letter.sha256, letter.directors]));
    for (const { summary, providerId } of mails) {
      const runs = await store.list('run', { where: [['mail', '=', summary.id]] });
      const names = runs.map((row) => recordOf(row).run.directorId);
      expect(names.toSorted(), summary.subject).toEqual(directors.get(providerId));
    }
  });

  test('have valid transcripts, with every call answered once', async () => {
    expect(await brokenTranscripts(outcomeOf().store)).toEqual([]);
  });

  test('have logs without a gap', async () => {
    expect(await gapsInLogs(outcomeOf().store)).toEqual([]);
  });

  test('have tried each step of their plans as often as they say, and answered each wish once', async () => {
    expect(await planFaults(outcomeOf().store)).toEqual([]);
    expect(await plansDone(outcomeOf().store)).toBeGreaterThan(0);
  });

  test('have started each task once', async () => {
    expect(await taskFaults(outcomeOf().store)).toEqual([]);
    expect(await outcomeOf().store.count('task')).toBeGreaterThan(0);
  });

  test('have nothing left to do', async () => {
    const { store, office } = outcomeOf();
    expect(await leftOpen(store)).toEqual([]);
    expect(await store.list('lease')).toEqual([]);
    // Looks for later times are left of runs that are over: whoever gets them does nothing.
    expect(await office.storeHandle.shared?.queue.stats()).toMatchObject({ active: 0 });
  });
}

/** What happened in a loop, as a line for people. */
export async function describeOutcome({ store, calls, world, approvals, office }: Outcome): Promise<string> {
  const runs = await store.list('run');
  const cancelled = runs.filter(({ status }) => status === 'cancelled').length;
  const unknown = approvals.filter(({ reason }) => reason.includes('may have happened')).length;
  return (
    `${runs.length} runs, ${cancelled} of them cancelled; ${calls.size} calls, ${world.length} effects, ` +
    `${approvals.length} approvals, ${unknown} of them because the outcome was unknown; ` +
    `${office.letters.length} mails; ${office.handovers.describe()}`
  );
}
