import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderCalendar } from '../../engine/src/agenda/local/folder-calendar.ts';
import { createGoogleCalendar } from '../../engine/src/agenda/google/google-calendar.ts';
import { createGoogleTasks } from '../../engine/src/agenda/google/google-tasks.ts';
import { createGraphCalendar } from '../../engine/src/agenda/microsoft/graph-calendar.ts';
import { createGraphTodos } from '../../engine/src/agenda/microsoft/graph-todos.ts';
import { createStoredTodos, setTodoStatus } from '../../engine/src/agenda/local/stored-todos.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import { type CalendarStage, occurrencesOf, type Seed } from '../contracts/calendar.ts';
import type { TodoStage } from '../contracts/todo-list.ts';
import { ics, workers } from './folder.ts';
import { startGooglePeer } from './google/google-peer.ts';
import { startGraphPeer } from './microsoft/graph-peer.ts';
import { hastyClock, playTokens } from './peer.ts';

/** What opens an account of a provider over a peer. */
export function waysTo(url: string) {
  return { accountId: 'jane', tokens: playTokens(), clock: hastyClock(), api: url };
}

export function openFolderStage(): Promise<CalendarStage> {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-calendar-'));
  const path = join(root, 'calendar');
  mkdirSync(path);
  const write = (folder: string, seeds: readonly Seed[]) => {
    for (const seed of seeds) writeFileSync(join(folder, `${seed.id}.ics`), ics(linesOf(seed)));
  };
  return Promise.resolve({
    calendar: createFolderCalendar({ path, clock: hastyClock(), workers }),
    seed: (...seeds) => write(path, seeds),
    addCalendar(name) {
      mkdirSync(join(path, name));
      return name;
    },
    seedIn: (calendarId, ...seeds) => write(join(path, calendarId), seeds),
    count: () => readdirSync(path).length,
    close: () => Promise.resolve(rmSync(root, { recursive: true })),
  });
}

function linesOf({ id, title, time, isFree, isCancelled, weeks }: Seed): string[] {
  const plain = (text: string) => text.replace(/[-:]|\.\d+/g, '');
  const times = 'days' in time ? time.days : [time.from, time.to];
  // What is repeated begins in New York's summer, four hours behind UTC.
  const wall = (text: string) => plain(new Date(Date.parse(text) - 4 * 3_600_000).toISOString()).replace('Z', '');
  const [start = '', end = ''] = times.map((text) =>
    'days' in time
      ? `;VALUE=DATE:${plain(text)}`
      : weeks === undefined
        ? `:${plain(text)}`
        : `;TZID=America/New_York:${wall(text)}`,
  );
  return [
    ...[`UID:${id}`, `SUMMARY:${title}`, `DTSTART${start}`, `DTEND${end}`],
    ...(isFree ? ['TRANSP:TRANSPARENT'] : []),
    ...(isCancelled ? ['STATUS:CANCELLED'] : []),
    ...(weeks === undefined ? [] : [`RRULE:FREQ=WEEKLY;COUNT=${weeks}`]),
  ];
}

export async function openGoogleStage(): Promise<CalendarStage> {
  const peer = await startGooglePeer();
  const seedIn = (calendarId: string, ...seeds: readonly Seed[]) => {
    const events = peer.eventsOf(calendarId);
    for (const seed of seeds) {
      const { id, title, time, isFree, isCancelled, weeks } = seed;
      const common = {
        ...{ summary: title, status: isCancelled ? 'cancelled' : 'confirmed' },
        ...(isFree && { transparency: 'transparent' }),
      };
      if ('days' in time) events.push({ id, ...common, start: { date: time.days[0] }, end: { date: time.days[1] } });
      else
        for (const [i, { from, to }] of occurrencesOf(seed).entries())
          events.push({
            ...(weeks === undefined ? { id } : { id: `${id}_${i}`, recurringEventId: id }),
            ...common,
            ...{ start: { dateTime: from }, end: { dateTime: to } },
          });
    }
  };
  return {
    calendar: createGoogleCalendar(waysTo(peer.url)),
    seed: (...seeds) => seedIn('primary', ...seeds),
    addCalendar(name) {
      const id = `${name}-${peer.calendars.length}@group.calendar.google.com`;
      peer.calendars.push({ id, summary: name, accessRole: 'owner' });
      return id;
    },
    seedIn,
    count: () => peer.events.length,
    close: () => peer.close(),
  };
}

export async function openGraphStage(): Promise<CalendarStage> {
  const peer = await startGraphPeer();
  const utc = (dateTime: string) => ({ dateTime: dateTime.slice(0, 19), timeZone: 'UTC' });
  const seedIn = (calendarId: string, ...seeds: readonly Seed[]) => {
    const events = peer.eventsOf(calendarId);
    for (const seed of seeds) {
      const { id, title, time, isFree, isCancelled = false, weeks } = seed;
      const common = { subject: title, showAs: isFree ? 'free' : 'busy', isCancelled };
      if ('days' in time) {
        const [start, end] = time.days.map((day) => utc(`${day}T00:00:00`));
        events.push({ id, ...common, isAllDay: true, start, end });
      } else
        for (const [i, { from, to }] of occurrencesOf(seed).entries())
          events.push({
            ...(weeks === undefined ? { id } : { id: `${id}-${i}`, seriesMasterId: id, type: 'occurrence' }),
            ...common,
            ...{ start: utc(from), end: utc(to) },
          });
    }
  };
  return {
    calendar: createGraphCalendar(waysTo(peer.url)),
    seed: (...seeds) => seedIn('', ...seeds),
    addCalendar(name) {
      const id = `AAMk${name}${peer.calendars.length}=`;
      peer.calendars.push({
        id,
        name,
        isDefaultCalendar: false,
        canEdit: true,
        owner: { address: 'Jane@example.org' },
      });
      return id;
    },
    seedIn,
    count: () => peer.events.length,
    close: () => peer.close(),
  };
}

export function openStoredStage(): Promise<TodoStage> {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-todos-'));
  const store = openSqlite({ dir, synchronous: 'NORMAL' });
  let now = Date.UTC(2026, 10, 22, 12);
  return Promise.resolve({
    list: createStoredTodos({ store, clock: { ...hastyClock(), now: () => (now += 1000) } }),
    tick: async (id) => void (await setTodoStatus(store, id, 'done')),
    count: () => store.count('todo'),
    async close() {
      await store.close();
      rmSync(dir, { recursive: true });
    },
  });
}

export async function openGoogleTasksStage(): Promise<TodoStage> {
  const peer = await startGooglePeer();
  return {
    list: createGoogleTasks(waysTo(peer.url)),
    tick(id) {
      const task = peer.tasks.find((one) => one.id === id);
      Object.assign(task ?? {}, { status: 'completed', hidden: true });
    },
    count: () => peer.tasks.length,
    close: () => peer.close(),
  };
}

export async function openGraphTodosStage(): Promise<TodoStage> {
  const peer = await startGraphPeer();
  return {
    list: createGraphTodos(waysTo(peer.url)),
    tick(id) {
      Object.assign(peer.tasks.find((one) => one.id === id) ?? {}, { status: 'completed' });
    },
    count: () => peer.tasks.length,
    close: () => peer.close(),
  };
}
