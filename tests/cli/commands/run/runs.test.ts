import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ServedRun } from '../../../../engine/src/run/run.ts';
import { formatRuns } from '../../../../engine/src/cli/commands/run/runs.ts';
import { shortIds } from '../../../../engine/src/cli/terminal/short-ids.ts';
import { cellsOf } from '../../../../engine/src/cli/terminal/table.ts';
import { LETTER, makePlace, type Place } from '../../harness.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

interface Listed {
  readonly items: readonly ServedRun[];
}

/** Runs the director on messages and returns the runs, newest first. */
async function runsOn(...messages: readonly string[]): Promise<readonly ServedRun[]> {
  for (const message of messages) expect((await place.run(['run', 'boss', '--message', message])).code).toBe(0);
  const { stdout } = await place.run(['runs', 'list', '--json']);
  return (JSON.parse(stdout) as Listed).items;
}

describe('runs list', () => {
  test('shows subject, director, state, time and cost in 80 columns', async () => {
    await runsOn(`a message about the brakes of my bike ${'and more '.repeat(30)}`);
    const { stdout } = await place.run(['runs', 'list']);
    const [head = '', line = ''] = stdout.split('\n');
    expect(head).toMatch(/^ID +STATE +DIRECTOR +TIME +COST +SUBJECT$/);
    expect(line).toMatch(/^[0-9a-z]{8} +completed +boss +\d.* m?s +\$0\.0000 +a message about the brakes.*…$/);
    expect(cellsOf(line)).toBeLessThanOrEqual(80);
    const wide = await place.run(['runs', 'list'], { COLUMNS: '132' });
    expect(wide.stdout).toMatch(/STARTED \(UTC\)/);
    expect(wide.stdout.split('\n')[1]?.length).toBeGreaterThan(100);
  });

  test('shows the subject of a mail, with its hidden characters escaped', async () => {
    place.drop('a.eml', LETTER.replace('Subject: hello', 'Subject: pay\u202ednuf\u001b]0;x\u0007 now'));
    const app = await place.start();
    await expect
      .poll(async () => ((await (await app.ask('GET', '/api/runs')).json()) as Listed).items[0]?.status)
      .toBe('completed');
    const { items } = (await (await app.ask('GET', '/api/runs')).json()) as Listed;
    expect(items[0]?.subject).toContain('pay');
    const { stdout } = await place.run(['runs', 'list']);
    await app.stop();
    expect(stdout).toContain('pay\\u202ednuf');
    expect(stdout).not.toMatch(/[\u202e\u001b\u0007]/);
  });

  test('fits waiting, failed and damaged runs with wide letters into 80 columns', () => {
    const base = {
      directorId: 'the-director-of-the-front-desk-in-berlin',
      createdAt: '2026-11-21T10:00:00.000Z',
      usage: { turns: 1, inputTokens: 1, outputTokens: 1, cost: null },
      summary: '',
    };
    const runs = [
      {
        ...base,
        id: 'run_01m824qvc900006m5xc2cq',
        status: 'waiting',
        waitingFor: 'approval',
        subject: '返品'.repeat(60),
      },
      {
        ...base,
        id: 'run_01m824qvc900016m5xc2cq',
        status: 'failed',
        endedAt: '2026-11-21T10:00:03.000Z',
        subject: 'x',
      },
      {
        id: 'run_01m824qvc800006m5xc2cq',
        directorId: 'boss',
        error: { code: 'STORE_DAMAGED', message: 'run x is damaged' },
      },
    ] as unknown as ServedRun[];
    const lines = formatRuns(runs, { width: 80, nowMs: Date.parse('2026-11-23T10:00:00.000Z') })
      .trimEnd()
      .split('\n');
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(80);
    expect(lines[1]).toMatch(/^01m824qvc90000 +waiting.* +48\.0 h .*返品.*…$/);
    expect(lines[2]).toMatch(/^01m824qvc90001 +failed .* 3\.0 s +\? +x$/);
    expect(lines[3]).toMatch(/^01m824qvc80000 +unreadable +boss +run x is damaged$/);
  });
});

