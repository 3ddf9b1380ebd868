import { describe, expect, test } from 'vitest';
import { cronFault, nextTime } from '../../../engine/src/config/schedule/cron.ts';
import { director, type ProblemCase, testProblems } from '../problem-cases.ts';

const CASES: readonly ProblemCase[] = [
  {
    name: 'a cron expression with a wrong value',
    files: director('schedule:\n  cron: 0 25 * * *\n  message: Prepare the day\n'),
    found: ['directors/boss.yaml:4:9 CONFIG_VALUE'],
    says: 'Invalid value for hour: 25',
  },
  {
    name: 'a cron expression with seconds',
    files: director("schedule: { cron: '0 0 8 * * *', message: Prepare the day }\n"),
    found: ['directors/boss.yaml:3:19 CONFIG_VALUE'],
    says: 'write minute, hour, day of month, month, day of week',
  },
  {
    name: 'a cron expression for a day that never comes',
    files: director("schedule: { cron: '0 8 30 2 *', message: Prepare the day }\n"),
    found: ['directors/boss.yaml:3:19 CONFIG_VALUE'],
    says: 'no date matches it',
  },
  {
    name: 'a schedule in an unknown zone',
    files: director("schedule: { cron: '0 8 * * *', timeZone: Europe/Berlim, message: Prepare the day }\n"),
    found: ['directors/boss.yaml:3:42 CONFIG_VALUE'],
    says: 'did you mean "Europe/Berlin"?',
  },
  {
    name: 'a schedule that says nothing',
    files: director("schedule: { cron: '0 8 * * *' }\n"),
    found: ['directors/boss.yaml:3:11 CONFIG_MISSING_KEY'],
    says: 'message',
  },
];

testProblems(CASES);

test('a schedule of five fields is valid', () => {
  for (const cron of ['0 8 * * mon-fri', '*/15 9-17 * * *', '0 0 29 2 *', '0 8 L * *', '@daily'])
    expect([cron, cronFault(cron)]).toEqual([cron, undefined]);
});

describe('the next time', () => {
  /** The next three times after a moment. */
  const next = (cron: string, timeZone: string, after: string) => {
    const times: string[] = [];
    for (let at = Date.parse(after); times.length < 3;) {
      at = nextTime({ cron, timeZone }, at) ?? NaN;
      times.push(new Date(at).toISOString().slice(0, 16));
    }
    return times;
  };

  test.each([
    {
      name: 'is on working days, in the zone of the schedule',
      args: ['0 8 * * mon-fri', 'Europe/Berlin', '2026-11-20T12:00Z'] as const,
      times: ['2026-11-23T07:00', '2026-11-24T07:00', '2026-11-25T07:00'],
    },
    {
      name: 'is at the change where clocks skip it',
      args: ['30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00Z'] as const,
      times: ['2027-03-28T01:00', '2027-03-29T00:30', '2027-03-30T00:30'],
    },
    {
      name: 'comes once where clocks show it twice',
      args: ['30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00Z'] as const,
      times: ['2027-10-31T00:30', '2027-11-01T01:30', '2027-11-02T01:30'],
    },
    {
      name: 'comes every half hour also while clocks are set back',
      args: ['*/30 * * * *', 'Europe/Berlin', '2027-10-31T00:30Z'] as const,
      times: ['2027-10-31T01:00', '2027-10-31T01:30', '2027-10-31T02:00'],
    },
    {
      name: 'is after a time of its own to the millisecond',
      args: ['0 8 * * *', 'UTC', '2026-11-20T08:00:00.000Z'] as const,
      times: ['2026-11-21T08:00', '2026-11-22T08:00', '2026-11-23T08:00'],
    },
    {
      name: 'is the same minute a millisecond earlier',
      args: ['0 8 * * *', 'UTC', '2026-11-20T07:59:59.999Z'] as const,
      times: ['2026-11-20T08:00', '2026-11-21T08:00', '2026-11-22T08:00'],
    },
  ])('$name', ({ args: [cron, zone, after], times }) => expect(next(cron, zone, after)).toEqual(times));
});
