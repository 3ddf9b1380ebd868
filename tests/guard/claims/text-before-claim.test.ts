import { expect, test } from 'vitest';
import { textBeforeClaim } from '../../../engine/src/guard/claims/text-before-claim.ts';

/** What is shown of a text that arrives in pieces. */
function shown(text: string, length: number): string {
  const stage = textBeforeClaim(['mail-sent', 'meeting-scheduled']);
  let seen = '';
  for (let at = 0; at < text.length; at += length) seen += stage(text.slice(at, at + length));
  return seen;
}

test.each([
  { name: 'a claim at the start', text: "I've sent the mail to Ada. Anything else?", want: '' },
  {
    name: 'a claim in the middle, and all after it',
    text: 'Ada wrote on Monday. She waits.\n\nI have sent her a reply. All is well now.',
    want: 'Ada wrote on Monday. She waits.\n\n',
  },
  {
    name: 'a claim in a list',
    text: 'Done so far:\n- read the mail\n- **meeting scheduled** for Monday\n- rest',
    want: 'Done so far:\n- read the mail\n',
  },
  { name: 'a claim in German', text: 'Gern. Ich habe die Mail gesendet. Gruß', want: 'Gern. ' },
  { name: 'a claim with a number before its words', text: 'Meeting. 12 booked. So it is.', want: '' },
  { name: 'the last sentence, which may go on', text: 'Ada wrote. I will send', want: 'Ada wrote. ' },
  {
    name: 'nothing of what claims nothing',
    text: 'Should I send it? I would write first. Ok',
    want: 'Should I send it? I would write first. ',
  },
])('$name is held back, in whatever pieces it arrives', ({ text, want }) => {
  for (const length of [1, 2, 3, 5, 8, 13, 1000]) {
    const seen = shown(text, length);
    if (want === '') expect(seen).not.toMatch(/sent|booked/);
    else expect(seen, `pieces of ${length}`).toBe(want);
  }
});

test('a paragraph without an end is held back and costs no more the longer it is', () => {
  expect(shown('word '.repeat(20_000), 50)).toBe('');
});
