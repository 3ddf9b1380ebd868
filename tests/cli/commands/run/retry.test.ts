import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RetryResult } from '../../../../engine/src/api/routes/run/retry.ts';
import { FILES, makePlace, type Place } from '../../harness.ts';

/** A director without a turn left after its first call: it fails. */
const BOSS =
  'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace]\nbudget: { maxIterations: 1 }\npermissions: { allow: [workspace_*] }\n';

let place: Place;
beforeAll(() => {
  place = makePlace({ ...FILES, 'directors/boss.yaml': BOSS });
});
afterAll(() => place.remove());

async function failedRun(): Promise<string> {
  const { stdout } = await place.run(['run', 'boss', '--message', 'hi', '--json']);
  return (JSON.parse(stdout) as { id: string }).id;
}

const retried = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as RetryResult;

test('a failed run is repeated once, and says with which run', async () => {
  const id = await failedRun();
  const first = await place.run(['runs', 'retry', id]);
  const [, again = ''] =
    /^run (\S+) repeats run (\S+)\nthey begin at the next callsheet start\n$/.exec(first.stderr) ?? [];
  expect([first.code, first.stdout, again]).toEqual([0, '', expect.stringMatching(/^run_/)]);
  const second = await place.run(['runs', 'retry', id]);
  expect(second).toMatchObject({ code: 0, stderr: `run ${id} was repeated before, by run ${again}\n` });
  const { stdout } = await place.run(['runs', 'show', again, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ retryOf: id, status: 'queued' });
});

test('all failed runs of a time are repeated, but for those that were', async () => {
  const [one, two] = [await failedRun(), await failedRun()];
  const before = await place.run(['runs', 'list', '--status', 'failed', '--json']);
  const failed = (JSON.parse(before.stdout) as { items: { id: string; retriedBy?: string }[] }).items;
  const answer = await place.run(['runs', 'retry', '--failed', '--since', '1d', '--json']);
  expect(answer.code).toBe(0);
  const open = failed.filter(({ retriedBy }) => retriedBy === undefined).map(({ id }) => id);
  expect(open).toEqual(expect.arrayContaining([one, two]));
  expect(retried(answer).retried.map(({ retryOf }) => retryOf)).toEqual(open.toReversed());
  const again = await place.run(['runs', 'retry', '--failed', '--since', '2020-01-01']);
  expect(again).toMatchObject({ code: 0, stderr: 'no failed runs to repeat\n' });
  await failedRun();
  const later = await place.run(['runs', 'retry', '--failed', '--since', '2999-01-01']);
  expect(later.stderr).toBe('no failed runs to repeat\n');
});

test('a run that cannot be repeated is named with the reason, and the others are repeated', async () => {
  const id = await failedRun();
  const answer = await place.run(['runs', 'retry', 'run_nobody', id]);
  expect(answer.code).toBe(1);
  expect(answer.stderr).toContain('there is no run "run_nobody" (NOT_FOUND)');
  expect(answer.stderr).toContain(`repeats run ${id}`);
});

test.each([[[]], [['--failed']], [['--since', '1d']], [['run_1', '--failed', '--since', '1d']]])(
  'runs retry %j is wrong usage',
  async (args) => {
    expect(await place.run(['runs', 'retry', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/USAGE/),
    });
  },
);
