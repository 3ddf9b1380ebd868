import { describe, expect, test } from 'vitest';
import { KEYWORDS, OWNERS, ROLES } from '../../../engine/src/guard/privacy/name-words.ts';
import { found } from './found.ts';

const user = { isUserWords: true };

describe('the table of seed 003', () => {
  test.each([
    { name: 'keyword + name', text: 'email to karthik', person: 'karthik' },
    { name: 'keyword + name, capitalised', text: 'Email to Karthik', person: 'Karthik' },
    { name: 'keyword + name, in capitals', text: 'EMAIL TO KARTHIK', person: 'KARTHIK' },
    { name: 'name + role', text: 'karthik my cfo', person: 'karthik' },
    { name: 'name + role, in capitals', text: 'KARTHIK MY CFO', person: 'KARTHIK' },
    { name: 'name + role, capitalised', text: 'Karthik my CFO', person: 'Karthik' },
    { name: 'name + "who is" + role', text: 'karthik who is my cfo', person: 'karthik' },
    { name: 'name + "who is" + role, in capitals', text: 'KARTHIK WHO IS MY CFO', person: 'KARTHIK' },
    { name: 'name + "who is" + role, capitalised', text: 'Karthik who is my CFO', person: 'Karthik' },
  ])('$name: "$text"', async ({ text, person }) => {
    expect(await found('person', text, user)).toEqual([person]);
    expect(await found('person', text)).toEqual([person]);
  });

  test('bare digits in the user’s own words are a phone', async () => {
    expect(await found('phone', '1234567890', user)).toEqual(['1234567890']);
    expect(await found('phone', 'please ring 1234567890', user)).toEqual(['1234567890']);
    expect(await found('phone', 'take 1234567890 for that', user)).toEqual(['1234567890']);
  });

  test('bare digits in a mail are none without a cue', async () => {
    expect(await found('phone', 'the number 1234567890 was drawn')).toEqual(['1234567890']);
    expect(await found('phone', 'we counted 1234567890 of them')).toEqual([]);
  });

  test.each([
    { kind: 'company', text: 'email to karthik about Acme Corp and Deutsche Bank' },
    { kind: 'date', text: 'email to karthik on Monday, 2026-03-04, or in March' },
    { kind: 'location', text: 'email to karthik about Berlin, New York and Spain' },
    { kind: 'role', text: 'email to karthik, our cfo, about the CEO and the auditor' },
    { kind: 'topic', text: 'email to karthik about the quarterly budget and the Launch Plan' },
  ])('a $kind stays', async ({ text }) => {
    expect(await found('person', text, user)).toEqual(['karthik']);
    expect(await found('phone', text, user)).toEqual([]);
  });
});

test('every keyword is followed by a name', async () => {
  const missed = [];
  for (const keyword of KEYWORDS)
    if (!(await found('person', `${keyword} karthik`, user)).includes('karthik')) missed.push(keyword);
  expect(missed).toEqual([]);
});

test('every role stands beside a name, and stays', async () => {
  const missed = [];
  for (const role of ROLES) {
    const persons = await found('person', `karthik my ${role} and karthik who is our ${role}`, user);
    if (persons.join(' ') !== 'karthik karthik') missed.push([role, persons]);
  }
  expect(missed).toEqual([]);
});

test('every word before a role works', async () => {
  const missed = [];
  for (const owner of OWNERS)
    if ((await found('person', `Karthik, ${owner} cfo`, user)).join() !== 'Karthik') missed.push(owner);
  expect(missed).toEqual([]);
});

test.each([
  'email to the team about the launch',
  'email to confirm the booking',
  'email to accounting',
  'call me tomorrow',
  'meet at noon in London',
  'tell my boss that I am late',
  'ask about the invoice',
  'call the manager',
  'reply to this mail',
  'message to support please',
  'mail an buchhaltung',
  'what does our cfo think about Microsoft?',
])('"%s" names nobody', async (text) => {
  expect(await found('person', text, user)).toEqual([]);
});

test.each([
  { text: 'can you remind sarah who’s our accountant to pay', persons: ['sarah'] },
  { text: 'send to priya my manager the report', persons: ['priya'] },
  { text: 'schedule a meeting with ramesh kumar on monday', persons: ['ramesh kumar'] },
  { text: 'schreib karthik eine mail', persons: ['karthik'] },
  { text: 'mail an stefan müller', persons: ['stefan müller'] },
  { text: 'karthik mein chef', persons: ['karthik'] },
  { text: 'karthik, der unser CFO ist, kommt', persons: ['karthik'] },
  { text: 'envoie un mail à amélie', persons: ['amélie'] },
  { text: 'karthik mon patron', persons: ['karthik'] },
  { text: 'amélie qui est ma cheffe', persons: ['amélie'] },
  { text: 'correo a lucía sobre el presupuesto', persons: ['lucía'] },
  { text: 'lucía mi jefa', persons: ['lucía'] },
  { text: 'our accountant Svetlana Ivanova', persons: ['Svetlana Ivanova'] },
])('"$text" names $persons', async ({ text, persons }) => {
  expect(await found('person', text, user)).toEqual(persons);
});

test.each([
  { text: "Karthik's number 1234567890", persons: ['Karthik'] },
  { text: "what is karthik's number?", persons: ['karthik'] },
  { text: "KARTHIK'S NUMBER PLEASE", persons: ['KARTHIK'] },
  { text: 'Please give me Karthik Rao’s mobile', persons: ['Karthik Rao'] },
  { text: "give me karthik's e-mail", persons: ['karthik'] },
  { text: "the airline's number is on the ticket", persons: [] },
  { text: "our new airline's phone", persons: [] },
  { text: "Acme Corp's number", persons: [] },
  { text: "Microsoft's phone", persons: [] },
  { text: "Berlin's phone number", persons: [] },
  { text: "September's numbers are good", persons: [] },
  { text: "Here's number 5", persons: [] },
])('how somebody is reached: "$text" names $persons', async ({ text, persons }) => {
  expect(await found('person', text, user)).toEqual(persons);
  expect(await found('person', text)).toEqual(persons);
});

test.each([
  { text: 'email to karthik and priya', persons: ['karthik', 'priya'] },
  { text: 'tell karthik, priya and ramesh about it', persons: ['karthik', 'priya', 'ramesh'] },
  { text: 'EMAIL TO KARTHIK AND PRIYA', persons: ['KARTHIK', 'PRIYA'] },
  { text: 'reply to Karthik and Priya Raman please', persons: ['Karthik', 'Priya Raman'] },
  { text: 'mail an karthik und priya', persons: ['karthik', 'priya'] },
  { text: 'écris à karthik et priya', persons: ['karthik', 'priya'] },
  { text: 'escribe a karthik y a priya', persons: ['karthik', 'priya'] },
  { text: 'call karthik and book a table', persons: ['karthik'] },
  { text: 'call karthik and postpone the lunch', persons: ['karthik'] },
  { text: 'call karthik and reschedule', persons: ['karthik'] },
  { text: 'email to karthik and accounting', persons: ['karthik'] },
  { text: 'write to karthik, please', persons: ['karthik'] },
  { text: 'tell karthik and the team', persons: ['karthik'] },
  { text: 'tell karthik and Acme Corp', persons: ['karthik'] },
  { text: 'EMAIL TO KARTHIK AND BOOK A TABLE', persons: ['KARTHIK'] },
])('a list of names behind a keyword: "$text" names $persons', async ({ text, persons }) => {
  expect(await found('person', text, user)).toEqual(persons);
  expect(await found('person', text)).toEqual(persons);
});
