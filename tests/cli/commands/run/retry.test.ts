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

test('the runs that failed since no model answered are repeated, and no others', async () => {
  place.write({
    'apis/dead.yaml': 'id: dead\nprovider: ollama\nmodel: m\nbaseUrl: http://127.0.0.1:9\n',
    'directors/cut.yaml': 'id: cut\nname: Cut\napiConfigId: dead\n',
  });
  await failedRun();
  const { stdout } = await place.run(['run', 'cut', '--message', 'hi', '--json']);
  const { id, error } = JSON.parse(stdout) as { id: string; error: { code: string } };
  expect(error.code).toBe('MODEL_NONE_AVAILABLE');
  const answer = await place.run(['runs', 'retry', '--outage', '--json']);
  expect(answer.code).toBe(0);
  expect(retried(answer).retried.map(({ retryOf }) => retryOf)).toEqual([id]);
  const again = await place.run(['runs', 'retry', '--outage', '--since', '12h']);
  expect(again).toMatchObject({ code: 0, stderr: 'no failed runs to repeat\n' });
});

test('an objective that an outage of its agent has stopped goes on, once', async () => {
  place.write({
    'apis/dead.yaml': 'id: dead\nprovider: ollama\nmodel: m\nbaseUrl: http://127.0.0.1:9\n',
    'agents/reader.yaml': 'id: reader\nname: Reader\ndescription: Reads.\napiConfigId: dead\n',
    'directors/pilot.yaml':
      'id: pilot\nname: Pilot\nmode: objective\napiConfigId: main\nagents: [reader]\nobjective: { intake: reader }\n',
  });
  const { stdout } = await place.run(['run', 'pilot', '--message', 'Get paper', '--json']);
  const { id, status } = JSON.parse(stdout) as { id: string; status: string };
  expect(status).toBe('waiting');
  const { code, stderr } = await place.run(['runs', 'retry', '--outage']);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`objective ${id} goes on where it was\nthey begin at the next`),
  ]);
  expect((await place.run(['runs', 'retry', '--outage'])).stderr).toBe('no failed runs to repeat\n');
});

test.each([
  [['--failed', '--outage', '--since', '1d']],
  [['run_1', '--outage']],
  [[]],
  [['--failed']],
  [['--since', '1d']],
  [['run_1', '--failed', '--since', '1d']],
])('runs retry %j is wrong usage', async (args) => {
  expect(await place.run(['runs', 'retry', ...args])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/USAGE/),
  });
});
