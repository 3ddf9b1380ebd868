import { describe, expect, test } from 'vitest';
import type { Calendar, NewEvent, Span } from '../../engine/src/agenda/agenda.ts';
import { eventsIn, parseCalendar } from '../../engine/src/agenda/ical/ical.ts';

/** An event that lies in a calendar before it is opened, in words that every kind of calendar can say. */
export interface Seed {
  readonly id: string;
  readonly title: string;
  /** Two moments, or whole days (the second one exclusive). */
  readonly time: { readonly from: string; readonly to: string } | { readonly days: readonly [string, string] };
  readonly isFree?: true;
  readonly isCancelled?: true;
  /** Every week at this time of a wall clock in New York, so many times; `time` is the first. */
  readonly weeks?: number;
}

/** One calendar under test; everything that it held is gone after `close`. */
export interface CalendarStage {
  readonly calendar: Calendar;
  seed(...events: readonly Seed[]): void;
  /** Adds another calendar of the account and returns its id. */
  addCalendar(name: string): string;
  /** Puts events into another calendar. */
  seedIn(calendarId: string, ...events: readonly Seed[]): void;
  /** How many events there are, as whoever keeps them counts. */
  count(): number;
  close(): Promise<void>;
}

const BERLIN = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);
const span = (from: string, to: string): Span => ({ from: at(from), to: at(to) });
const NOVEMBER = span('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z');
const CALL: NewEvent = { title: 'Call', time: span('2026-11-25T13:00:00Z', '2026-11-25T13:30:00Z') };

