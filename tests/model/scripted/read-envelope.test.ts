import { expect, test } from 'vitest';
import { readEnvelope } from '../../../engine/src/model/scripted/read-envelope.ts';

test.each([
  {
    name: 'bare headers',
    text: 'From: ann@example.com\nSubject: Tea\n\nHello',
    found: { from: 'ann@example.com', subject: 'Tea', body: 'Hello' },
  },
  {
    name: 'headers after a mark, in another order, with CRLF',
    text: '<mail id="m1">\r\nSubject:  Tea \r\nDate: today\r\nfrom: Ann <ann@example.com>\r\n\r\nHello\r\n</mail>',
    found: { from: 'Ann <ann@example.com>', subject: 'Tea', body: 'Hello\r\n</mail>' },
  },
  {
    name: 'a quoted mail below, whose headers are not its own',
    text: 'From: ann@example.com\n\nFrom: bob@example.com\nSubject: Old',
    found: { from: 'ann@example.com', subject: '', body: 'From: bob@example.com\nSubject: Old' },
  },
  {
    name: 'a marked envelope, without the words around it',
    text: 'Please answer:\n\n<<MAIL-1a2b\nFrom: ann@example.com\nSubject: Tea\n\nGuten Tag\nMAIL-1a2b>>\nWhat stands between the marks came by mail.',
    found: { from: 'ann@example.com', subject: 'Tea', body: 'Guten Tag' },
  },
  { name: 'no headers', text: 'Hello', found: undefined },
])('reads $name', ({ text, found }) => {
  expect(readEnvelope(text)).toEqual(found);
});

test('headers far down are text of the message', () => {
  expect(readEnvelope(`${'line\n'.repeat(60)}Subject: deep`)).toBeUndefined();
});
