import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../../../base/error.ts';
import { isoTime } from '../../../base/clock.ts';
import { machineZone } from '../../../base/time-zone.ts';
import { editMail, mailOf, type StoredMail } from '../../../mail/mail-store.ts';
import { changeTriage, isSnoozed, MAIL_STATES, type MailState, type Triage } from '../../../mail/triage.ts';
import { recordOf } from '../../../run/run.ts';
import type { Condition, Reader, Row } from '../../../store/store.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { type Field, flag, oneOf, optional, readBody, text } from '../../http/body.ts';
import { queryIds } from '../../http/query.ts';

/** The state of a mail, as lists show it. */
export interface MailStateView {
  /** Null where there is nothing to say about it. */
  readonly value: MailState | null;
  /** `user`: the user's own word, which wins. `callsheet`: it follows from runs and replies. Absent where `value` is null. */
  readonly setBy?: 'user' | 'callsheet';
  readonly unread: boolean;
  readonly archived: boolean;
  /** ISO 8601; lists leave the mail out until then. Absent once it is over. */
  readonly snoozedUntil?: string;
}

/** What a list can be limited to with `?view=`. */
export const MAIL_VIEWS = ['inbox', ...MAIL_STATES, 'unread', 'snoozed', 'archived'] as const;
type MailView = (typeof MAIL_VIEWS)[number];

/** Most waiting runs that are looked at for the states of a list. */
const MAX_WAITING = 2000;
/** Waiting runs read at once; other work is done in between. */
const WAITING_BATCH = 100;
/** The furthest end of a snooze. */
const MAX_SNOOZE_MS = 366 * 24 * 3_600_000;
/** Most characters of a subject in a reminder. */
const MAX_SUBJECT = 200;

/** What the waiting runs of mails mean for the user, by mail id; all mails where `mailIds` is undefined. */
export type WaitingMails = ReadonlyMap<string, 'needsMe' | 'waiting'>;

/** Reads the waiting runs, of these mails or of all. */
export async function waitingMails(reader: Reader, mailIds?: readonly string[]): Promise<WaitingMails> {
  if (mailIds?.length === 0) return new Map();
  const where: Condition<'run'>[] = [['status', '=', 'waiting']];
  if (mailIds !== undefined) where.push(['mail', 'in', mailIds]);
  const found = new Map<string, 'needsMe' | 'waiting'>();
  for await (const row of newestRuns(reader, where)) {
    const { waitingFor } = recordOf(row).run;
    if (row.mail === '' || waitingFor === undefined || waitingFor === 'limit') continue;
    const isOthers = waitingFor === 'reply' || waitingFor === 'date';
    // What needs the user hides what waits for others.
    if (!isOthers || !found.has(row.mail)) found.set(row.mail, isOthers ? 'waiting' : 'needsMe');
  }
  return found;
}

