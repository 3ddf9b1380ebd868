import { describe, expect, test } from 'vitest';
import type { Claim, Language } from '../../../engine/src/guard/claims/claim-words.ts';
import { answerText, cutClaims, type FalseClaim } from '../../../engine/src/guard/claims/cut-claims.ts';
import { findClaims } from '../../../engine/src/guard/claims/find-claims.ts';
import { freeTimesText, truthOf } from '../../../engine/src/guard/claims/truths.ts';

const ALL: readonly Claim[] = ['meeting-scheduled', 'reminder-set', 'mail-sent', 'file-written'];
const LANGUAGES: readonly Language[] = ['en', 'de', 'fr', 'es'];

const notDone = (claim: Claim, otherwise: FalseClaim['otherwise'] = 'say-so'): FalseClaim => ({
  ...{ claim, otherwise },
  fact: 'not-done',
});

function restOf(text: string, claims: readonly Claim[] = ALL): string {
  return cutClaims(
    text,
    findClaims(text, claims),
    claims.map((claim) => notDone(claim)),
    false,
  ).rest;
}

describe('what is left of an answer', () => {
  test.each([
    ['the sentences around a claim', 'Hi. I have sent the mail. Bye.', 'Hi. Bye.'],
    ['its paragraphs', 'Hi Anna,\n\nI have sent the mail.\n\nBye', 'Hi Anna,\n\nBye'],
    ['items of a list', '- I have sent the mail.\n- It rains.\n- Meeting scheduled for Tuesday.', '- It rains.'],
    ['numbered items', '1. I have sent the mail.\n2. It rains.', '2. It rains.'],
    ['a sentence over two lines', 'It rains.\nI have scheduled\nthe meeting. Bye.', 'It rains.\nBye.'],
    ['a heading above', '# Result\nI have sent the mail.\nIt rains.', '# Result\n\nIt rains.'],
    ['a day before its month', 'Ich habe das Treffen am 24. November eingetragen. Gruß', 'Gruß'],
    ['a title before a name', 'I have scheduled the call with Dr. Weber. Bye.', 'Bye.'],
    ['a claim in emphasis', '✅ **Meeting scheduled** for Tuesday.\n\nBye.', 'Bye.'],
    ['a claim in a quotation', '> I have sent the mail.\n\nBye.', 'Bye.'],
    ['a claim behind another clause', 'Since you asked, I have sent the mail. Bye.', 'Bye.'],
    ['nothing', 'I have sent the mail.', ''],
    ['all of it, word for word', ' - It  rains. \n\n\n Bye.', '- It  rains.\n\n Bye.'],
  ])('%s', (_name, text, rest) => {
    expect(restOf(text)).toBe(rest);
  });

  test('a claim that no check names stays', () => {
    expect(restOf('I have sent the mail. I have written the file.', ['file-written'])).toBe('I have sent the mail.');
  });

  test.each(['I have ', 'termin ist ', 'a', ' ', 'meeting '])('a megabyte of "%s" is read in bounded time', (part) => {
    const text = part.repeat(1_000_000 / part.length);

    expect(restOf(text)).toBe(text.trim());
  });
});

describe('what stands in its place', () => {
  test.each(LANGUAGES)('is no claim itself, in %s', (language) => {
    const facts = ALL.flatMap((claim) =>
      (['not-done', 'not-known'] as const).flatMap((fact) =>
        [true, false].map((hasDraft) => truthOf(language, claim, fact, hasDraft)),
      ),
    );
    const slots = [{ start: '2026-11-25T14:00:00+01:00', end: '2026-11-25T15:00:00+01:00' }];
    const times = [undefined, { timeZone: 'Europe/Berlin', slots: [] }, { timeZone: 'Europe/Berlin', slots }];
    const texts = [...facts, ...times.map((one) => freeTimesText(language, one))];

    expect(new Set(texts).size).toBeGreaterThan(10);
    for (const text of texts) expect(findClaims(text, ALL)).toEqual([]);
  });

  test.each([
    ['en', '- Wed, 25 Nov 2026, 14:00–15:00'],
    ['de', '- Mi., 25. Nov. 2026, 14:00–15:00 Uhr'],
  ] as const)('times are written as in %s', (language, line) => {
    const slots = [{ start: '2026-11-25T14:00:00+01:00', end: '2026-11-25T15:00:00+01:00' }];

    expect(freeTimesText(language, { timeZone: 'Europe/Berlin', slots })).toContain(line);
  });

  test('names the draft of a mail that was not sent, and a call whose outcome is not known', () => {
    const cut = { rest: '', language: 'en', hasDraft: true } as const;

    expect(answerText({ ...cut, claims: [notDone('mail-sent')] }, undefined)).toBe(
      'No mail has been sent in this conversation. There is only a draft.',
    );
    expect(answerText({ ...cut, claims: [{ ...notDone('mail-sent'), fact: 'not-known' }] }, undefined)).toBe(
      'It is not known whether a mail was sent.',
    );
  });

  test('is nothing where the check says so, unless nothing else is left', () => {
    const cut = { language: 'en', hasDraft: false, claims: [notDone('mail-sent', 'remove')] } as const;

    expect(answerText({ ...cut, rest: 'Bye.' }, undefined)).toBe('Bye.');
    expect(answerText({ ...cut, rest: '' }, undefined)).toBe('No mail has been sent in this conversation.');
  });
});
