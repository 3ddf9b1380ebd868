/**
 * The process that the sending loop kills: a director answers each mail into the outbox of a folder account and tells somebody
 * else over SMTP, and makes a file in a notebook. A person is asked where nobody knows, and always says no: what they deny has to be out once or never.
 */
import { join } from 'node:path';
import { silentLogger } from '../../engine/src/base/log.ts';
import { openApp } from '../../engine/src/app/app.ts';
import type { Mailbox } from '../../engine/src/mail/mailbox.ts';
import { call, playModels } from '../run/harness.ts';
import { doomedProbe, given, someTime } from './doomed.ts';

const root = given('ROOT');
const isLastLife = process.env['DRAIN'] === '1';
const probe = doomedProbe(process.env);

const app = await openApp({
  configDir: join(root, 'config'),
  dataDir: join(root, 'data'),
  env: () => 'password',
  log: silentLogger,
  watch: false,
  models: playModels(async ({ turn, messages }) => {
    await someTime(5);
    if (turn > 1) return { content: 'done' };
    const [, number = ''] = /Letter number (\d+)\./.exec(JSON.stringify(messages)) ?? [];
    const notice = { accountId: 'team', to: ['ann@client.example'], subject: `Notice ${number}`, text: 'It came.' };
    const file = { path: `/${number}.md`, content: `Letter number ${number}.\n` };
    return {
      tool_calls: [
        call('a', 'mail_send', { text: 'Gladly.' }),
        call('b', 'mail_send', notice),
        call('c', 'notebook_create_file', file),
      ],
    };
  }),
  probe,
});

/** The same mailbox, with a narrow place where a mail is out and that is not on record. */
function doomed(mailbox: Mailbox): Mailbox {
  return {
    ...mailbox,
    send: (mail, options = {}) =>
      mailbox.send(mail, {
        ...options,
        async onSent() {
          probe('in-effect');
          await options.onSent?.();
        },
      }),
  };
}
const { open } = app.mailService;
Object.assign(app.mailService, { open: async (...args: Parameters<typeof open>) => doomed(await open(...args)) });

const { store } = app.deps;
await app.engine.start();
app.fetcher.start();
process.stdout.write('ready\n');

const isOver = async () =>
  (await store.count('mail')) >= Number(given('MAILS')) &&
  (await store.count('run', [['status', 'in', ['queued', 'running', 'waiting']]])) === 0;
while (!isLastLife || !(await isOver())) {
  await someTime(20);
  for (const { id } of await store.list('approval', { where: [['status', '=', 'pending']] }))
    await app.engine.decide(id, { decision: 'deny', by: 'jane' });
}
await app.close();
process.exit(0);
