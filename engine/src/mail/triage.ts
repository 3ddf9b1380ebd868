/** What a mail asks of the user, in the order of the list's filters. */
export const MAIL_STATES = ['needsMe', 'waiting', 'replied', 'done'] as const;

/** `needsMe`: the user has to act · `waiting`: somebody else has to · `replied` · `done`: nothing is left. */
export type MailState = (typeof MAIL_STATES)[number];

/** What the user did with a mail in Callsheet. The mailbox knows nothing of it. */
export interface Triage {
  /** The user's own word; absent where the state follows from what happens to the mail. */
  readonly state?: MailState;
  readonly unread?: true;
  readonly archived?: true;
  /** ISO 8601; until then lists leave it out. */
  readonly snoozedUntil?: string;
  /** The reminder that notifies the user when the snooze ends. */
  readonly reminderId?: string;
}

/** A change of a triage: absent members stay as they are, `null` removes. */
export interface TriageChange {
  readonly state?: MailState | null | undefined;
  readonly unread?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly snooze?: { readonly until: string; readonly reminderId: string } | null | undefined;
}

/** The changed triage. A snoozed mail comes back unread. An archived mail is not snoozed any more, and the other way round. */
export function changeTriage(before: Triage, change: TriageChange): Triage {
  const state = change.state === undefined ? before.state : (change.state ?? undefined);
  const unread = change.unread ?? (change.snooze ? true : before.unread === true);
  const archived = change.archived ?? (change.snooze ? false : before.archived === true);
  const kept =
    before.snoozedUntil === undefined ? undefined : { until: before.snoozedUntil, reminderId: before.reminderId };
  const snooze = change.archived === true || change.snooze === null ? undefined : (change.snooze ?? kept);
  return {
    ...(state !== undefined && { state }),
    ...(unread && { unread }),
    ...(archived && { archived }),
    ...(snooze !== undefined && { snoozedUntil: snooze.until }),
    ...(snooze?.reminderId !== undefined && { reminderId: snooze.reminderId }),
  };
}

/** Whether lists leave a mail out until later. */
export function isSnoozed({ snoozedUntil }: Triage, now: number): boolean {
  return snoozedUntil !== undefined && Date.parse(snoozedUntil) > now;
}
