import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { recordOf, type Run } from '../../engine/src/run/run.ts';
import { listSchedules } from '../../engine/src/task/schedule.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

/** 2027-03-26T05:00:00Z, a Friday: 06:00 in Berlin, two days before the clocks are set forward. */
const NOW = Date.UTC(2027, 2, 26, 5);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const BOSS = 'id: boss\nname: Boss\napiConfigId: main\nprompt: [{ role: user, content: "{{message}}" }]\n';
const daily = (cron: string, rest = '') => ({
  'directors/boss.yaml': `${BOSS}schedule: { cron: '${cron}', message: Prepare the day${rest} }\n`,
});

let stage: Stage;
let clock: SimulatedClock;
afterEach(() => stage.close());

async function open(files: Readonly<Record<string, string>>): Promise<void> {
  clock = new SimulatedClock(NOW);
  stage = await setStage({
    clock,
    files: { 'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\n', ...files },
    models: playModels(() => ({ content: 'Done.' })),
  });
  stage.app.notices.start();
  await scheduled();
}

const runs = async (): Promise<Run[]> =>
  (await stage.app.deps.store.list('run', { order: [['id', 'asc']] })).map((row) => recordOf(row).run);
/** When runs were due, and when they were started. */
const starts = async () =>
  (await runs()).map(({ trigger, createdAt }) => [trigger.dueAt?.slice(0, 16), createdAt.slice(0, 16)]);
const next = async () => (await listSchedules(stage.app.deps)).map(({ nextAt }) => nextAt?.slice(0, 16));

/** Waits until the loop has looked at the schedules: each has a row with its times, and nothing is due. */
async function scheduled(): Promise<void> {
  const isSettled = async () => {
    const rows = await stage.app.deps.store.list('schedule');
    const wanted = [...stage.app.config.current().directors.values()].filter(({ schedule }) => schedule !== undefined);
    const isFollowed = wanted.every(({ id, schedule }) =>
      rows.some(({ director, body }) => director === id && body.includes(`"${schedule?.cron}"`)),
    );
    return isFollowed && rows.length === wanted.length && rows.every(({ due }) => due > clock.now());
  };
  await expect.poll(isSettled).toBe(true);
}

/** Time passes, in steps of an hour. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HOUR) {
    clock.advance(Math.min(HOUR, left));
    await scheduled();
  }
}

describe('a schedule', () => {
  test('starts its director at its times, with its message, also where the clocks change', async () => {
    await open(daily('30 2 * * *'));
    expect(await next()).toEqual(['2027-03-27T01:30']);
    await pass(3 * DAY);
    expect(await starts()).toEqual([
      ['2027-03-27T01:30', '2027-03-27T02:00'],
      ['2027-03-28T01:00', '2027-03-28T01:00'],
      ['2027-03-29T00:30', '2027-03-29T01:00'],
    ]);
    const [run] = await runs();
    expect(await stage.ended(run?.id ?? '')).toMatchObject({
      ...{ status: 'completed', startedBy: 'system', directorId: 'boss' },
      trigger: { kind: 'date', message: 'Prepare the day', dueAt: '2027-03-27T01:30:00.000Z' },
    });
    const [listed] = await listSchedules(stage.app.deps);
    expect(listed).toMatchObject({ lastAt: '2027-03-29T01:00:00.000Z', timeZone: 'Europe/Berlin' });
  });

  test('makes up for what it missed while no process ran, once', async () => {
    await open(daily('0 8 * * *'));
    await stage.app.notices.stop();
    clock.freeze(5 * DAY);
    await stage.restart();
    stage.app.notices.start();
    await scheduled();
    expect(await starts()).toEqual([['2027-03-26T07:00', '2027-03-31T05:00']]);
    expect(await next()).toEqual(['2027-03-31T06:00']);
  });

  test('starts nothing again after the clock was set back, also across a restart and a change of its time', async () => {
    await open(daily('0 * * * *'));
    await pass(2 * HOUR);
    expect(await starts()).toHaveLength(2);
    clock.set(-2 * HOUR);
    await pass(HOUR);
    await stage.restart();
    stage.app.notices.start();
    stage.write(daily('0,30 * * * *'));
    await stage.app.config.refresh();
    await scheduled();
    await pass(HOUR);
    expect(await starts()).toHaveLength(2);
    await pass(HOUR / 2);
    expect(await starts()).toHaveLength(3);
  });

  test('follows its file: another time, another zone, none', async () => {
    await open(daily('0 8 * * *'));
    stage.write(daily('0 9 * * *', ', timeZone: America/New_York'));
    await stage.app.config.refresh();
    await scheduled();
    expect(await next()).toEqual(['2027-03-26T13:00']);
    stage.write({ 'directors/boss.yaml': BOSS });
    await stage.app.config.refresh();
    await scheduled();
    expect(await stage.app.deps.store.count('schedule')).toBe(0);
    await pass(DAY);
    expect(await runs()).toEqual([]);
  });

  test('is left out while its director is disabled', async () => {
    await open({ 'directors/boss.yaml': `${daily('0 8 * * *')['directors/boss.yaml']}enabled: false\n` });
    expect(await listSchedules(stage.app.deps)).toEqual([]);
    await pass(DAY);
    expect(await runs()).toEqual([]);
  });
});
