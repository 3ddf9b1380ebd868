import { systemClock } from '../../../engine/src/base/clock.ts';
import { errorBody } from '../../../engine/src/base/error.ts';
import { createFolderSource } from '../../../engine/src/mail/folder/source.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';

/** A program: prints what each mail of a folder gives, its subject or its error, as a line of JSON. */
const workers = createMailWorkers({ workers: 1 });
const path = process.argv[2] ?? '';
const source = createFolderSource({ accountId: 'inbox', email: '', path, format: 'eml', workers, clock: systemClock });
for await (const one of source.list({ seen: () => undefined })) {
  if (one.kind !== 'mail') continue;
  const outcome = await one.read({ id: 'm', receivedAt: '' }).then(
    ({ facts }) => ({ subject: facts.subject }),
    (error: unknown) => errorBody(error),
  );
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
await workers.close();