describe('progress', () => {
  const steps =
    /^\d\d:\d\d:\d\d\.\d{3} {4}model {2}scripted · turn 1 .*\n.* {4}tool {3}workspace_add_item {2}.*\n.*model {2}scripted · turn 2/m;

  test('run prints each step on stderr while it waits, then the outcome', async () => {
    const { stdout, stderr } = await place.run(['run', 'boss', '--message', 'hi']);
    expect(stderr).toMatch(steps);
    expect(stderr.search(steps)).toBeLessThan(stderr.indexOf('run run_'));
    expect(stderr).not.toContain('director_start');
    expect(stdout).toBe('done\n\n--- Note (text/plain)\nnoted\n\n');
    expect((await place.run(['run', 'boss', '--message', 'hi', '--quiet'])).stderr).toBe('');
    expect((await place.run(['run', 'boss', '--message', 'hi', '--json'])).stderr).toBe('');
  });

  test('runs show --follow prints steps as they end, waits for a person, and ends with the run', async () => {
    const app = await place.start();
    const posted = await app.ask('POST', '/api/runs', { directorId: 'shy', message: 'hi' });
    const { id } = (await posted.json()) as ServedRun;
    const following = place.runApart(['runs', 'show', 'last', '--follow']);
    const approval = async () =>
      ((await (await app.ask('GET', '/api/approvals?status=pending')).json()) as Listed).items[0]?.id;
    await expect.poll(approval).toBeDefined();
    await app.ask('POST', `/api/approvals/${await approval()}`, { decision: 'allow' });
    const { code, stdout, stderr } = await following;
    await app.stop();
    expect([code, stderr]).toEqual([0, expect.stringContaining(`run ${id} of shy: completed`)]);
    expect(stdout).toMatch(/run +Shy · hi\n.*director_start\n/);
    expect(stdout).toMatch(/model {2}scripted · turn 2 .*[^]*director_complete\n\n--- Note/);
  });

  test('runs show --follow does not wait where no server runs', async () => {
    await place.run(['run', 'shy', '--message', 'hi']);
    const { code, stderr } = await place.run(['runs', 'show', 'last', '--follow']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('no server is running')]);
  });
});

describe('shortened ids', () => {
  test('are as long as it takes to tell a list apart', () => {
    expect([...shortIds(['run_01m824qvc900006m', 'run_01m8355555555555']).values()]).toEqual(['01m824qv', '01m83555']);
    expect([...shortIds(['run_01m824qvc900006m', 'run_01m824qvc900016m']).values()]).toEqual([
      '01m824qvc90000',
      '01m824qvc90001',
    ]);
  });

  test('are accepted with and without the prefix, and `last` is the newest run', async () => {
    const [newest, oldest] = await runsOn('first', 'second');
    const short = oldest?.id.slice(4, 18) ?? '';
    for (const text of [short, `run_${short}`, oldest?.id ?? ''])
      expect((await place.run(['runs', 'show', text])).stderr).toContain(`run ${oldest?.id} of boss`);
    expect((await place.run(['runs', 'show', 'last'])).stderr).toContain(`run ${newest?.id} of boss`);
    expect((await place.run(['export', '--run', short])).stdout).toContain(`"id":"${oldest?.id}"`);
  });

  test('that fit several runs are refused with a list of them', async () => {
    const runs = await runsOn('first', 'second');
    const { code, stderr } = await place.run(['runs', 'show', '0']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"0" is the beginning of several ids (USAGE)')]);
    expect(stderr).toContain(`\n  ${runs[0]?.id}  completed  boss  second\n`);
    expect(stderr).toContain(`\n  ${runs[1]?.id}  completed  boss  first\n`);
  });

  test('that fit nothing are an error, and so is `last` without runs', async () => {
    const none = await place.run(['runs', 'show', 'last']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there are no runs yet')]);
    for (const text of ['zzz', 'no/such run', 'run_01m824qvc900006m5xc2cq']) {
      const { code, stderr } = await place.run(['runs', 'cancel', text]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^callsheet: no run .*NOT_FOUND/)]);
    }
  });

  test('work for approvals', async () => {
    expect((await place.run(['run', 'shy', '--message', 'x'])).code).toBe(3);
    const listed = await place.run(['approvals', 'list']);
    const short = /^([0-9a-z]{8}) +pending /m.exec(listed.stdout)?.[1] ?? '';
    expect((await place.run(['approvals', 'deny', short])).stderr).toContain('workspace_add_item is denied');
  });
});

test('--verbose logs every change of the store by table and id, without content, and else none', async () => {
  const message = 'a secret message about brakes';
  const loud = await place.run(['run', 'boss', '--message', message, '--verbose']);
  const run = /run (run_\w+) of boss/.exec(loud.stderr)?.[1] ?? '';
  const stored = loud.stderr.split('\n').filter((line) => / stored /.test(line));
  expect(stored).toEqual(
    expect.arrayContaining([expect.stringContaining(`op=insert table=run key=${run} status=queued`)]),
  );
  expect(stored).toEqual(
    expect.arrayContaining([expect.stringContaining(`op=update table=run key=${run} status=completed`)]),
  );
  const tables = new Set(stored.map((line) => /table=(\w+)/.exec(line)?.[1]));
  for (const table of ['run', 'thread', 'message', 'machine', 'entry', 'item']) expect([...tables]).toContain(table);
  expect(stored.join('\n')).not.toMatch(/brakes|noted/);
  expect((await place.run(['run', 'boss', '--message', message])).stderr).not.toContain('stored');
});
