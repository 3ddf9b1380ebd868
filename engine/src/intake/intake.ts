import type { Snapshot } from '../config/config.ts';
import type { RoutingDecision } from '../filter/filter.ts';
import {
  findByIdentity,
  findByMessageId,
  identityKey,
  type NewMail,
  rawChanges,
  insertMailChange,
  threadKey,
} from '../mail/mail-store.ts';
import type { ParsedMail } from '../mail/mail.ts';
import { wakeByMail } from './objective-mail.ts';
import type { Change } from '../store/store.ts';
import { EngineError } from '../base/error.ts';
import { noteStarts } from './label-starts.ts';
import { decideWithin, NO_DECISION, type RouteMail, startOnMail } from './start-runs.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { type KnownMailSighting, type KnownMailUpdate, updateKnownMail } from './label-changes.ts';

/** A mail that was read from its source and is to be stored. */
export interface IncomingMail {
  readonly mailId: string;
  readonly accountId: string;
  readonly parsed: ParsedMail;
  readonly fetchCycleId: string;
  /** The provider's id of the mail; absent where its identity is the sha256 of the bytes. */
  readonly providerId?: string;
  /** As in `FoundMail`: the current labels, for a mail that is known already. */
  readonly labels?: readonly string[];
  /** Changes to the source state, committed together with the mail of this identity. */
  readonly cursor: (identity: string) => readonly Change[];
  /**
   * Awaited once it is known which filters match: mails that are committed together share a sync. What else decides about the mail is read after
   * that, such as the objectives on its thread: it may change meanwhile.
   */
  readonly beforeCommit?: () => Promise<void>;
}

/** How often what a mail means is looked up again after another process or a run changed it. */
const ATTEMPTS = 5;

/** Result for one mail: whether it is new, and whether it started runs. */
export interface IntakeResult extends KnownMailUpdate {
  readonly isNew: boolean;
}

/**
 * Stores a mail. The mail, its bytes, the routing decision, its runs and the source state are one commit, so that a process that
 * dies leaves all of them or none; of the bytes of a large mail only the last piece, with the others before it. A known mail is updated instead (`updateKnownMail`). A mail with a `providerId` is
 * not looked up here: the caller has done so before it read the mail. Where another lane or process stores the same
 * mail meanwhile, the commit fails with a conflict (the identity is unique), and the mail is looked up then.
 */
export async function ingestMail(
  deps: Dependencies,
  routeMail: RouteMail,
  arrival: IncomingMail,
): Promise<IntakeResult> {
  const { store } = deps;
  const { accountId, parsed } = arrival;
  const identity = identityKey(store, accountId, arrival.providerId ?? parsed.sha256);
  const cursor = arrival.cursor(identity);
  const sighting = {
    ...{ identity, fetchCycleId: arrival.fetchCycleId, cursor },
    ...(arrival.labels !== undefined && { labels: arrival.labels }),
  };
  const known = arrival.providerId === undefined ? await updateKnown(deps, routeMail, sighting) : undefined;
  if (known !== undefined) return known;
  const raw = rawChanges(identity, parsed.raw);
  const last = raw.pop() ?? [];
  for (const changes of raw) await store.apply(changes);
  const config = deps.config.current();
  const decided = await decideWithin(() => routeMail(parsed.subject, config));
  if (decided === undefined)
    deps.log.warn('filters could not be evaluated on a mail within their limits; it starts no run', {
      ...{ mail: arrival.mailId, account: accountId },
    });
  await arrival.beforeCommit?.();
  const stored = async () => {
    const { runs, woken } = await runChanges(deps, config, decided ?? NO_DECISION, arrival);
    const mail = await newMail(deps, decided, woken, arrival, identity);
    deps.probe?.('before-commit');
    await store.apply([...last, ...insertMailChange(store, mail), ...runs, ...cursor]);
    deps.probe?.('after-commit');
    return mail;
  };
  for (let attempt = 1; ; attempt++)
    try {
      const { id, routing } = await stored();
      deps.log.info('a mail was stored', { mail: id, account: accountId, directors: routing.directors.length });
      deps.live.publish('mail', { id });
      return { isNew: true, hasStarted: routing.directors.length > 0 };
    } catch (error) {
      // Another process stored the same mail, another run stored the same revision, or an objective went on: look again.
      if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
      const row = await findByIdentity(store, identity);
      // A person has deleted the mail since another process stored it: the raw bytes that were stored again are deleted
      // too.
      if (row?.state === 'deleted') await store.apply([{ op: 'delete', table: 'mailRaw', where: { identity } }]);
      const taken = row && (await updateKnown(deps, routeMail, sighting));
      if (taken !== undefined) return taken;
      if (attempt === ATTEMPTS) throw error;
    }
}

async function updateKnown(
  deps: Dependencies,
  routeMail: RouteMail,
  sighting: KnownMailSighting,
): Promise<IntakeResult | undefined> {
  const known = await updateKnownMail(deps, routeMail, sighting);
  return known && { isNew: false, ...known };
}

async function runChanges(
  deps: Dependencies,
  config: Snapshot,
  decision: RoutingDecision,
  { mailId, accountId, fetchCycleId, parsed }: IncomingMail,
): Promise<{
  readonly runs: Change[];
  readonly woken: readonly string[];
}> {
  const { subject, from, date, threadId } = parsed.facts;
  const { store, clock } = deps;
  const mail = { id: mailId, accountId, threadId, subject, from, date };
  const thread = threadKey(store, accountId, threadId);
  const { directors, changes, woken } = await wakeByMail(deps, thread, decision.directors, parsed);
  const runs = [
    ...(await startOnMail(deps, { config, directors, mail, fetchCycleId })),
    ...noteStarts(store, thread, directors, clock.now()),
    ...changes,
  ];
  return { runs, woken };
}

async function newMail(
  deps: Dependencies,
  decided: RoutingDecision | undefined,
  woken: readonly string[],
  arrival: IncomingMail,
  identity: string,
): Promise<NewMail> {
  const { parsed, accountId, mailId } = arrival;
  const { messageId, threadId } = parsed.facts;
  const { directors: chosen } = decided ?? NO_DECISION;
  const directors = [...new Set([...chosen.map(({ directorId }) => directorId), ...woken])];
  const duplicateOf = await findByMessageId(deps.store, accountId, messageId);
  return {
    id: mailId,
    accountId,
    messageId,
    threadId,
    identity,
    summary: parsed.summary,
    content: parsed.content,
    providerId: arrival.providerId ?? parsed.sha256,
    size: parsed.raw.byteLength,
    routing: { directors, note: noteOf(decided, directors.length > 0) },
    notes: parsed.notes,
    ...(duplicateOf !== undefined && { duplicateOf }),
    ...(!parsed.facts.own && { triage: { unread: true as const } }),
  };
}

/** Why no director took the mail, or which directors could not; `''` where all went as the filters say. */
function noteOf(decision: RoutingDecision | undefined, isTaken: boolean): string {
  if (decision === undefined)
    return 'the filters could not be evaluated on this mail within their limits of time and memory';
  const passed = decision.passedOver.map(({ directorId, filterId, reason }) =>
    reason === 'account'
      ? `filter ${filterId} names director ${directorId}, which does not take mail of this account`
      : `filter ${filterId} names director ${directorId}, which is disabled`,
  );
  if (!isTaken && passed.length === 0) return 'no filter matched';
  return passed.join('; ');
}