/** What every `Calendar` must do. */
export function describeCalendar(name: string, open: () => Promise<CalendarStage>): void {
  describe(`a calendar: ${name}`, () => {
    const on = async (work: (stage: CalendarStage) => Promise<void>) => {
      const stage = await open();
      try {
        await work(stage);
      } finally {
        await stage.close();
      }
    };
    const titles = async (stage: CalendarStage, asked: Span, timeZone = BERLIN) =>
      (await stage.calendar.read(asked, { timeZone })).events.map(({ title }) => title);

    test('holds nothing at first', () =>
      on(async ({ calendar }) => {
        expect(await calendar.read(NOVEMBER, { timeZone: BERLIN })).toEqual({ events: [], skipped: [] });
      }));

    test('finds an event that was added, as it was said', () =>
      on(async ({ calendar }) => {
        const words = { title: 'Call', location: 'Room 5, left', description: 'Bring:\n- the proofs; both' };
        const { event } = await calendar.add({ ...CALL, ...words }, { key: 'run/1', timeZone: BERLIN });
        const { from, to } = span('2026-11-25T13:00:00Z', '2026-11-25T13:30:00Z');
        expect(event).toEqual({ id: event.id, ...words, from, to, isBusy: true, isRepeated: false });
        expect(event.id).not.toBe('');
        expect((await calendar.read(NOVEMBER, { timeZone: BERLIN })).events).toEqual([event]);
      }));

    test.each([BERLIN, 'America/New_York', 'Pacific/Auckland', 'Pacific/Honolulu'])(
      'finds whole days that were added in %s on the days that they are',
      (timeZone) =>
        on(async (stage) => {
          const days = { start: '2026-11-25', end: '2026-11-27' };
          const { event } = await stage.calendar.add({ title: 'Fair', time: { days } }, { key: 'k', timeZone });
          expect(event).toMatchObject({ title: 'Fair', days, isBusy: true });
          const midnight = (day: string) => event.from + (at(day) - at('2026-11-25'));
          expect(event.to).toBe(midnight('2026-11-27'));
          expect(await titles(stage, { from: midnight('2026-11-24'), to: event.from }, timeZone)).toEqual([]);
          expect(await titles(stage, { from: midnight('2026-11-26'), to: event.to }, timeZone)).toEqual(['Fair']);
          expect(await titles(stage, { from: event.to, to: midnight('2026-11-28') }, timeZone)).toEqual([]);
        }),
    );

    test('adds once for a key, and says the same again', () =>
      on(async (stage) => {
        const add = (key: string) => stage.calendar.add(CALL, { key, timeZone: BERLIN });
        const first = await add('run/1');
        expect((await add('run/1')).event).toEqual(first.event);
        expect(stage.count()).toBe(1);
        expect((await add('run/2')).event.id).not.toBe(first.event.id);
        expect(stage.count()).toBe(2);
      }));

    test('gives an event as a file that can be read', () =>
      on(async ({ calendar }) => {
        const { ics = '', event } = await calendar.add(CALL, { key: 'k', timeZone: BERLIN });
        const [read] = eventsIn(parseCalendar(ics), NOVEMBER, BERLIN).events;
        expect(read).toMatchObject({ title: 'Call', from: event.from, to: event.to });
      }));

    test('gives what touches the time that is asked for, by its begin', () =>
      on(async (stage) => {
        const one = (title: string, from: string, to: string): Seed => ({ id: title, title, time: { from, to } });
        stage.seed(
          one('after', '2026-11-26T12:00:00Z', '2026-11-26T13:00:00Z'),
          one('into the end', '2026-11-26T11:30:00Z', '2026-11-26T12:30:00Z'),
          one('within', '2026-11-25T13:00:00Z', '2026-11-25T14:00:00Z'),
          one('into the begin', '2026-11-25T11:30:00Z', '2026-11-25T12:30:00Z'),
          one('before', '2026-11-25T11:00:00Z', '2026-11-25T12:00:00Z'),
          one('around', '2026-11-24T00:00:00Z', '2026-11-28T00:00:00Z'),
        );
        const found = await titles(stage, span('2026-11-25T12:00:00Z', '2026-11-26T12:00:00Z'));
        expect(found).toEqual(['around', 'into the begin', 'within', 'into the end']);
      }));

    test('gives all pages of many events', () =>
      on(async (stage) => {
        const hours = Array.from({ length: 10 }, (_, hour) => `0${hour}`.slice(-2));
        const day = (hour: string, minute: string) => `2026-11-25T${hour}:${minute}:00Z`;
        stage.seed(
          ...hours.map((hour) => ({ id: hour, title: hour, time: { from: day(hour, '00'), to: day(hour, '30') } })),
        );
        expect(await titles(stage, NOVEMBER)).toEqual(hours);
      }));

    test('takes whole days as they are in the zone that is asked for', () =>
      on(async (stage) => {
        stage.seed({ id: 'fair', title: 'Fair', time: { days: ['2026-11-25', '2026-11-26'] } });
        for (const [timeZone, from] of [
          [BERLIN, '2026-11-24T23:00:00Z'],
          ['Pacific/Auckland', '2026-11-24T11:00:00Z'],
          ['Pacific/Honolulu', '2026-11-25T10:00:00Z'],
        ] as const) {
          const { events } = await stage.calendar.read(NOVEMBER, { timeZone });
          expect(events).toMatchObject([{ from: at(from), to: at(from) + 86_400_000 }]);
          const day = { from: at(from), to: at(from) + 86_400_000 };
          const hour = 3_600_000;
          expect(await titles(stage, { from: day.from, to: day.from + hour }, timeZone)).toEqual(['Fair']);
          expect(await titles(stage, { from: day.to - hour, to: day.to }, timeZone)).toEqual(['Fair']);
          expect(await titles(stage, { from: day.from - hour, to: day.from }, timeZone)).toEqual([]);
          expect(await titles(stage, { from: day.to, to: day.to + 1 }, timeZone)).toEqual([]);
        }
      }));

    test('says what leaves the time free, and leaves out what is cancelled', () =>
      on(async (stage) => {
        const time = { from: '2026-11-25T13:00:00Z', to: '2026-11-25T14:00:00Z' };
        stage.seed(
          { id: 'a', title: 'a busy one', time },
          { id: 'b', title: 'b free one', time, isFree: true },
          { id: 'c', title: 'c cancelled', time, isCancelled: true },
        );
        const { events } = await stage.calendar.read(NOVEMBER, { timeZone: BERLIN });
        expect(events.map(({ title, isBusy }) => [title, isBusy])).toEqual([
          ['a busy one', true],
          ['b free one', false],
        ]);
      }));

    test('gives a repeated event at each of its times, also when the clocks change between them', () =>
      on(async (stage) => {
        // In New York they are put back on 1 November 2026.
        const time = { from: '2026-10-28T13:00:00Z', to: '2026-10-28T14:00:00Z' };
        stage.seed({ id: 'jour', title: 'Jour fixe', time, weeks: 3 });
        const { events } = await stage.calendar.read(span('2026-10-01T00:00:00Z', '2026-12-01T00:00:00Z'), {
          timeZone: BERLIN,
        });
        expect(events.map(({ from }) => new Date(from).toISOString())).toEqual([
          '2026-10-28T13:00:00.000Z',
          '2026-11-04T14:00:00.000Z',
          '2026-11-11T14:00:00.000Z',
        ]);
        expect(new Set(events.map(({ id }) => id)).size).toBe(1);
        expect(events.every(({ isRepeated }) => isRepeated)).toBe(true);
      }));

    describe('with several calendars', () => {
      const time = (hour: string) => ({ from: `2026-11-25T${hour}:00:00Z`, to: `2026-11-25T${hour}:30:00Z` });
      const withTeam = (work: (stage: CalendarStage, team: string) => Promise<void>) =>
        on(async (stage) => {
          const team = stage.addCalendar('Team');
          stage.seed({ id: 'late', title: 'late', time: time('14') });
          stage.seedIn(team, { id: 'early', title: 'early', time: time('09') });
          await work(stage, team);
        });

      test('lists them, the main one first', () =>
        withTeam(async ({ calendar }, team) => {
          const all = await calendar.calendars({});
          expect(all.map(({ isPrimary }) => isPrimary)).toEqual([true, false]);
          expect(all[1]).toEqual({
            ...{ id: team, name: 'Team', isPrimary: false },
            ...{ isOwn: true, canRead: true, canWrite: true },
          });
        }));

      test('reads all of them, and names the calendar of an event that is not in the main one', () =>
        withTeam(async ({ calendar }, team) => {
          const { events, skipped } = await calendar.read(NOVEMBER, { timeZone: BERLIN });
          expect(events.map(({ title, calendar: where }) => [title, where])).toEqual([
            ['early', { id: team, name: 'Team' }],
            ['late', undefined],
          ]);
          expect(skipped).toEqual([]);
        }));

      test.each([
        { name: 'its id', named: (team: string) => team, found: ['early'] },
        { name: 'its name, in any case', named: () => 'team', found: ['early'] },
        { name: '"primary"', named: () => 'primary', found: ['late'] },
      ])('reads the one that is named by $name', ({ named, found }) =>
        withTeam(async ({ calendar }, team) => {
          const { events } = await calendar.read(NOVEMBER, { timeZone: BERLIN, calendarId: named(team) });
          expect(events.map(({ title }) => title)).toEqual(found);
        }),
      );

      test('adds to the one that is named, once for a key, and otherwise to the main one', () =>
        withTeam(async ({ calendar }, team) => {
          const add = (key: string, calendarId?: string) => calendar.add(CALL, { key, timeZone: BERLIN, calendarId });
          const first = await add('run/1', 'Team');
          expect(first.event.calendar).toEqual({ id: team, name: 'Team' });
          expect((await add('run/1', team)).event).toEqual(first.event);
          expect((await add('run/2')).event.calendar).toBeUndefined();
          const titlesOf = async (calendarId: string) =>
            (await calendar.read(NOVEMBER, { timeZone: BERLIN, calendarId })).events.map(({ title }) => title);
          expect(await titlesOf(team)).toEqual(['early', 'Call']);
          expect(await titlesOf('primary')).toEqual(['Call', 'late']);
        }));

      test('refuses a name that no calendar has, and says which there are', () =>
        withTeam(async ({ calendar }) => {
          const options = { timeZone: BERLIN, calendarId: '../Team' };
          const refused = { code: 'TOOL_ARGUMENTS', hint: expect.stringContaining('Team') };
          await expect(calendar.read(NOVEMBER, options)).rejects.toMatchObject(refused);
          await expect(calendar.add(CALL, { ...options, key: 'k' })).rejects.toMatchObject(refused);
        }));

      test('refuses a name that several calendars have', () =>
        on(async (stage) => {
          stage.addCalendar('Team');
          stage.addCalendar('TEAM');
          const options = { timeZone: BERLIN, calendarId: 'teaM' };
          await expect(stage.calendar.read(NOVEMBER, options)).rejects.toMatchObject({
            code: 'TOOL_ARGUMENTS',
            message: 'several calendars are called "teaM"',
          });
        }));
    });

    test('rejects with the reason of an abort, and adds nothing', () =>
      on(async (stage) => {
        const signal = AbortSignal.abort(new Error('enough'));
        await expect(stage.calendar.read(NOVEMBER, { timeZone: BERLIN, signal })).rejects.toThrow('enough');
        await expect(stage.calendar.add(CALL, { key: 'k', timeZone: BERLIN, signal })).rejects.toThrow('enough');
        expect(stage.count()).toBe(0);
      }));
  });
}

/** The times of a repeated seed: the same wall clock in New York, where summer time ends on 1 November 2026. */
export function occurrencesOf({ time, weeks = 1 }: Seed): { from: string; to: string }[] {
  if ('days' in time) return [];
  return Array.from({ length: weeks }, (_, week) => {
    const moved = (text: string) => {
      const plain = at(text) + week * 7 * 86_400_000;
      const isBefore = at(text) < at('2026-11-01T06:00:00Z');
      const hour = isBefore && plain >= at('2026-11-01T06:00:00Z') ? 3_600_000 : 0;
      return new Date(plain + hour).toISOString();
    };
    return { from: moved(time.from), to: moved(time.to) };
  });
}
