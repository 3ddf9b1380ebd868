import type { Snapshot } from '../config/config.ts';
import type { Decision } from '../filter/filter.ts';
import { findByMessageId, identityKey, isKnown, type NewMail, storeRaw, takeMail } from '../mail/mails.ts';
import type { ParsedMail } from '../mail/room.ts';
import type { Change, Store } from '../store/store.ts';
import { EngineError } from '../base/error.ts';
import { createRun } from './create.ts';
import type { Parts } from './parts.ts';

/** Decides in a worker which directors take a mail; `subject` is JSON as the mail room gave it. */
export type JudgeMail = (subject: string, config: Snapshot) => Promise<Decision>;

export interface Arrival {
  readonly mailId: string;
  readonly accountId: string;
  readonly parsed: ParsedMail;
  readonly fetchCycleId: string;
  /** The provider's id of the mail; absent where it is the sha256 of the bytes. */
  readonly providerId?: string;
  /** The account's cursor, committed with the mail. */
  readonly cursor: readonly Change[];
}

/**
 * Takes a mail: the mail, the decision about it, its runs and the account's cursor are one commit, so that a process that
 * dies leaves all of it or nothing. A mail that was taken before only moves the cursor. Returns whether it was new.
 */
export async function takeArrival(parts: Parts, judge: JudgeMail, arrival: Arrival): Promise<boolean> {
  const { store } = parts;
  const { accountId, parsed, cursor } = arrival;
  const identity = identityKey(store, accountId, arrival.providerId ?? parsed.sha256);
  if (await isKnown(store, identity)) {
    if (cursor.length > 0) await store.apply(cursor);
    return false;
  }
  await storeRaw(store, identity, parsed.raw);
  const config = parts.config.current();
  const decision = await judge(parsed.subject, config);
  const runs = await runChanges(parts, config, decision, arrival);
  const mail = await newMail(parts, decision, arrival, identity);
  try {
    parts.probe?.('before-commit');
    await store.apply([...takeMail(store, mail), ...runs, ...cursor]);
    parts.probe?.('after-commit');
  } catch (error) {
    // Somebody took the same mail in between, or a revision was kept by another run: look again.
    if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT' || !(await isKnown(store, identity)))
      throw error;
    await forgetRaw(store, identity);
    return false;
  }
  parts.log.info('mail taken', { mail: mail.id, account: accountId, directors: mail.routing.directors.length });
  parts.live.publish('mail', { id: mail.id });
  return true;
}

/** Of a mail that a person has deleted since somebody else took it, what was stored once more goes again. */
async function forgetRaw(store: Store, identity: string): Promise<void> {
  const isKept = await store.count('mail', [
    ['identity', '=', identity],
    ['state', '=', 'kept'],
  ]);
  if (isKept === 0) await store.apply([{ op: 'delete', table: 'mailRaw', where: { identity } }]);
}

async function runChanges(parts: Parts, config: Snapshot, decision: Decision, arrival: Arrival): Promise<Change[]> {
  const { subject, from, date } = arrival.parsed.facts;
  const changes: Change[] = [];
  for (const { directorId, filterId } of decision.directors) {
    const created = await createRun(parts, {
      config,
      directorId,
      filterId,
      trigger: { kind: 'mail', emailId: arrival.mailId },
      mail: { id: arrival.mailId, accountId: arrival.accountId, subject, from, date },
      startedBy: 'system',
      fetchCycleId: arrival.fetchCycleId,
    });
    changes.push(...created.changes);
  }
  return dedupe(changes);
}

/** Two runs of one mail keep the same revision: the same puts need to be written once. */
function dedupe(changes: readonly Change[]): Change[] {
  const seen = new Set<string>();
  return changes.filter((change) => {
    if (change.op !== 'put') return true;
    const key = JSON.stringify([change.table, Object.values(change.row)[0]]);
    return !seen.has(key) && seen.add(key);
  });
}

async function newMail(parts: Parts, decision: Decision, arrival: Arrival, identity: string): Promise<NewMail> {
  const { parsed, accountId, mailId } = arrival;
  const { messageId, threadId } = parsed.facts;
  const duplicateOf = await findByMessageId(parts.store, accountId, messageId);
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
function noteOf(decision: Decision): string {
  const passed = decision.passedOver.map(({ directorId, filterId, reason }) =>
    reason === 'account'
      ? `filter ${filterId} names director ${directorId}, which does not take mail of this account`
      : `filter ${filterId} names director ${directorId}, which is disabled`,
  );
  if (decision.directors.length === 0 && passed.length === 0) return 'no filter matched';
  return passed.join('; ');
}
