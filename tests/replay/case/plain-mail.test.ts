import { expect, test } from 'vitest';
import { plainMail } from '../../../engine/src/replay/case/plain-mail.ts';
import { sharedThreads } from '../../run/shared-threads.ts';

const FACTS = {
  id: 'm',
  accountId: 'a',
  ownAddresses: [],
  receivedAt: '2026-11-21T10:00:00.000Z',
  labels: [],
  readsLabelHeaders: true,
};

test('a mail that is written anew has the same headers, text and HTML, and the edited words', async () => {
  const content = {
    headers: [
      { name: 'From', value: 'Zoë Ray <zoe@example.org>' },
      { name: 'Subject', value: 'Grüße' },
      { name: 'Content-Type', value: 'multipart/mixed; boundary=x' },
    ],
    ...{ text: 'Hello Zoë', html: '<p>Hello Zoë</p>', bodyText: 'Hello Zoë' },
  };
  const raw = Buffer.from(plainMail(content, (text) => text.replaceAll('Zoë', 'Robin')));
  const parsed = await sharedThreads.mailWorkers.parse({ kind: 'bytes', bytes: raw }, FACTS);
  expect(JSON.parse(parsed.summary)).toMatchObject({
    subject: 'Grüße',
    from: [{ name: 'Robin Ray', address: 'zoe@example.org' }],
  });
  expect(JSON.parse(parsed.content)).toMatchObject({ text: 'Hello Robin', html: '<p>Hello Robin</p>' });
});
