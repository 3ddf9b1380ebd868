import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deleteMails } from '../../ui/mail/mails.ts';

const ids = Array.from({ length: 401 }, (_id, n) => `mail-${n}`);
let asked: { readonly url: string; readonly keepalive: boolean; readonly answer: () => void }[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('localStorage', { getItem: () => 'key' });
  vi.stubGlobal(
    'fetch',
    (url: string, { keepalive }: { readonly keepalive: boolean }) =>
      new Promise<Response>((done) =>
        asked.push({ url, keepalive, answer: () => done(new Response(null, { status: 204 })) }),
      ),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a page that is closed sends all parts of a deletion at once', async () => {
  const done = deleteMails(ids, { isClosing: true });
  expect(asked.map(({ keepalive }) => keepalive)).toEqual([true, true, true]);
  expect(asked.at(-1)?.url).toBe('/api/emails/mail-400');
  asked.forEach(({ answer }) => answer());
  await done;
});

test('an open page sends the parts of a deletion one after the other', async () => {
  const done = deleteMails(ids);
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => asked.length).toBe(n + 1);
    asked[n]?.answer();
  }
  await done;
  expect(asked).toHaveLength(3);
});
