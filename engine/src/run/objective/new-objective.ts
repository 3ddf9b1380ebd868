import { isoTime } from '../../base/clock.ts';
import { mailOf, threadKey } from '../../mail/mail-store.ts';
import { readableRows } from '../../store/readable-rows.ts';
import type { Change, Store } from '../../store/store.ts';
import type { NewRun } from '../machine-mode.ts';
import { isPersonsMessage, summarise } from '../run.ts';
import { isOpenObjective, type Objective } from './objective.ts';
import { insertObjective, objectiveOf, objectivesOn, readObjective } from './objective-rows.ts';

/** Most mails of a thread that are looked at for the newest one. */
const MAX_MAILS = 200;

/**
 * The rows of a new run of an objective: its record, linked to the thread of its mail. What the user wants is the message as it was
 * written; without a message, intake finds it. One that repeats a failed run keeps the wish and the threads of that one, the number of its follow-ups
 * and its last mail, so that nobody gets more follow-ups than `followUp.max`, and its draft, so that there is no second one; its wakes, costs and
 * days begin anew. One on a
 * thread that had an objective of this director before names the earlier one.
 */
export async function objectiveRows(store: Store, made: NewRun): Promise<readonly Change[]> {
  const { run, director, thread, now } = made;
  const failed = run.retryOf === undefined ? undefined : await readObjective(store, run.retryOf);
  const earlier = failed ?? (thread && (await earlierOn(store, thread, director.id)));
  const own = thread === undefined ? [] : [thread];
  const linked = (failed?.threads ?? []).filter(
    ({ accountId, threadId }) => !own.some((one) => one.accountId === accountId && one.threadId === threadId),
  );
  return insertObjective(
    store,
    {
      id: run.id,
      directorId: director.id,
      userQuery: run.trigger.message ?? failed?.userQuery ?? '',
      threads: [...own, ...linked],
      maxFollowUps: failed?.followUp.max ?? 0,
      ...(failed !== undefined && { sentFollowUps: failed.followUp.sent }),
      ...(failed?.lastSent !== undefined && { lastSent: failed.lastSent }),
      ...(failed?.silent !== undefined && { silent: failed.silent }),
      ...(failed?.draft !== undefined && { draft: failed.draft }),
      ...(failed?.withdrawn !== undefined && { withdrawn: failed.withdrawn }),
      newestMailAt: thread && (await newestMailOn(store, thread)),
      because: beginningOf(made),
      ...(earlier !== undefined && { follows: earlier.id }),
    },
    now,
  );
}

/** The last objective of a director on a thread that is over. */
async function earlierOn(
  store: Store,
  { accountId, threadId }: { readonly accountId: string; readonly threadId: string },
  directorId: string,
): Promise<Objective | undefined> {
  const rows = await objectivesOn(store, threadKey(store, accountId, threadId));
  const own = rows.filter(({ director }) => director === directorId).map(objectiveOf);
  return own.findLast((objective) => !isOpenObjective(objective));
}

/** Date of the newest mail that is stored on a thread, the one that starts the objective included. */
async function newestMailOn(
  store: Store,
  { accountId, threadId, date }: NonNullable<NewRun['thread']>,
): Promise<string | undefined> {
  const rows = await readableRows(store, () => {}).list('mail', {
    where: [
      ['threadKey', '=', threadKey(store, accountId, threadId)],
      ['state', '=', 'kept'],
    ],
    order: [['id', 'desc']],
    limit: MAX_MAILS,
  });
  const times = [date, ...rows.map((row) => mailOf(row).summary.date)].map((text) => Date.parse(text));
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : isoTime(Math.max(...known));
}

/** The first line of the story. */
function beginningOf({ run, thread }: NewRun): string {
  const { trigger, retryOf } = run;
  const on = thread === undefined ? '' : ` on the thread "${summarise(thread.subject)}"`;
  if (retryOf !== undefined) return `Objective ${retryOf} was run again${on}`;
  if (trigger.labels !== undefined) return `The label ${trigger.labels.join(', ')} was put${on || ' on a thread'}`;
  if (trigger.message === undefined) return `A mail arrived${on}`;
  const who = isPersonsMessage(run) ? 'The user' : 'A program';
  return `${who} asked${on}: ${summarise(trigger.message)}`;
}
