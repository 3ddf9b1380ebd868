import { expect, test } from 'vitest';
import { nextOpening } from '../../../engine/src/run/pursuit/follow-up-time.ts';

type Hours = Parameters<typeof nextOpening>[1];
const office: Hours = { start: '09:00', end: '17:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] };
const night: Hours = { start: '22:00', end: '06:00', days: ['fri'] };

test.each<{ name: string; at: string; hours?: Hours; opens: string }>([
  { name: 'within the hours', at: '2026-10-14T10:00+02:00', opens: '2026-10-14T10:00+02:00' },
  { name: 'at the first minute', at: '2026-10-14T09:00+02:00', opens: '2026-10-14T09:00+02:00' },
  { name: 'before they begin', at: '2026-10-14T05:00+02:00', opens: '2026-10-14T09:00+02:00' },
  { name: 'at their end', at: '2026-10-14T17:00+02:00', opens: '2026-10-15T09:00+02:00' },
  { name: 'on a Saturday', at: '2026-10-17T12:00+02:00', opens: '2026-10-19T09:00+02:00' },
  { name: 'on the weekend when the clocks go back', at: '2026-10-24T12:00+02:00', opens: '2026-10-26T09:00+01:00' },
  { name: 'on the weekend when they go forward', at: '2027-03-27T12:00+01:00', opens: '2027-03-29T09:00+02:00' },
  {
    name: 'after midnight of a night that began',
    at: '2026-10-17T03:00+02:00',
    hours: night,
    opens: '2026-10-17T03:00+02:00',
  },
  { name: 'after such a night', at: '2026-10-17T07:00+02:00', hours: night, opens: '2026-10-23T22:00+02:00' },
  {
    name: 'until midnight',
    at: '2026-10-14T23:59+02:00',
    hours: { ...office, end: '24:00' },
    opens: '2026-10-14T23:59+02:00',
  },
])('the next opening $name', ({ at, hours = office, opens }) => {
  expect(nextOpening(Date.parse(at), hours, 'Europe/Berlin')).toBe(Date.parse(opens));
});
