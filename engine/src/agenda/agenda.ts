import type { Abortable } from '../base/abort.ts';

/** A time range in epoch milliseconds, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Texts of an event. */
interface EventWords {
  readonly title: string;
  readonly location?: string;
  readonly description?: string;
}

/** An event, or one occurrence of a repeated event. Whole days begin and end in the requested time zone. */
export interface CalendarEvent extends EventWords, Span {
  /** Id of the event; all occurrences of a repeated event share it. */
  readonly id: string;
  /** For whole days: the first day, and the day after the last: `2026-11-25`. */
  readonly days?: { readonly start: string; readonly end: string };
  /** False if the calendar marks the time as free. */
  readonly isBusy: boolean;
  readonly isRepeated: boolean;
  /** The calendar that it is in, where that is not the main one of its account. */
  readonly calendar?: { readonly id: string; readonly name: string };
}

/** A calendar of an account. */
export interface CalendarInfo {
  readonly id: string;
  readonly name: string;
  /** The main calendar, which is used where none is named. */
  readonly isPrimary: boolean;
  /** Belongs to the account itself; others are shared with it, or subscribed to. */
  readonly isOwn: boolean;
  readonly canRead: boolean;
  readonly canWrite: boolean;
  /** IANA name of the zone in which it shows times, where the provider keeps one for each calendar. */
  readonly timeZone?: string;
}

/** An event to add: between two moments, or on whole days as in `CalendarEvent`. */
export type NewEvent = EventWords & { readonly time: Span | { readonly days: { start: string; end: string } } };

/** A file or event that could not be read, by a name that its owner knows. */
export interface Skipped {
  readonly file: string;
  readonly reason: string;
}

/** Events of a time range. */
export interface CalendarView {
  /** Sorted by start, without cancelled events and declined invitations. */
  readonly events: readonly CalendarEvent[];
  readonly skipped: readonly Skipped[];
}

/**
 * The calendars of one account; a contract suite tests all of them. `read` returns the events that overlap the span, of all
 * calendars that can be read, of those that are the account's own (`ownOnly`), or of the one that `calendarId` names (an id,
 * a name, or `primary`). `add` adds to the named one, or else to the main one. `timeZone` (IANA) applies to whole days and to
 * times without a zone. `TOOL_ARGUMENTS` where there is no such calendar, or it cannot be read or written to. `add` is done once for each `key`: a second call with the same key
 * adds nothing and returns the same event. `ics` is the event as a file. Throws `TOOL_FAILED` if the calendar cannot
 * be read or written, `ACCOUNT_*` if its account cannot be used; on abort it rejects with the signal's reason.
 */
export interface Calendar {
  /** Set for the calendar of a Google or Microsoft account. */
  readonly accountId?: string;
  calendars(options: Abortable): Promise<readonly CalendarInfo[]>;
  /** The calendar to which `add` would add: the named one, or else the main one. Errors as of `add`. */
  target(calendarId: string | undefined, options: Abortable): Promise<CalendarInfo>;
  read(
    span: Span,
    options: Abortable & {
      readonly timeZone: string;
      readonly calendarId?: string | undefined;
      readonly ownOnly?: boolean;
    },
  ): Promise<CalendarView>;
  add(
    event: NewEvent,
    options: Abortable & { readonly key: string; readonly timeZone: string; readonly calendarId?: string | undefined },
  ): Promise<{ readonly event: CalendarEvent; readonly ics?: string }>;
}

/** A to-do to add. */
export interface NewTodo {
  readonly title: string;
  readonly notes?: string;
  /** A day, `2026-11-25`. */
  readonly due?: string;
  /** The mail of the run that adds it. Lists of accounts do not store it, nor the next field. */
  readonly emailId?: string;
  /** True where a sent reply to that mail closes it. */
  readonly closesOnReply?: boolean;
}

/** A to-do of a list. */
export interface Todo extends NewTodo {
  readonly id: string;
  readonly status: 'open' | 'done';
  /** Set where a sent reply closed it. */
  readonly closedBy?: 'reply';
  /** ISO 8601, UTC; absent if the list stores only the time of the last change. */
  readonly createdAt?: string;
}

/**
 * One to-do list; a contract suite tests all of them. `add` is done once for each `key`, as in `Calendar`; it throws
 * `TOOL_OUTCOME_UNKNOWN` if the provider no longer answers whether the to-do was added. `list` returns the newest
 * first. `close` marks a to-do as done, also one that is done already; it throws `NOT_FOUND` where the to-do is gone.
 */
export interface TodoList {
  /** Set for the list of a Google or Microsoft account. */
  readonly accountId?: string;
  add(todo: NewTodo, options: Abortable & { readonly key: string }): Promise<Todo>;
  list(
    options: Abortable & { readonly status?: Todo['status'] | undefined; readonly limit: number },
  ): Promise<readonly Todo[]>;
  close(id: string, options: Abortable): Promise<void>;
}

/**
 * Working hours on these days, from `start` to `end` (`09:00`, in the zone). An `end` before `start` is on the next
 * day.
 */
export interface WorkingHours {
  readonly start: string;
  readonly end: string;
  readonly days: readonly Weekday[];
}

/** Days of the week, from Monday. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A day of the week. */
export type Weekday = (typeof WEEKDAYS)[number];

/** Selects a calendar or list: the arguments of a tool call, and its caller. */
export interface AgendaOwner {
  /** `google`, `microsoft` or `local`, or an account's own `provider`. */
  readonly provider?: string | undefined;
  readonly accountId?: string | undefined;
  /** The mail of the call: its account is the default. */
  readonly emailId?: string | undefined;
  readonly directorId?: string | undefined;
}

/**
 * Finds calendars and lists. Google and Microsoft accounts have their own; all others use the local ones. Throws
 * `TOOL_ARGUMENTS` if the account is unknown, has no calendar of that provider, or several accounts are possible.
 */
export interface Agenda {
  calendar(owner: AgendaOwner): Promise<Calendar>;
  todos(owner: AgendaOwner): Promise<TodoList>;
  /** What tells the calendar or list of an owner from all others, such as the account and its address. Opens nothing. */
  target(owner: AgendaOwner, kind: 'calendar' | 'todo'): Promise<string>;
  /** IANA name of the default time zone. */
  timeZone(): string;
  workingHours(): WorkingHours;
  /** Epoch milliseconds. */
  now(): number;
}
