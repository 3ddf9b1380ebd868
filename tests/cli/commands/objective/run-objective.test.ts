import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../../available.ts';
import { makePlace, type Place } from '../../harness.ts';

let place: Place;
beforeAll(() => {
  place = makePlace({});
  cpSync(join(root, 'config'), join(place.dir, 'config'), { recursive: true });
  cpSync(join(root, 'samples/03-angebot-broschuere.eml'), join(place.dir, 'offer.eml'));
});
afterAll(() => place.remove());

test('run takes a wish about a mail, and ends where the draft waits for the user', async () => {
  const { code, stdout, stderr } = await place.run([
    ...['run', 'autopilot', '--message', 'Get the answer sent', '--email', 'offer.eml'],
  ]);
  expect(stderr).toContain('waiting (draft)');
  expect(code).toBe(3);
  const drafts = join(place.dir, 'drafts');
  const [draft = ''] = readdirSync(drafts);
  expect(readFileSync(join(drafts, draft), 'utf8')).toContain('In-Reply-To:');
  expect(stdout).not.toContain('undefined');
  expect((await place.run(['objectives', 'list'])).stdout).toMatch(/waits: draft +autopilot +Get the answer sent/);
});

test('run says that a director takes a message or a mail, and stores nothing', async () => {
  const both = ['--message', 'x', '--email', 'offer.eml'];
  const { code, stderr } = await place.run(['run', 'client-manager', ...both]);
  expect(code).toBe(2);
  expect(stderr).toContain('takes either a message or a mail');
});
