import { expect, test } from 'vitest';
import { found } from './found.ts';

test.each([
  { name: 'whole, in any case', text: 'KARTHIK RAMAN and karthik raman', persons: ['KARTHIK RAMAN', 'karthik raman'] },
  { name: 'in part', text: 'is karthik there? Raman is.', persons: ['karthik', 'Raman'] },
  { name: 'the other way round', text: 'Raman, Karthik', persons: ['Raman, Karthik'] },
  { name: 'over a line break', text: 'thus Karthik\n> Raman said', persons: ['Karthik\n> Raman'] },
  {
    name: 'with an ending',
    text: 'karthiks plan, Karthik’s plan, die Ramans',
    persons: ['karthik', 'Karthik', 'Raman'],
  },
  { name: 'joined by a hyphen', text: 'das Karthik-Problem', persons: ['Karthik'] },
  { name: 'not inside another word', text: 'karthikeya, ramanujan, karthik2', persons: [] },
])('a known name is found $name', async ({ text, persons }) => {
  expect(await found('person', text, { known: [{ name: 'Karthik Raman' }] })).toEqual(persons);
});

test('accents make no difference', async () => {
  expect(await found('person', 'frag mal zoe brueggemann, ZOË', { known: [{ name: 'Zoë Brueggemann' }] })).toEqual([
    'zoe brueggemann',
    'ZOË',
  ]);
});

test('a name that is an ordinary word is found where it stands for the person', async () => {
  const known = [{ name: 'Will May' }];
  expect(await found('person', 'will you ask Will? I may. Will may come with Will May.', { known })).toEqual([
    'Will',
    'Will May',
  ]);
});

test('an address without a name gives the names of its local part', async () => {
  const known = [{ address: 'xerxes.quill@example.com' }, { name: '', address: 'support@example.com' }];
  expect(await found('person', 'tell xerxes, Quill and support', { known })).toEqual(['xerxes', 'Quill']);
});

test.each(['Acme GmbH', 'Support Team', 'Newsletter', 'no-reply'])('the sender "%s" is no person', async (name) => {
  expect(await found('person', `This is from ${name}.`, { known: [{ name }] })).toEqual([]);
});

test('what a display name says behind the name is no part of it', async () => {
  const known = [{ name: 'Xenia Quorra (Zeta Works)' }, { name: 'Orsolya Pell via Docs' }];
  expect(await found('person', 'the zeta works docs of xenia and orsolya', { known })).toEqual(['xenia', 'orsolya']);
});
