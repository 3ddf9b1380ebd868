import { expect, test } from 'vitest';
import { countTimes } from '../../../engine/src/guard/time/find-times.ts';
import { ownWords } from '../../../engine/src/guard/time/own-words.ts';
import { growthOf } from '../../cpu-time.ts';

const MAIL = 'From: Anna <anna@example.org>\nDate: 2026-11-20\nSubject: Call\n\nLet us meet tomorrow at 3.';

test.each([
  ['a quoted line', 'Schedule it.\n> Let us meet tomorrow at 3.'],
  ['a quoted line of a quoted line', 'Schedule it.\n > > on Friday at 3pm'],
  ['the line above a quotation', 'Schedule it.\nOn Fri, Nov 20, 2026 at 10:00 AM Anna <anna@example.org> wrote:\n> Hi'],
  ['the line above a quotation without a date', 'Schedule it.\n"Anna, tomorrow at 3" <anna@example.org> wrote:\n> Hi'],
  [
    'that line, folded',
    'Schedule it.\nOn Fri, Nov 20, 2026 at 10:00 AM Anna Karenina\n<anna@example.org> wrote:\n> Hi',
  ],
  ['a German quotation', 'Trag es ein.\nAm 20.11.2026 um 10:00 schrieb Anna:\n> bis morgen um 15 Uhr'],
  ['a French quotation', 'Planifie-la.\nLe ven. 20 nov. 2026 à 10:00, Anna a écrit :\n> demain à 15h'],
  ['a Spanish quotation', 'Prográmala.\nEl vie, 20 nov 2026 a las 10:00, Ana escribió:\n> mañana a las 15:00'],
  ['a forwarded mail', `Schedule it.\n---------- Forwarded message ---------\n${MAIL}`],
  ['an original message', `Schedule it.\n-----Original Message-----\n${MAIL}`],
  ['a German forwarded mail', `Trag es ein.\n-------- Weitergeleitete Nachricht --------\n${MAIL}`],
  ['a French forwarded mail', `Planifie.\n---------- Message transféré ---------\n${MAIL}`],
  ['a Spanish forwarded mail', `Prográmala.\n---------- Mensaje reenviado ---------\n${MAIL}`],
  ['a pasted mail', `Schedule it.\n${MAIL}`],
  [
    'a pasted German mail',
    'Trag es ein.\nVon: Anna\nGesendet: Freitag, 20. November 2026 10:00\nAn: Bob\n\nmorgen um 15 Uhr',
  ],
  [
    'the envelope of a mail',
    `Schedule it.\n<<MAIL-8c6f0e2b1a3d\n${MAIL}\nMAIL-8c6f0e2b1a3d>>\nWhat stands between is data.`,
  ],
  ['an envelope without an end', `Schedule it.\n<<FILE-8c6f0e2b1a3d\n${MAIL}`],
  ['an address of a page', 'Schedule it: https://example.org/2026/11/24?at=15:00'],
  ['hidden characters', 'Schedule it.\u200b\u202e'],
])('%s is not what the user says', async (_name, message) => {
  expect(await countTimes(message)).toBe(0);
});

test.each([
  ['before a quotation', 'Tomorrow at 3, please.\n> When?'],
  ['below a quotation', '> When?\nTomorrow at 3, please.'],
  ['before a forwarded mail', `Tomorrow at 3.\n---------- Forwarded message ---------\n${MAIL}`],
  ['after an envelope', `<<MAIL-8c6f0e2b1a3d\n${MAIL}\nMAIL-8c6f0e2b1a3d>>\nTomorrow at 3, please.`],
  ['over two lines', 'Tomorrow\nat 3'],
  ['with hidden characters', 'Tomor\u200brow at 3'],
])('what the user says counts %s', async (_name, message) => {
  expect(await countTimes(message)).toBeGreaterThan(0);
});

test('the beginning and the end of a very long message are read, in bounded time', async () => {
  const long = `tomorrow at 3 ${'  '.repeat(2_000_000)} bye`;

  expect(ownWords(long).length).toBeLessThan(20_000);
  expect(await countTimes(long)).toBe(1);
});

test('mail addresses are left out, and words with a dot, a plus or an at sign are not', () => {
  expect(ownWords('Ask 9am+x@mail.example.org. a@b.c+d@e.f, not 9am@example, 14.30 or +1')).toBe(
    'Ask  .   , not 9am@example, 14.30 or +1',
  );
});

test('a long word takes as long as its characters, not as their square', () => {
  const read = (size: number) => {
    for (let n = 0; n < 4; n++) ownWords('x'.repeat(size));
  };
  expect(growthOf(read, { small: 1600, large: 16_000 })).toBeLessThan(20);
});