async function* newestRuns(reader: Reader, where: readonly Condition<'run'>[]): AsyncGenerator<Row<'run'>> {
  let before: readonly Condition<'run'>[] = [];
  for (let read = 0; read < MAX_WAITING; read += WAITING_BATCH) {
    const rows = await reader.list('run', {
      where: [...where, ...before],
      order: [['id', 'desc']],
      limit: WAITING_BATCH,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < WAITING_BATCH) return;
    before = [['id', '<', last.id]];
    await setImmediate();
  }
}

/** The state of a stored mail. */
export function stateOf(id: string, mail: StoredMail, waiting: WaitingMails, now: number): MailStateView {
  const { triage = {} } = mail;
  const own = triage.state;
  const value = own ?? waiting.get(id) ?? ((mail.replies ?? []).length > 0 ? 'replied' : null);
  return {
    value,
    ...(value !== null && { setBy: own === undefined ? ('callsheet' as const) : ('user' as const) }),
    unread: triage.unread === true,
    archived: triage.archived === true,
    ...(isSnoozed(triage, now) && triage.snoozedUntil !== undefined && { snoozedUntil: triage.snoozedUntil }),
  };
}

/** Whether a state belongs to a view. */
export function isInView(view: MailView, { value, unread, archived, snoozedUntil }: MailStateView): boolean {
  const isSnoozedNow = snoozedUntil !== undefined;
  switch (view) {
    case 'inbox':
      return !archived && !isSnoozedNow && value !== 'done';
    case 'unread':
      return unread && !archived && !isSnoozedNow;
    case 'snoozed':
      return isSnoozedNow;
    case 'archived':
      return archived;
    default:
      return value === view && !isSnoozedNow;
  }
}

const orNull =
  <T>(field: Field<T>): Field<T | null> =>
  (value, key) =>
    value === null ? null : field(value, key);

const INPUT = {
  value: optional(orNull(oneOf(...MAIL_STATES))),
  unread: optional(flag),
  archived: optional(flag),
  snoozedUntil: optional(orNull(text)),
};

/**
 * `PUT /api/emails/:id/state` and `PUT /api/emails/state?ids=` with `{ value?, unread?, archived?, snoozedUntil? }`: what the user did
 * with mails. `value: null` gives the state back to what Callsheet knows. The mailbox does not change.
 */
export const mailStateRoutes: AddRoutes = (router, services) => {
  router.put('/emails/state', async (ctx) => {
    const ids = queryIds(ctx);
    if (ids === undefined) throw new EngineError('BAD_REQUEST', '"ids" is missing in the query: ?ids=a,b');
    const change = readChange(services, ctx);
    const changed: string[] = [];
    for (const id of ids) if (await setState(services, id, change)) changed.push(id);
    ctx.body = { changed };
  });
  router.put('/emails/:id/state', async (ctx) => {
    const id = String(ctx.params['id']);
    const { store, clock } = services.deps;
    const row = (await setState(services, id, readChange(services, ctx))) ? await store.get('mail', { id }) : undefined;
    if (row === undefined) throw new EngineError('NOT_FOUND', `no e-mail "${id}"`);
    ctx.body = viewState(row, await waitingMails(store, [id]), clock.now());
  });
};

/** The state of the mail of a row. */
export function viewState(row: Row<'mail'>, waiting: WaitingMails, now: number): MailStateView {
  return stateOf(row.id, mailOf(row), waiting, now);
}

type Input = ReturnType<typeof readChange>;

function readChange({ deps }: Services, ctx: RouteContext) {
  const input = readBody(ctx, INPUT);
  const { snoozedUntil } = input;
  if (typeof snoozedUntil !== 'string') return { ...input, snoozedUntil };
  if (input.archived === true)
    throw new EngineError('BAD_REQUEST', 'an archived e-mail cannot be snoozed', {
      hint: 'send either "archived": true or "snoozedUntil"',
    });
  const until = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(snoozedUntil)
    ? Date.parse(snoozedUntil)
    : Number.NaN;
  const now = deps.clock.now();
  if (Number.isNaN(until) || until <= now || until > now + MAX_SNOOZE_MS)
    throw new EngineError('BAD_REQUEST', '"snoozedUntil" must be a time within the next year', {
      hint: 'such as 2026-11-22T10:00:00Z',
    });
  return { ...input, snoozedUntil: isoTime(until) };
}

/** Changes the triage of a mail, with the reminder for the end of its snooze. False where there is no such mail. */
async function setState(services: Services, id: string, input: Input): Promise<boolean> {
  const { deps, reminders, config } = services;
  const { value: state, unread, archived, snoozedUntil } = input;
  const row = await deps.store.get('mail', { id });
  if (row?.state !== 'kept') return false;
  const mail = mailOf(row);
  let snooze: { readonly until: string; readonly reminderId: string } | null | undefined;
  if (snoozedUntil === null) snooze = null;
  else if (snoozedUntil !== undefined) {
    const timeZone = config.current().settings.calendar.timeZone ?? machineZone();
    const subject = mail.summary.subject.slice(0, MAX_SUBJECT) || '(no subject)';
    const reminder = await reminders.add(
      { text: `Snoozed e-mail: ${subject}`, timeZone, emailId: id, isTainted: true },
      // The time too: a repeated request after a crash, or another tab, may name another one.
      { key: `snooze ${id} ${row.rev} ${snoozedUntil}`, due: Date.parse(snoozedUntil) },
    );
    snooze = { until: snoozedUntil, reminderId: reminder.id };
  }
  let before: Triage = {};
  let after: Triage = {};
  const isThere = await editMail(deps.store, id, (stored) => {
    before = stored.triage ?? {};
    after = changeTriage(before, { state, unread, archived, snooze });
    return JSON.stringify(after) === JSON.stringify(before) ? stored : { ...stored, triage: after };
  });
  if (before.reminderId !== undefined && before.reminderId !== after.reminderId)
    await cancelReminder(services, before.reminderId);
  if (isThere) deps.live.publish('mail', { id });
  return isThere;
}

/** One that was due already needs no cancelling. */
async function cancelReminder({ reminders }: Services, id: string): Promise<void> {
  try {
    await reminders.cancel(id);
  } catch (error) {
    if (!(error instanceof EngineError && (error.code === 'CONFLICT' || error.code === 'NOT_FOUND'))) throw error;
  }
}
