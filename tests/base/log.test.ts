import { expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { createLogger } from '../../engine/src/base/log.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';

function lineOf(fields: Readonly<Record<string, unknown>>): string {
  let line = '';
  const write = (text: string) => void (line += text);
  const how = { clock: new SimulatedClock(0), redactor: createRedactor(), level: 'info', json: false } as const;
  createLogger({ ...how, write, color: false }).info('a mail was taken', fields);
  return line.replace('1970-01-01T00:00:00.000Z info  a mail was taken', '').trim();
}

test.each([
  ['a word as it is', 'Grüße', 'x=Grüße'],
  ['a number', 3, 'x=3'],
  ['several words in quotes', 'two words', 'x="two words"'],
  ['an escape that would clear the screen', '\u001b[2J', 'x="\\u001b[2J"'],
  ['the same in one character', '\u009b2J', 'x="\\u009b2J"'],
  ['what turns the rest of the line around', 'a\u202eb c', 'x="a\\u202eb c"'],
  ['a line of its own', 'x\nwarn', 'x="x\\nwarn"'],
  ['the same inside of something', { name: '\u009b2J' }, 'x={"name":"\\u009b2J"}'],
])('a line of the log shows %s', (_name, value, expected) => {
  expect(lineOf({ x: value })).toBe(expected);
});

test('in a terminal a line begins with the time of day', () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const how = {
    clock: new SimulatedClock(Date.parse('2026-11-21T10:00:00.000Z')),
    redactor: createRedactor(),
  } as const;
  createLogger({ ...how, write, level: 'info', json: false, color: false, isTerminal: true }).info('a mail was taken');
  createLogger({ ...how, write, level: 'info', json: true, color: false, isTerminal: true }).info('a mail was taken');
  expect(lines[0]).toBe('10:00:00 info  a mail was taken\n');
  expect(lines[1]).toContain('2026-11-21T10:00:00.000Z');
});
