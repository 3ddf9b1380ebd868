import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../../engine/src/base/log.ts';
import { openApp } from '../../../../engine/src/app/app.ts';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { openSession } from '../../../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../../../engine/src/run/session/take-message.ts';
import { playModels } from '../../../run/harness.ts';
import { makePlace, type Place } from '../../harness.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

let place: Place;
/** Runs of the two messages: one that is done, one that waits for a limit. */
let runs: string[];

beforeEach(async () => {
  place = makePlace({
    'apis/main.yaml':
      'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\nprice: { inputPerMillion: 1, outputPerMillion: 1 }\n',
    'agents/helper.yaml': 'id: helper\nname: Helper\napiConfigId: main\nlimits: { requestsPerHour: 1 }\n',
  });
  const { deps, engine, close } = await openApp({
    configDir: join(place.dir, 'config'),
    dataDir: place.dataDir,
    env: () => 'sk-test-key',
    log: silentLogger,
    clock: new SimulatedClock(Date.now()),
    models: playModels(() => ({ content: 'At your service.' })),
    watch: false,
  });
  await engine.start();
  const { id } = await openSession(deps, 'helper', 'user');
  runs = [];
  for (const [content, status] of [
    ['hello', 'completed'],
    ['again', 'waiting'],
  ] as const) {
    const run = await acceptMessage(deps, id, { content, by: 'user' });
    runs.push(run.id);
    engine.queued();
    await expect.poll(async () => (await deps.store.get('run', { id: run.id }))?.status).toBe(status);
  }
  await close();
});
afterEach(() => place.remove());

async function run(...argv: readonly string[]): Promise<string> {
  const terminal = fakeTerminal({ argv, cwd: place.dir, env: { KEY: 'sk-test-key' } });
  expect(await runCommand(terminal)).toBe(0);
  return terminal.stdout() + terminal.stderr();
}

test('runs list names the agent, and the limit that a run waits for', async () => {
  const [, second = '', first = ''] = (await run('runs', 'list')).split('\n');
  expect(first).toMatch(/^\w+ +completed +agent helper .* \$0\.0000 +hello$/);
  expect(second).toMatch(/^\w+ +waiting \(limit: ag.*… +agent helper .* again$/);
  expect(runs.map((id) => id.slice(4))).toEqual(
    [first, second].map((line) => expect.stringMatching(line.split(' ')[0] ?? 'x')),
  );
});

test('runs show draws a message as a run, and says when the limit opens', async () => {
  const shown = await run('runs', 'show', runs[0] ?? '');
  expect(shown).toMatch(/^\d\d:\d\d:\d\d\.\d{3}  run +Helper · hello  completed/);
  expect(shown).toMatch(/  model  test · turn 1/);
  expect(shown).toContain(`run ${runs[0]} of agent helper: completed`);
  expect(await run('runs', 'show', runs[1] ?? '')).toMatch(/waiting \(limit: agent helper\)[^]*continues at 2\d\d\d-/);
});

test('spend books it under the agent', async () => {
  expect(await run('spend')).toMatch(/agent helper +main +1 +1 +10 +1 +\$/);
});

test('export writes a run on a message with its session, and only its own events', async () => {
  const lines = (await run('export', '--run', runs[0] ?? ''))
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { type: string; runId?: string; agentId?: string });
  expect(lines.map(({ type }) => type)).toEqual(['run', 'thread', 'toolset', 'event', 'event', 'entry', 'entry']);
  expect(lines[1]).toMatchObject({ agentId: 'helper', messages: { length: 4 } });
  for (const { runId } of lines.filter(({ type }) => type === 'event')) expect(runId).toBe(runs[0]);
});
