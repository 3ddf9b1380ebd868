import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addEvent, readEvents } from '../../engine/src/agenda/event-actions.ts';
import { createFolderCalendar } from '../../engine/src/agenda/local/folder-calendar.ts';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { calendarFolder, NOW, setDesk, workers } from './folder.ts';

const call = { title: 'Call', start: '2026-11-25T14:00', end: '2026-11-25T14:30' };

describe('an event that is added', () => {
  test('is one file that other programs can read, and is found again', async () => {
    const { agenda, calendar, path } = setDesk();
    const words = { location: 'Room 5, left', description: 'Bring:\n- the proofs; both' };
    const added = await addEvent(agenda, calendar, { ...call, ...words }, { key: 'run_1/1/a' });
    const files = readdirSync(path);
    expect(files).toEqual([expect.stringMatching(/^callsheet-[0-9a-f]{32}\.ics$/)]);
    const text = readFileSync(join(path, files[0] ?? ''), 'utf8');
    expect(text).toBe(added.ics);
    expect(text).toContain('DTSTART:20261125T130000Z\r\nDTEND:20261125T133000Z\r\n');
    expect(text).toContain('DTSTAMP:20261122T120000Z\r\n');
    const shown = {
      ...{ id: expect.stringMatching(/@callsheet$/) as string, title: 'Call' },
      ...{ start: '2026-11-25T14:00:00+01:00', end: '2026-11-25T14:30:00+01:00', ...words },
    };
    expect(added.event).toEqual(shown);
    const dateRange = { start: '2026-11-25', end: '2026-11-25' };
    expect((await readEvents(agenda, calendar, { dateRange }, {})).events).toEqual([shown]);
  });

  test('is there once for a key, also when somebody has renamed the file', async () => {
    const { agenda, calendar, path } = setDesk();
    const first = await addEvent(agenda, calendar, call, { key: 'run_1/1/a' });
    expect(await addEvent(agenda, calendar, call, { key: 'run_1/1/a' })).toEqual(first);
    expect(readdirSync(path)).toHaveLength(1);
    renameSync(join(path, readdirSync(path)[0] ?? ''), join(path, 'call.ics'));
    expect(await addEvent(agenda, calendar, call, { key: 'run_1/1/a' })).toEqual(first);
    expect(readdirSync(path)).toEqual(['call.ics']);
    await addEvent(agenda, calendar, call, { key: 'run_1/1/b' });
    expect(readdirSync(path)).toHaveLength(2);
  });

  test('is the same file to the byte for a call that is repeated later', async () => {
    const path = calendarFolder();
    const add = (now: number) =>
      createFolderCalendar({ path, clock: new SimulatedClock(now), workers }).add(
        { title: 'Call', time: { from: NOW, to: NOW + 1_800_000 } },
        { key: 'k', timeZone: 'UTC' },
      );
    const first = await add(NOW);
    expect((await add(NOW + 60_000)).ics).toBe(first.ics);
  });

  test('is written again over what a crash has left of it', async () => {
    const { agenda, calendar, path } = setDesk();
    const { ics = '' } = await addEvent(agenda, calendar, call, { key: 'k' });
    const name = readdirSync(path)[0] ?? '';
    renameSync(join(path, name), join(path, `.${name}.tmp`));
    writeFileSync(join(path, `.${name}.tmp`), ics.slice(0, 40));
    await addEvent(agenda, calendar, call, { key: 'k' });
    expect(readdirSync(path)).toEqual([name]);
    expect(readFileSync(join(path, name), 'utf8')).toBe(ics);
  });

  test('keeps its words within their line, whatever breaks of lines they hold', async () => {
    const { agenda, calendar } = setDesk();
    const words = {
      title: 'Call\rATTENDEE:mailto:eve@example.org',
      description: 'One\r\nTwo\u2028Three\u0085Four\u0000',
    };
    const { event, ics = '' } = await addEvent(agenda, calendar, { ...call, ...words }, { key: 'k' });
    expect(event).toMatchObject({
      title: 'Call\nATTENDEE:mailto:eve@example.org',
      description: 'One\nTwo\nThree\nFour',
    });
    const names = ics.split(/[\r\n\u0085\u2028]+/).map((line) => line.split(/[:;]/)[0]);
    expect(names).not.toContain('ATTENDEE');
    expect(ics).not.toContain('\0');
  });

  test('for whole days has its last day', async () => {
    const { agenda, calendar, path } = setDesk();
    const days = { title: 'Fair', start: '2026-11-25', end: '2026-11-27' };
    const { event } = await addEvent(agenda, calendar, days, { key: 'k' });
    expect(event).toMatchObject({ start: '2026-11-25', end: '2026-11-27', allDay: true });
    const text = readFileSync(join(path, readdirSync(path)[0] ?? ''), 'utf8');
    expect(text).toContain('DTSTART;VALUE=DATE:20261125\r\nDTEND;VALUE=DATE:20261128\r\n');
  });

  test.each([
    { name: 'in its own zone', start: '2026-11-25T09:00', zone: 'America/New_York', utc: '20261125T140000Z' },
    { name: 'with an offset', start: '2026-11-25T09:00+05:30', zone: undefined, utc: '20261125T033000Z' },
    { name: 'at the first of two times', start: '2026-10-25T02:30', zone: undefined, utc: '20261025T003000Z' },
    {
      name: 'at the second of two, by offset',
      start: '2026-10-25T02:30+01:00',
      zone: undefined,
      utc: '20261025T013000Z',
    },
  ])('begins $name', async ({ start, zone, utc }) => {
    const { agenda, calendar } = setDesk();
    const timed = { title: 'Call', start, end: '2026-11-26T00:00Z', ...(zone !== undefined && { timeZone: zone }) };
    expect((await addEvent(agenda, calendar, timed, { key: 'k' })).ics).toContain(`DTSTART:${utc}\r\n`);
  });

  test.each([
    [
      'at a time that the clocks leave out',
      { start: '2026-03-29T02:30', end: '2026-03-29T04:00' },
      /02:30 does not exist in Europe\/Berlin/,
    ],
    ['that ends before it begins', { start: '2026-11-25T14:00', end: '2026-11-25T13:00' }, /not after it begins/],
    ['without a length', { start: '2026-11-25T14:00', end: '2026-11-25T13:00Z' }, /not after it begins/],
    ['of a day and a time', { start: '2026-11-25', end: '2026-11-25T13:00' }, /both be days, or both be times/],
    ['in a zone that there is not', { ...call, timeZone: 'Berlin' }, /"Berlin" is not a time zone; did you mean "/],
  ])('%s is refused, and no file made', async (_name, times, message) => {
    const { agenda, calendar, path } = setDesk({ 'keep.ics': 'x' });
    await expect(addEvent(agenda, calendar, { title: 'Call', ...times }, { key: 'k' })).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS',
      message: expect.stringMatching(message) as string,
    });
    expect(readdirSync(path)).toEqual(['keep.ics']);
  });

  test('fails by the name of the folder where nothing can be written', async () => {
    const { agenda, calendar, path } = setDesk();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'a file where the folder should be');
    chmodSync(path, 0o400);
    await expect(addEvent(agenda, calendar, call, { key: 'k' })).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      message: expect.stringContaining(path) as string,
    });
  });
});
