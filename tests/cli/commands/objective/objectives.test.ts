import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp } from '../../../../engine/src/app/app.ts';
import { silentLogger } from '../../../../engine/src/base/log.ts';
import { insertObjective } from '../../../../engine/src/run/objective/objective-rows.ts';
import { FILES, makePlace, type Place } from '../../harness.ts';

const ID = 'run_01kaaaaaaaaaaaaaaaaaaaaaa1';

let place: Place;
beforeAll(async () => {
  place = makePlace(FILES);
  const { dir, dataDir } = place;
  const app = await openApp({
    ...{ configDir: join(dir, 'config'), dataDir, env: () => undefined, log: silentLogger, watch: false },
  });
  const { store } = app.deps;
  const own = { id: ID, directorId: 'boss', userQuery: 'Get the invoice', maxFollowUps: 3, because: 'The user asked' };
  await store.apply(insertObjective(store, { ...own, threads: [] }, Date.UTC(2026, 10, 23, 9, 5)));
  await app.close();
});
afterAll(() => place.remove());

test('objectives are listed, and one is shown with its story', async () => {
  const { stdout } = await place.run(['objectives', 'list']);
  expect(stdout).toMatch(/^ID +STATE +DIRECTOR +NEXT \(UTC\) +WHAT\n\S+ +pending +boss +Get the invoice\n$/);
  expect((await place.run(['objectives', 'list', '--status', 'done'])).stderr).toBe('no objectives\n');
  const shown = await place.run(['objectives', 'show', '01ka']);
  expect(shown.stdout).toBe(
    [
      `objective ${ID} of boss: pending`,
      '  wanted: Get the invoice',
      '  follow-ups: 0 of 3',
      '',
      '2026-11-23 09:05  The user asked',
      '',
    ].join('\n'),
  );
  const json = JSON.parse((await place.run(['objectives', 'show', ID, '--json'])).stdout);
  expect(json).toMatchObject({ id: ID, status: 'pending', history: [{ text: 'The user asked' }] });
});

test('an order to an objective that is not there says so', async () => {
  const { code, stderr } = await place.run(['objectives', 'pause', 'run_none']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('no objective');
});
