import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LETTER, makePlace, type Place, type Started } from '../../harness.ts';

let place: Place;
let started: Started | undefined;
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  await started?.stop('SIGKILL');
  started = undefined;
  place.remove();
});

/** An engine that has run the director on one mail. */
async function worked(): Promise<Started> {
  place.drop('1.eml', LETTER);
  const running = await place.start();
  started = running;
  await expect
    .poll(async () => ((await (await running.ask('GET', '/api/runs')).json()) as { items: unknown[] }).items.length)
    .toBe(1);
  return running;
}

test('an engine whose data folder is removed stops, and the next one does not start on the empty folder', async () => {
  const running = await worked();
  const ended = new Promise<number | null>((resolve) => running.process.once('close', resolve));
  rmSync(place.dataDir, { recursive: true, maxRetries: 9 });
  const beside = await place.runApart(['start', '--no-open', '--port', '0']).then(
    (end) => end,
    () => undefined,
  );
  expect(await ended).toBe(1);
  expect(running.stderr()).toContain('STORE_LOST');
  expect(beside).toMatchObject({ code: 2, stderr: expect.stringContaining('STORE_LOST') });
});

test('a database that was deleted is not started as empty, doctor says so, and a person may accept it', async () => {
  await (await worked()).stop();
  for (const name of readdirSync(place.dataDir)) if (name.startsWith('callsheet.db')) rmSync(join(place.dataDir, name));
  const refused = await place.run(['runs', 'list']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('STORE_LOST');
  expect(refused.stderr).toContain('callsheet start --accept-new-store');
  expect((await place.run(['doctor'])).stdout).toContain('is missing or empty');
  started = await place.start(['--accept-new-store']);
  expect((await started.ask('GET', '/api/runs')).status).toBe(200);
  await started.stop();
  expect((await place.run(['runs', 'list'])).code).toBe(0);
});

test('a killed engine starts again without a word', async () => {
  await (await worked()).stop('SIGKILL');
  started = await place.start();
  expect((await started.stop()).stderr).not.toContain('STORE_LOST');
});
