import type { Abortable } from '../base/abort.ts';

/** A stretch of time in epoch milliseconds, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What an event says besides its time. */
interface EventWords {
  readonly title: string;
  readonly location?: string;
  readonly description?: string;
}

/** An event, or one occurrence of a repeated one. An event of whole days covers them as they are in the zone that was asked for. */
export interface CalendarEvent extends EventWords, Span {
  /** Of the event; occurrences of a repeated event share it. */
  readonly id: string;
  /** For whole days: the first one and the one after the last, `2026-11-25`. */
  readonly days?: { readonly start: string; readonly end: string };
  /** False where the calendar says that the time stays free. */
  readonly isBusy: boolean;
  readonly isRepeated: boolean;
}

/** When an event is to be: two moments, or whole days as in `CalendarEvent`. */
export type NewEvent = EventWords & { readonly time: Span | { readonly days: { start: string; end: string } } };

/** Something that could not be read, by a name that its owner finds it by. */
export interface Skipped {
  readonly file: string;
  readonly reason: string;
}

export interface CalendarView {
  /** By their begin. Cancelled ones, and invitations that were declined, are left out. */
  readonly events: readonly CalendarEvent[];
  readonly skipped: readonly Skipped[];
}

/**
 * One calendar; a contract suite tests them all. `read` gives what touches the span; `timeZone` (IANA) is that of days and of
 * times without a zone. `add` is done once for a `key`: again with the same key it adds nothing and says the same. `ics` is the
 * event as a file. `TOOL_FAILED` where the calendar cannot be read or written, `ACCOUNT_*` where its account cannot be used;
 * abort rejects with the signal's reason.
 */
export interface Calendar {
  /** Set for the calendar that an account has of its own. */
  readonly accountId?: string;
  read(span: Span, options: Abortable & { readonly timeZone: string }): Promise<CalendarView>;
  add(
    event: NewEvent,
    options: Abortable & { readonly key: string; readonly timeZone: string },
  ): Promise<{ readonly event: CalendarEvent; readonly ics?: string }>;
}

export interface NewTodo {
  readonly title: string;
  readonly notes?: string;
  /** A day, `2026-11-25`. */
  readonly due?: string;
}

export interface Todo extends NewTodo {
  readonly id: string;
  readonly status: 'open' | 'done';
  /** ISO 8601, UTC; absent where the list keeps only when a to-do was changed last. */
  readonly createdAt?: string;
}

/**
 * One list of to-dos; a contract suite tests them all. `add` is done once for a `key`, as in `Calendar`; `TOOL_OUTCOME_UNKNOWN`
 * where the provider no longer answers whether it has it. `list` gives the newest first.
 */
export interface TodoList {
  /** Set for the list that an account has of its own. */
  readonly accountId?: string;
  add(todo: NewTodo, options: Abortable & { readonly key: string }): Promise<Todo>;
  list(
    options: Abortable & { readonly status?: Todo['status'] | undefined; readonly limit: number },
  ): Promise<readonly Todo[]>;
}

/** When somebody works: from `start` to `end` (`09:00`, in the zone), on these days. An `end` before `start` is on the next day. */
export interface WorkingHours {
  readonly start: string;
  readonly end: string;
  readonly days: readonly Weekday[];
}

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** Which calendar or list is meant, as a tool call says it, and who calls. */
export interface AgendaOwner {
  /** `google`, `microsoft` or `local`, or an account's own `provider`. */
  readonly provider?: string | undefined;
  readonly accountId?: string | undefined;
  /** The mail that the call is about: its account is meant where none is named. */
  readonly emailId?: string | undefined;
  readonly directorId?: string | undefined;
}

/**
 * Finds calendars and lists. Accounts at Google and Microsoft have their own, every other has the local ones. `TOOL_ARGUMENTS`
 * where there is no such account, it has no calendar of that provider, or several could be meant.
 */
export interface Agenda {
  calendar(owner: AgendaOwner): Promise<Calendar>;
  todos(owner: AgendaOwner): Promise<TodoList>;
  /** IANA name of the zone of whoever says none. */
  timeZone(): string;
  workingHours(): WorkingHours;
  /** Epoch milliseconds. */
  now(): number;
}
