import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Snapshot } from '../config/config.ts';
import type { RoutingDecision } from '../filter/filter.ts';
import { usesLabels } from '../filter/label-conditions.ts';
import { changeMail, findByIdentity, mailOf, readContent, type StoredMail } from '../mail/mail-store.ts';
import type { Change, Row } from '../store/store.ts';
import { firstStarts } from './label-starts.ts';
import { orderByLabels } from './objective-mail.ts';
import { decideWithin, NO_DECISION, type RouteMail, startOnMail } from './start-runs.ts';
import type { Dependencies } from '../run/dependencies.ts';

/** A mail that was stored before and was found at its source again. */
export interface KnownMailSighting {
  readonly identity: string;
  /** All current labels; absent where they are unknown, and stay as they are. */
  readonly labels?: readonly string[];
  /** False where it is unknown whether the mail still is at the source: a mail marked as removed stays so. */
  readonly isThere?: false | undefined;
  readonly fetchCycleId: string;
  /** Changes to the source state, committed together with the mail. */
  readonly cursor: readonly Change[];
}

/** Result for a mail that was stored before. */
export interface KnownMailUpdate {
  /** Whether its new labels started runs, or woke what waits. */
  readonly hasStarted: boolean;
}

/** How often an update is tried again after another process changed the mail. */
const ATTEMPTS = 5;

/**
 * Updates a mail if it is known; undefined where no mail of this identity was ever stored, and then nothing is written.
 * This is the one place that decides whether a mail is known.
 *
 * A known mail gets its current labels and is no longer marked as removed. For added labels, filters with label
 * conditions are evaluated again, and each director is started at most once per thread and label. All of it is one
 * commit; without a change nothing is written. For a mail that a person deleted here, only the source state changes.
 */
export async function updateKnownMail(
  deps: Dependencies,
  routeMail: RouteMail,
  sighting: KnownMailSighting,
): Promise<KnownMailUpdate | undefined> {
  return retried(async () => {
    const row = await findByIdentity(deps.store, sighting.identity);
    if (row === undefined) return undefined;
    const next = row.state === 'kept' ? await relabel(deps, routeMail, row, sighting) : undefined;
    const changes = [...(next?.changes ?? []), ...sighting.cursor];
    if (changes.length > 0) {
      deps.probe?.('before-commit');
      await deps.store.apply(changes);
      deps.probe?.('after-commit');
    }
    if (next === undefined) return { hasStarted: false };
    deps.live.publish('mail', { id: row.id });
    if (next.directors > 0) deps.log.info('new labels started runs', { mail: row.id, directors: next.directors });
    return { hasStarted: next.directors > 0 || next.hasOrders };
  });
}

/**
 * Marks a mail as removed from its source, in one commit with `cursor`. With an undefined `identity` only `cursor` is
 * committed: the mail has another name there. The stored mail stays, and its runs go on.
 */
export async function markGone(
  deps: Dependencies,
  identity: string | undefined,
  cursor: readonly Change[],
): Promise<void> {
  await retried(async () => {
    const row = identity === undefined ? undefined : await findByIdentity(deps.store, identity);
    const mail = row?.state === 'kept' ? mailOf(row) : undefined;
    const isNews = row !== undefined && mail !== undefined && mail.removedAt === undefined;
    const changes = isNews ? [changeMail(row, { ...mail, removedAt: isoTime(deps.clock.now()) }), ...cursor] : cursor;
    if (changes.length > 0) await deps.store.apply(changes);
    if (isNews) deps.live.publish('mail', { id: row.id });
  });
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The changes to the mail, and how many directors they start; undefined where nothing changes. */
async function relabel(deps: Dependencies, routeMail: RouteMail, row: Row<'mail'>, sighting: KnownMailSighting) {
  const { removedAt, ...rest } = mailOf(row);
  const isBack = removedAt !== undefined && sighting.isThere !== false;
  const mail: StoredMail = isBack || removedAt === undefined ? rest : { ...rest, removedAt };
  const before = new Set(mail.summary.labels);
  const labels = sighting.labels === undefined ? mail.summary.labels : [...new Set(sighting.labels)];
  const addedLabels = labels.filter((label) => !before.has(label));
  const isSame = addedLabels.length === 0 && labels.length === before.size;
  if (isSame && !isBack) return undefined;
  const summary = isSame ? mail.summary : { ...mail.summary, labels };
  const now: StoredMail = { ...mail, summary };
  const config = deps.config.current();
  const decision =
    addedLabels.length === 0 ? NO_DECISION : await decideAgain(deps, config, routeMail, now, addedLabels);
  const removed = [...before].filter((label) => !labels.includes(label));
  const orders = await orderByLabels(deps, {
    ...{ thread: row.threadKey, mailId: row.id, removed, directors: decision.directors },
  });
  const first = await firstStarts(deps.store, row.threadKey, orders.directors, deps.clock.now(), orders.again);
  const { id, accountId, threadId, subject, date, from } = summary;
  const runs = await startOnMail(deps, {
    config,
    directors: first.directors,
    mail: { id, accountId, threadId, subject, date, from: from[0]?.address ?? '' },
    fetchCycleId: sighting.fetchCycleId,
    byLabel: true,
  });
  const started = first.directors.map(({ directorId }) => directorId);
  const changed = changeMail(row, started.length === 0 ? now : { ...now, routing: routedTo(mail.routing, started) });
  const changes = [changed, ...first.rows, ...runs, ...orders.changes];
  return { changes, directors: started.length, hasOrders: orders.changes.length > 0 };
}

async function decideAgain(
  { store, log }: Dependencies,
  config: Snapshot,
  routeMail: RouteMail,
  mail: StoredMail,
  addedLabels: readonly string[],
): Promise<RoutingDecision> {
  if (!config.filters.some(usesLabels)) return NO_DECISION;
  const { headers, bodyText } = await readContent(store, mail.summary.id);
  const subject = JSON.stringify({ mail: mail.summary, headers, bodyText });
  const decision = await decideWithin(() => routeMail(subject, config, addedLabels));
  if (decision !== undefined) return decision;
  // The labels are stored all the same, so that one mail does not stop the account.
  log.warn('filters could not be evaluated on a mail within their limits; its new labels start no run', {
    mail: mail.summary.id,
  });
  return NO_DECISION;
}

/** Adds the started directors; the note that no director took the mail no longer applies. */
function routedTo({ directors, note }: StoredMail['routing'], started: readonly string[]): StoredMail['routing'] {
  return { directors: [...new Set([...directors, ...started])], note: directors.length === 0 ? '' : note };
}
