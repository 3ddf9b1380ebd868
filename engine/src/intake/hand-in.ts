import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Director } from '../config/config.ts';
import { findByIdentity, identityKey, mailOf, readMailRow, storeRaw, insertMailChange } from '../mail/mail-store.ts';
import type { TriggerMail } from '../run/lifecycle/create.ts';
import { workspaceOn } from './start-runs.ts';
import type { Dependencies } from '../run/dependencies.ts';
import type { MailParser } from '../mail/mail.ts';
import type { Change, Store } from '../store/store.ts';

/** How often a mail is looked up again after another call or process stored it. */
const ATTEMPTS = 5;

/**
 * Facts of a mail for a run on it, and the workspace of the director's first run on this mail, if there is one: a
 * director has one workspace for each mail. `NOT_FOUND`.
 */
export async function findRunMail(
  store: Store,
  mailId: string,
  directorId: string,
): Promise<{ mail: TriggerMail; workspaceId?: string }> {
  const row = await readMailRow(store, mailId);
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no e-mail "${mailId}"`);
  const { accountId, threadId, subject, date, from } = mailOf(row).summary;
  const mail = { id: mailId, accountId, threadId, subject, date, from: from[0]?.address ?? '' };
  const workspaceId = await workspaceOn(store, mailId, directorId);
  return { mail, ...(workspaceId !== undefined && { workspaceId }) };
}

/**
 * Stores a mail that a person hands in for one director. It is stored like any other, under an account that the
 * director serves, but no filter decides about it. A mail that is stored already is not stored again; one that was
 * deleted is. Returns the id of the mail. `raw` is the MIME message in base64. `BAD_REQUEST` where `raw` is not base64 or there is no account;
 * `MAIL_*` as `MailParser.parse`.
 */
export async function handInMail(
  deps: Pick<Dependencies, 'store' | 'clock' | 'ids' | 'config' | 'live'>,
  workers: MailParser,
  director: Director,
  raw: string,
): Promise<string> {
  const { store, clock, ids, config, live } = deps;
  const account = accountFor(director, [...config.current().accounts.values()]);
  const bytes = bytesOf(raw);
  const id = ids.next('mail');
  const facts = {
    id,
    accountId: account.id,
    ownAddresses: [account.email],
    receivedAt: isoTime(clock.now()),
    labels: [],
    readsLabelHeaders: true,
  };
  const parsed = await workers.parse({ kind: 'bytes', bytes }, facts);
  const identity = identityKey(store, account.id, parsed.sha256);
  const { messageId, threadId } = parsed.facts;
  const inserts = insertMailChange(store, {
    ...{ id, accountId: account.id, messageId, threadId, identity },
    ...{ summary: parsed.summary, content: parsed.content },
    providerId: parsed.sha256,
    size: parsed.raw.byteLength,
    routing: { directors: [director.id], note: '' },
    notes: parsed.notes,
  });
  for (let attempt = 1; ; attempt++) {
    const known = await findByIdentity(store, identity);
    if (known?.state === 'kept') return known.id;
    // Of a mail that was deleted here a row is left, so that no fetch takes it again. Who hands it in wants it back.
    const left: Change[] = known === undefined ? [] : [{ op: 'delete', table: 'mail', where: { id: known.id } }];
    try {
      await storeRaw(store, identity, parsed.raw);
      await store.apply([...left, ...inserts]);
      break;
    } catch (error) {
      // The same mail was handed in or fetched meanwhile.
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || attempt === ATTEMPTS) throw error;
    }
  }
  live.publish('mail', { id });
  return id;
}

function bytesOf(raw: string): Uint8Array {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(raw)) throw new EngineError('BAD_REQUEST', '"raw" must be a mail in base64');
  return new Uint8Array(Buffer.from(raw, 'base64'));
}

function accountFor<A extends { readonly id: string }>(director: Director, accounts: readonly A[]): A {
  const { accountIds } = director;
  const account = accounts.find(({ id }) => accountIds === undefined || accountIds.includes(id));
  if (account !== undefined) return account;
  throw new EngineError(
    'BAD_REQUEST',
    `director "${director.id}" serves no account, so a mail cannot be stored for it`,
    {
      hint: 'add an account to the config, or send a message instead',
    },
  );
}
