import { expect, test } from 'vitest';
import { found } from './found.ts';

/** Texts of mails, and the people in them: no company, place, date, role or topic. */
test.each([
  {
    text: 'Hi Karthik,\nplease find attached the invoice.\nBest regards,\nPriya Natarajan\nHead of Finance\nAcme GmbH',
    persons: ['Karthik', 'Priya Natarajan'],
  },
  {
    text: 'Hallo Frau Schröder,\n\nvielen Dank für Ihre Nachricht. Die Rechnung Nummer 4711 liegt bei.\n\nMit freundlichen Grüßen\nHeike Baumgartner\nVertriebsleitung\nMüller Maschinenbau GmbH\nTel. 030 1234567',
    persons: ['Schröder', 'Heike Baumgartner'],
  },
  {
    text: 'Sehr geehrte Damen und Herren,\n\nbitte senden Sie die Unterlagen an Herrn Dr. Wolfgang Petersen.\n\nViele Grüße\nUwe',
    persons: ['Wolfgang Petersen', 'Uwe'],
  },
  {
    text: 'Bonjour Madame Lefèvre,\n\nJe vous écris de la part de Mathieu Dubois.\n\nCordialement,\nChloé Martin',
    persons: ['Lefèvre', 'Mathieu Dubois', 'Chloé Martin'],
  },
  {
    text: 'Estimado señor Gutiérrez:\n\nLe escribo por la factura de marzo.\n\nUn saludo,\nAlejandra Ruiz',
    persons: ['Gutiérrez', 'Alejandra Ruiz'],
  },
  {
    text: 'Liebe Anna, lieber Ben,\nwir treffen uns am Montag in München.\nLG Carla',
    persons: ['Anna', 'Ben', 'Carla'],
  },
  {
    text: 'Dear Sir or Madam,\nI am writing on behalf of Acme Corporation.\nYours faithfully,\nJ. R. Hartley',
    persons: ['J. R. Hartley'],
  },
  { text: 'Dear Customer Support,\nMy order has not arrived.', persons: [] },
  { text: 'The quarterly report is due on Friday. Microsoft and Google will present in New York.', persons: [] },
  { text: 'Our Project Phoenix kicks off in January with Deutsche Bank.', persons: [] },
  {
    text: 'Die Firma Siemens liefert am Dienstag die Maschine nach Stuttgart. Das Angebot der Deutschen Bahn ist günstig.',
    persons: [],
  },
  { text: 'Gestern hat Thomas Müller angerufen und nach der Lieferung gefragt.', persons: ['Thomas Müller'] },
  { text: 'Ich habe mit Sabine gesprochen, sie ist einverstanden.', persons: ['Sabine'] },
  { text: 'Hier spricht Yusuf Öztürk aus Köln.', persons: ['Yusuf Öztürk'] },
  {
    text: 'On Tue, 3 Mar 2026 at 10:12, Wei Zhang <wei@example.com> wrote:\n> Hello Maria,\n> can you send it?',
    persons: ['Wei Zhang', 'Maria'],
  },
  { text: 'Am 3. März 2026 schrieb Fatima Al-Sayed <f@example.com>:', persons: ['Fatima Al-Sayed'] },
  { text: 'Please contact Olumide Adeyemi at the Lagos office.', persons: ['Olumide Adeyemi'] },
  { text: "Kind regards\n\nSiobhán O'Connor\nChief Technology Officer", persons: ["Siobhán O'Connor"] },
  { text: 'Thanks, Tom!', persons: ['Tom'] },
  { text: 'Thank you for your order.', persons: [] },
  { text: 'Thanks Again', persons: [] },
  { text: 'I met Nguyen Van Anh and her colleague Dmitri in Hanoi.', persons: ['Nguyen Van Anh', 'Dmitri'] },
  { text: 'Will Smith and Mark will join. May I ask why?', persons: ['Will Smith', 'Mark'] },
  { text: 'Le directeur, Jean-Pierre Moreau, est à Paris.', persons: ['Jean-Pierre Moreau'] },
  { text: 'La reunión con Javier Ortega es el lunes en Madrid.', persons: ['Javier Ortega'] },
  { text: 'Hola Marta,\n¿puedes llamar a Pablo?\nSaludos,\nInés', persons: ['Marta', 'Pablo', 'Inés'] },
  { text: 'Salut Amélie, est-ce que Gérard vient demain ?\nBises, Luc', persons: ['Amélie', 'Gérard', 'Luc'] },
  { text: 'Our colleague Birgit Sommer (birgit@example.com) is in Vienna.', persons: ['Birgit Sommer'] },
  { text: 'Name: Ndidi Okafor\nCompany: Initech LLC\nDate: 2026-03-04', persons: ['Ndidi Okafor'] },
  { text: 'Bitte an Kollegin Petra weiterleiten.', persons: ['Petra'] },
  { text: 'Cheers\nMike', persons: ['Mike'] },
  { text: '-- \nRobin Vandekerckhove\nInitech', persons: ['Robin Vandekerckhove'] },
  { text: "It is Karthik's birthday, said Hans.", persons: ['Karthik', 'Hans'] },
  { text: 'Terms of Service and Privacy Policy apply. Click Here to Unsubscribe.', persons: [] },
  { text: 'Weekly Team Meeting: Agenda and Action Items', persons: [] },
  { text: 'Bestellung Nummer 12345 vom Montag: Lieferung nach Hamburg Altona.', persons: [] },
  { text: 'Apple announced the Vision Pro. Amazon Web Services had an outage.', persons: [] },
  { text: 'Kind regards,\nThe Acme Team', persons: [] },
  { text: 'Best,\nCustomer Success', persons: [] },
  { text: 'Sincerely,\nAcme Ltd.', persons: [] },
  { text: 'I live in San Francisco near Golden Gate Park.', persons: [] },
  { text: 'Hi all,\nthe server is down.', persons: [] },
  { text: 'Hi there!', persons: [] },
  { text: 'Hello World', persons: [] },
  { text: 'This is Karthik from Acme.', persons: ['Karthik'] },
  { text: "I'm Batuhan and I need help.", persons: ['Batuhan'] },
  { text: 'I am German.', persons: [] },
  { text: 'Ich bin Lehrer in Berlin.', persons: [] },
  { text: 'our accountant Svetlana Ivanova called', persons: ['Svetlana Ivanova'] },
  { text: 'The meeting with Ms. Abernathy-Jones was moved.', persons: ['Abernathy-Jones'] },
  { text: 'Der Termin mit Prof. Dr. Annegret Kühn ist am 5. Mai.', persons: ['Annegret Kühn'] },
])('$text: $persons', async ({ text, persons }) => {
  // Somebody may be named twice.
  expect([...new Set(await found('person', text))]).toEqual(persons);
});

test('a name that is found once is found everywhere, in part and in the genitive', async () => {
  const text =
    'I met Ludmila Orlova. Orlova said yes. LUDMILA agreed; Orlova’s and Ludmilas plan. The orlovan way stays.';
  expect(await found('person', text)).toEqual(['Ludmila Orlova', 'Orlova', 'LUDMILA', 'Orlova', 'Ludmila']);
});

test('without `keep` what looks like a name and a company is a name', async () => {
  const text = 'Please pay Thomas Miller Ltd. today.';
  expect(await found('person', text)).toEqual([]);
  expect(await found('person', text, { keep: ['date', 'location', 'role'] })).toEqual(['Thomas Miller Ltd']);
});
