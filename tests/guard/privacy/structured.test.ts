import { expect, test } from 'vitest';
import { found } from './found.ts';

test.each([
  { text: 'call 1234567890', isUserWords: true, phones: ['1234567890'] },
  { text: '1234567890', isUserWords: true, phones: ['1234567890'] },
  { text: '1234567890', isUserWords: false, phones: [] },
  { text: 'order 1234567890', isUserWords: false, phones: [] },
  { text: 'Tel. 030 1234567', isUserWords: false, phones: ['030 1234567'] },
  { text: 'am 2026-03-04 um 10:30', isUserWords: false, phones: [] },
  { text: 'Rechnung 4711-0815-2026', isUserWords: false, phones: [] },
  { text: '1.234.567,89 EUR', isUserWords: false, phones: [] },
  { text: 'IP 192.168.100.200', isUserWords: false, phones: [] },
  { text: 'call me at +49 (0)171 2345678', isUserWords: false, phones: ['+49 (0)171 2345678'] },
  { text: '01 23 45 67 89', isUserWords: false, phones: ['01 23 45 67 89'] },
  { text: '12.03.2026 14:00', isUserWords: false, phones: [] },
  { text: 'version 1.2.3.4567', isUserWords: false, phones: [] },
  { text: 'from 2019-2024', isUserWords: false, phones: [] },
  { text: 'ISBN 978-3-16-148410-0', isUserWords: false, phones: [] },
  { text: 'Mobil: 0171/2345678', isUserWords: false, phones: ['0171/2345678'] },
  { text: 'Tel. (555) 123-4567 ext. 12', isUserWords: false, phones: ['(555) 123-4567 ext. 12'] },
  { text: '1 000 000 people', isUserWords: false, phones: [] },
  { text: 'Kundennummer 30123456', isUserWords: false, phones: [] },
  { text: 'on 20261123 at 9', isUserWords: true, phones: [] },
  { text: 'phone 5551234', isUserWords: true, phones: ['5551234'] },
  { text: '3,500,000', isUserWords: false, phones: [] },
  { text: 'Flug LH 1234567', isUserWords: false, phones: [] },
  { text: 'message me on 0612345678.', isUserWords: false, phones: ['0612345678'] },
  { text: 'Sendungsnummer 00340434161094042557', isUserWords: false, phones: [] },
  { text: 'Konto 1234567 89', isUserWords: false, phones: [] },
  { text: '2026/03/04 12:30:55', isUserWords: false, phones: [] },
  { text: 'call 1-800-555-0199 now', isUserWords: false, phones: ['1-800-555-0199'] },
  { text: 'meeting id: 812 3456 7890', isUserWords: false, phones: [] },
  { text: 'Call 23.04.2026 or later', isUserWords: false, phones: [] },
])('phones of "$text" (user: $isUserWords): $phones', async ({ text, isUserWords, phones }) => {
  expect(await found('phone', text, { isUserWords })).toEqual(phones);
});

test.each([
  { text: 'DE89 3704 0044 0532 0130 00', ibans: ['DE89 3704 0044 0532 0130 00'] },
  { text: 'to de89370400440532013000, thanks', ibans: ['de89370400440532013000'] },
  { text: 'IBAN: GB82-WEST-1234-5698-7654-32.', ibans: ['GB82-WEST-1234-5698-7654-32'] },
  {
    text: 'FR14 2004 1010 0505 0001 3M02 606 et ES91 2100 0418 4502 0005 1332',
    ibans: ['FR14 2004 1010 0505 0001 3M02 606', 'ES91 2100 0418 4502 0005 1332'],
  },
  { text: 'DE89 3704 0044 0532 0130 01', ibans: [] },
  { text: 'DE893704004405320130001', ibans: [] },
  { text: 'XX89 3704 0044 0532 0130 00', ibans: [] },
])('IBANs of "$text": $ibans', async ({ text, ibans }) => {
  expect(await found('iban', text)).toEqual(ibans);
});

test.each([
  { text: '4111 1111 1111 1111', cards: ['4111 1111 1111 1111'] },
  { text: 'amex 378282246310005!', cards: ['378282246310005'] },
  { text: '5555-5555-5555-4444', cards: ['5555-5555-5555-4444'] },
  { text: '4111 1111 1111 1112', cards: [] },
  { text: 'order 1000000000000008', cards: [] },
  { text: '0000 0000 0000 0000', cards: [] },
])('cards of "$text": $cards', async ({ text, cards }) => {
  expect(await found('card', text)).toEqual(cards);
});

test.each([
  { text: 'write to Anna.Weber+x@sub.example.co.uk.', emails: ['Anna.Weber+x@sub.example.co.uk'] },
  { text: '"Weber, Anna" <anna@example.com>, (ben@example.com)', emails: ['anna@example.com', 'ben@example.com'] },
  { text: 'mailto:anna@example.com?cc=ben@example.com', emails: ['anna@example.com', 'ben@example.com'] },
  { text: 'https://example.com/u?e=anna%40example.com&x=1', emails: ['anna%40example.com'] },
  { text: 'jürgen@bücher.example and anna@[192.0.2.1]', emails: ['jürgen@bücher.example', 'anna@[192.0.2.1]'] },
  { text: '"anna weber"@example.com', emails: ['"anna weber"@example.com'] },
  { text: 'a＠example.com', emails: ['a＠example.com'] },
  { text: 'info@example. @anna 5@6 a@b', emails: [] },
])('addresses of "$text": $emails', async ({ text, emails }) => {
  expect(await found('email', text)).toEqual(emails);
});
