import { expect, test } from 'vitest';
import { type LinkedMail, MAX_MAILTO, mailtoLink } from '../../../engine/src/mail/send/mailto.ts';

const mail = (more: Partial<LinkedMail>): LinkedMail => ({
  ...{ to: [{ name: 'Ann', address: 'ann@example.org' }], cc: [], bcc: [], subject: 'Hello', text: 'Hi' },
  ...{ hasHtml: false, attachments: 0, ...more },
});
const linkOf = (more: Partial<LinkedMail>) => {
  const made = mailtoLink(mail(more));
  return 'link' in made ? made.link : made.reason;
};

test('a link carries recipient, subject and text', () => {
  expect(linkOf({})).toBe('mailto:ann@example.org?subject=Hello&body=Hi');
});

test('umlauts, ampersands, question marks and line breaks come back as they were', () => {
  const subject = 'Grüße & Fragen? 100 % "sicher" (x)';
  const text = 'Liebe Ann,\n\nwie geht’s?\nA&B=C + D #1\n';
  const url = new URL(linkOf({ subject, text }));
  // A plus sign is a plus sign in mailto links, unlike in forms.
  const field = (name: string) => decodeURIComponent(new RegExp(`[?&]${name}=([^&]*)`).exec(url.search)?.[1] ?? '');
  expect(field('subject')).toBe(subject);
  expect(field('body')).toBe(text.trimEnd().replaceAll('\n', '\r\n'));
  expect(url.pathname).toBe('ann@example.org');
});

test('an address cannot add fields to the link', () => {
  const link = linkOf({ to: [{ name: '', address: 'a?bcc=b&x@example.org' }] });
  expect(link).toBe('mailto:a%3Fbcc%3Db%26x@example.org?subject=Hello&body=Hi');
});

test('several recipients stand side by side, copies in fields of their own', () => {
  const other = [{ name: '', address: 'bob@example.org' }];
  expect(linkOf({ to: [...mail({}).to, ...other], cc: other, bcc: other })).toBe(
    'mailto:ann@example.org,bob@example.org?cc=bob@example.org&bcc=bob@example.org&subject=Hello&body=Hi',
  );
});

test.each<{ name: string; more: Partial<LinkedMail>; reason: RegExp }>([
  { name: 'HTML', more: { hasHtml: true }, reason: /HTML/ },
  { name: 'attachments', more: { attachments: 1 }, reason: /attachments/ },
  { name: 'a long text', more: { text: 'x'.repeat(MAX_MAILTO) }, reason: /mail programs take 2000/ },
])('a mail with $name has no link, and the reason says so', ({ more, reason }) => {
  expect(linkOf(more)).toMatch(reason);
});
