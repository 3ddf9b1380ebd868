import type { Snapshot } from '../config/config.ts';
import type { RoutingDecision } from '../filter/filter.ts';
import {
  findByIdentity,
  findByMessageId,
  identityKey,
  type NewMail,
  storeRaw,
  insertMailChange,
  threadKey,
} from '../mail/mail-store.ts';
import type { ParsedMail } from '../mail/mail.ts';
import type { Change } from '../store/store.ts';
import { EngineError } from '../base/error.ts';
import { noteStarts } from './label-starts.ts';
import { type RouteMail, startOnMail } from './start-runs.ts';
import type { Dependencies } from '../run/dependencies.ts';
import { type KnownMailUpdate, updateKnownMail } from './label-changes.ts';

export interface IncomingMail {
  readonly mailId: string;
  readonly accountId: string;
  readonly parsed: ParsedMail;
  readonly fetchCycleId: string;
  /** The provider's id of the mail; absent where it is the sha256 of the bytes. */
  readonly providerId?: string;
  /** As in `FoundMail`: what a mail that is known already has now. */
  readonly labels?: readonly string[];
  /** What the source is to remember, committed with the mail of this identity. */
  readonly cursor: (identity: string) => readonly Change[];
}

/** What came of a mail: it is new, or it was known; its labels may have started runs then. */
export interface IntakeResult extends KnownMailUpdate {
  readonly isNew: boolean;
}

/**
 * Takes a mail: the mail, the decision about it, its runs and the account's cursor are one commit, so that a process that
 * dies leaves all of it or nothing. Of a mail that was taken before, its labels are (see `updateKnownMail`). A mail with a
 * `providerId` is not looked up first: the caller has done so before it read the mail. A mail that another lane or process has
 * taken since then makes the commit fail, and only then the store is asked again.
 */
export async function ingestMail(
  deps: Dependencies,
  routeMail: RouteMail,
  arrival: IncomingMail,
): Promise<IntakeResult> {
  const { store } = deps;
  const { accountId, parsed } = arrival;
  const identity = identityKey(store, accountId, arrival.providerId ?? parsed.sha256);
  const known = arrival.providerId === undefined ? await updateKnown(deps, routeMail, arrival, identity) : undefined;
  if (known !== undefined) return known;
  await storeRaw(store, identity, parsed.raw);
  const config = deps.config.current();
  const decision = await routeMail(parsed.subject, config);
  const runs = await runChanges(deps, config, decision, arrival);
  const mail = await newMail(deps, decision, arrival, identity);
  try {
    deps.probe?.('before-commit');
    await store.apply([...insertMailChange(store, mail), ...runs, ...arrival.cursor(identity)]);
    deps.probe?.('after-commit');
  } catch (error) {
    // Somebody took the same mail in between, or a revision was kept by another run: look again.
    const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
    const row = isConflict ? await findByIdentity(store, identity) : undefined;
    // Of a mail that a person has deleted since somebody else took it, what was stored once more goes again.
    if (row?.state === 'deleted') await store.apply([{ op: 'delete', table: 'mailRaw', where: { identity } }]);
    const taken = row && (await updateKnown(deps, routeMail, arrival, identity));
    if (taken === undefined) throw error;
    return taken;
  }
  deps.log.info('mail taken', { mail: mail.id, account: accountId, directors: mail.routing.directors.length });
  deps.live.publish('mail', { id: mail.id });
  return { isNew: true, hasStarted: mail.routing.directors.length > 0 };
}

async function updateKnown(
  deps: Dependencies,
  routeMail: RouteMail,
  arrival: IncomingMail,
  identity: string,
): Promise<IntakeResult | undefined> {
  const { labels, fetchCycleId } = arrival;
  const sighting = {
    identity,
    ...(labels !== undefined && { labels }),
    fetchCycleId,
    cursor: arrival.cursor(identity),
  };
  const known = await updateKnownMail(deps, routeMail, sighting);
  return known && { isNew: false, ...known };
}

async function runChanges(
  deps: Dependencies,
  config: Snapshot,
  { directors }: RoutingDecision,
  { mailId, accountId, fetchCycleId, parsed }: IncomingMail,
): Promise<Change[]> {
  const { subject, from, date, threadId } = parsed.facts;
  const { store, clock } = deps;
  const mail = { id: mailId, accountId, subject, from, date };
  return [
    ...(await startOnMail(deps, { config, directors, mail, fetchCycleId })),
    ...noteStarts(store, threadKey(store, accountId, threadId), directors, clock.now()),
  ];
}

async function newMail(
  deps: Dependencies,
  decision: RoutingDecision,
  arrival: IncomingMail,
  identity: string,
): Promise<NewMail> {
  const { parsed, accountId, mailId } = arrival;
  const { messageId, threadId } = parsed.facts;
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
    routing: { directors: decision.directors.map(({ directorId }) => directorId), note: noteOf(decision) },
    notes: parsed.notes,
    ...(duplicateOf !== undefined && { duplicateOf }),
  };
}

/** Why nobody took it, or who could not; `''` where all went as the filters say. */
function noteOf(decision: RoutingDecision): string {
  const passed = decision.passedOver.map(({ directorId, filterId, reason }) =>
    reason === 'account'
      ? `filter ${filterId} names director ${directorId}, which does not take mail of this account`
      : `filter ${filterId} names director ${directorId}, which is disabled`,
  );
  if (decision.directors.length === 0 && passed.length === 0) return 'no filter matched';
  return passed.join('; ');
}
