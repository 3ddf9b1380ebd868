import { afterAll, expect, test } from 'vitest';
import { createRecogniser } from '../../../engine/src/guard/privacy/recogniser.ts';
import { findPrivate } from '../../../engine/src/guard/privacy/recognise.ts';
import { isFull } from '../../available.ts';
import { cpuMsOfAsync, growthOfAsync } from '../../cpu-time.ts';
import { longestTurn } from '../../longest-turn.ts';

const recogniser = createRecogniser();
afterAll(() => recogniser.close());

const options = { known: [{ name: 'Anna Weber' }], isUserWords: true };

test('a mail of 1 MB is read in a worker: no turn of the event loop takes half of what the work takes', async () => {
  const line = 'Dear Ms. Weber, we send the invoice to billing@example.com, call 030 1234567 on Tuesday.\n';
  const text = line.repeat(Math.ceil(1_000_000 / line.length));
  const limitMs = (await cpuMsOfAsync(() => findPrivate(text, options))) / 2;
  const recognise = async () => {
    const spans = await recogniser.recognise(text, options);
    expect(spans.length).toBeGreaterThan(30_000);
  };
  const { longestMs } = await longestTurn(recognise, 3, (turns) => turns.longestMs < limitMs);
  expect(longestMs).toBeLessThan(limitMs);
});

test.each([
  { name: 'letters', piece: 'a' },
  { name: 'digits', piece: '1' },
  { name: 'digits and blanks', piece: '1 ' },
  { name: 'at signs', piece: 'a@' },
  { name: 'quoted at signs', piece: '"a@' },
  { name: 'begins of IBANs', piece: 'DE89 ' },
  { name: 'brackets', piece: '(((+1' },
  { name: 'dots', piece: 'a.' },
  { name: 'hyphens', piece: 'Ab-' },
  { name: 'names', piece: 'Anna, Weber, ' },
  { name: 'greetings', piece: 'Hi Anna,\n' },
  { name: 'keywords', piece: 'email to ' },
  { name: 'titles', piece: 'Dr. ' },
  { name: 'line breaks', piece: '\n' },
])('four times as many $name take about four times as long', async ({ piece }) => {
  const size = isFull ? 250_000 : 20_000;
  const work = (length: number) => findPrivate(piece.repeat(Math.ceil(length / piece.length)), options);
  // Quadratic work would take sixteen times as long.
  expect(await growthOfAsync(work, { small: size, large: 4 * size })).toBeLessThan(10);
});
