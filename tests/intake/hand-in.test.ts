import { afterEach, beforeEach, expect, test } from 'vitest';
import { handInMail } from '../../engine/src/intake/hand-in.ts';
import { deleteMailChange, findByIdentity, readMailRow, readRaw } from '../../engine/src/mail/mail-store.ts';
import type { MailParser } from '../../engine/src/mail/mail.ts';
import { directorOf } from '../../engine/src/run/lifecycle/create.ts';
import { mailOf } from '../mail/fixtures.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';
import { BOX } from './fetching.ts';

const LETTER = mailOf('From: ann@client.example', 'Subject: by hand', '', 'Hello.');

let stage: Stage;
beforeEach(async () => {
  stage = await setStage({ files: BOX, models: playModels(() => ({ content: 'Done.' })) });
});
afterEach(() => stage.close());

function handIn(workers: MailParser = stage.app.mailWorkers): Promise<string> {
  const { deps } = stage.app;
  const director = directorOf(deps.config.current(), 'boss');
  return handInMail(deps, workers, director, Buffer.from(LETTER).toString('base64'));
}

test('a mail that is handed in twice at once is stored once', async () => {
  const both = Promise.withResolvers<void>();
  let parsed = 0;
  const together: MailParser = {
    async parse(source, facts) {
      const mail = await stage.app.mailWorkers.parse(source, facts);
      if (++parsed === 2) both.resolve();
      await both.promise;
      return mail;
    },
  };
  const [first, second] = await Promise.all([handIn(together), handIn(together)]);
  expect(second).toBe(first);
  expect(await stage.app.deps.store.count('mail')).toBe(1);
});

test('a mail that was deleted can be handed in again', async () => {
  const { store } = stage.app.deps;
  const before = await readMailRow(store, await handIn());
  await store.apply(deleteMailChange(before!));
  const after = await readMailRow(store, await handIn());
  expect(after).toMatchObject({ identity: before!.identity, state: 'kept' });
  expect(Buffer.from(await readRaw(store, after!.identity))).toEqual(Buffer.from(LETTER));
  expect((await findByIdentity(store, before!.identity))?.id).toBe(after!.id);
});
