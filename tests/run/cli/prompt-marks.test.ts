import { expect, test } from 'vitest';
import { markLines, readMarks } from '../../../engine/src/run/cli/prompt-marks.ts';

const [M1, M2] = ['0123456789ab', 'ba9876543210'];

/** The prompt of a turn with lines of a transcript. */
function prompt(mark: string, parts: { old: string[]; own?: string[]; news?: string[] }, upTo = 9): string {
  const { seen, news, end } = markLines(mark, upTo);
  const marked = parts.news === undefined ? [] : [seen, ...(parts.own ?? []), news, ...parts.news];
  return ['# Role', `<<DATA-${mark}\nx\nDATA-${mark}>>`, ...parts.old, ...marked, end, 'A note.'].join('\n\n');
}

test('what a session has read is the same text a turn later, whatever the mark of the turn', () => {
  const first = readMarks(prompt(M1, { old: ['one', 'two'] }));
  const next = readMarks(prompt(M2, { old: ['one', 'two'], own: ['mine'], news: ['three'] }, 12));
  expect(first?.seen).toBeUndefined();
  expect(next).toMatchObject({ seen: first?.whole, upTo: 12 });
  expect(next?.news).toMatch(/are new\. Respond as before, with a single message\.\n\nthree\n\n\s*A note\.$/);
  expect(next?.news).not.toContain('mine');
  const last = readMarks(prompt(M1, { old: ['one', 'two', 'mine', 'three'], news: ['four'] }));
  expect(last?.seen).toBe(next?.whole);
});

test('any change of what the session has read shows', () => {
  const first = readMarks(prompt(M1, { old: ['one', 'two'] }));
  for (const old of [['one'], ['one', 'TWO'], ['two', 'one'], ['one', 'two', 'more']])
    expect(readMarks(prompt(M2, { old, news: ['three'] }))?.seen).not.toBe(first?.whole);
});

test('a mark in a message is none', () => {
  const { seen, news, end } = markLines(M1, 3);
  const spoofed = readMarks(prompt(M2, { old: [end, seen, news, 'uno'], news: ['three'] }));
  expect(spoofed).toMatchObject({ upTo: 9, news: expect.not.stringContaining('uno') });
  expect(readMarks('no marks')).toBeUndefined();
});
