import { describe, expect, test } from 'vitest';
import { EntityMap } from '../../../engine/src/guard/placeholder/entity-map.ts';
import { findLookalikes } from '../../../engine/src/guard/placeholder/placeholder.ts';
import { restoreGrowing } from '../../../engine/src/guard/placeholder/restore-growing.ts';

const map = new EntityMap([
  { kind: 'person', number: 1, value: 'Karthik Rao' },
  { kind: 'email', number: 1, value: 'rao@example.org' },
  { kind: 'person', number: 12, value: 'Ada Ray' },
]);

/** What is shown of a text after each piece. */
function shownSteps(text: string, length: number): string[] {
  const stage = restoreGrowing(map);
  let seen = '';
  const steps: string[] = [];
  for (let at = 0; at < text.length; at += length) steps.push((seen += stage(text.slice(at, at + length))));
  return steps;
}

const LENGTHS = [1, 2, 3, 4, 5, 7, 9, 1000];

describe('a placeholder', () => {
  test.each([
    { name: 'as it was given', text: 'Dear <PERSON_1>, your mail <EMAIL_1> came.' },
    { name: 'with two digits', text: 'Dear <PERSON_12>, hello.' },
    { name: 'before a full stop', text: 'Ask <PERSON_1>. Then go.' },
    { name: 'twice in a row', text: 'To <PERSON_1><PERSON_12> now.' },
  ])('$name is restored, and no part of it is shown, in whatever pieces it arrives', ({ text }) => {
    const whole = map.restore(text).text;
    for (const length of LENGTHS)
      for (const seen of shownSteps(text, length)) {
        expect(whole.startsWith(seen), `"${seen}" in pieces of ${length}`).toBe(true);
        expect(findLookalikes(seen)).toEqual([]);
      }
    expect(shownSteps(text, 1).at(-1)?.length).toBeGreaterThan(whole.length - 12);
  });

  test.each([
    { name: 'unknown', text: 'Ask <PERSON_7> now, please.', want: 'Ask ' },
    { name: 'made up', text: 'Ask <NAME_1> now, please.', want: 'Ask ' },
    { name: 'in other brackets', text: 'Ask ⟨person 1⟩ now.', want: 'Ask ' },
    { name: 'escaped', text: 'Ask &lt;PERSON_1&gt; now.', want: 'Ask ' },
    { name: 'escaped as in JSON', text: 'Ask \\u003cPERSON_1\\u003e now.', want: 'Ask ' },
    { name: 'escaped as in a URL', text: 'Ask %3CPERSON_1%3E now.', want: 'Ask ' },
    { name: 'in plain letters', text: 'Ask PERSON_1, please.', want: 'Ask ' },
    { name: 'with a blank', text: 'Ask < Person 1 > now.', want: 'Ask ' },
    { name: 'in square brackets', text: 'Ask [PERSON_1] now.', want: 'Ask ' },
  ])('$name ends what is shown', ({ text, want }) => {
    for (const length of LENGTHS) expect(shownSteps(text, length).at(-1), `pieces of ${length}`).toBe(want);
  });
});

test('a placeholder that is spread over many blanks is never shown', () => {
  const text = `Ask <PERSON${' '.repeat(300)}1> now.`;
  for (const length of LENGTHS) expect('Ask '.startsWith(shownSteps(text, length).at(-1) ?? '-')).toBe(true);
});

test('text without placeholders is shown, but for an end that may begin one', () => {
  const text = 'a < b & c > d: {x} [1] (a) 50%3 <b>bold</b> \\n the person and her email. ';
  for (const length of LENGTHS) expect(shownSteps(text, length).at(-1)).toBe(text);
  expect(shownSteps('Write to the per', 3).at(-1)).toBe('Write to the ');
  expect(shownSteps('Write to <', 3).at(-1)).toBe('Write to ');
});
