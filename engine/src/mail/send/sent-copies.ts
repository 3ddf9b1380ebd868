import { EngineError, errorBody } from '../../base/error.ts';
import type { Mailbox } from '../mailbox.ts';
import { readRaw } from '../mail-store.ts';
import { endOf, isSending, type SendDeps } from './deliver.ts';
import { copyIdentity, readOutgoing, updateOutgoing } from './outgoing-store.ts';
import { isConflict } from './send-errors.ts';

const EVERY_MS = 10 * 60_000;
/** How long the bytes of a mail are kept that may have been sent, in milliseconds. */
const UNKNOWN_MS = 30 * 86_400_000;
/** Age from which files without a record are deleted, in milliseconds: another store may know them. */
const UNRECORDED_MS = 86_400_000;
/** Copies looked at in one sweep. */
const MAX_COPIES = 500;
const [FIRST, LAST] = [copyIdentity(''), copyIdentity('\uffff')];

interface Options extends SendDeps {
  /** The mailbox of an account; undefined where the config does not have the account. `ACCOUNT_FAILED` and related errors. */
  readonly mailboxOf: (accountId: string) => Promise<Mailbox> | undefined;
  /** The mailboxes on this machine's disks. Default: none. */
  readonly localMailboxes?: () => readonly Promise<Mailbox>[];
}

/**
 * Saves the copies in Sent that are missing after a process ended between sending and saving, or because the server
 * refused them. The bytes of a mail are kept from before it is sent until its copy is saved. A mail is saved once: the
 * mailbox searches for it first, and one process at a time saves it. The same sweep deletes the files that an ended
 * process left beside the mails of a folder.
 */
export class SentCopies {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  #cancel: () => void = () => {};
  #work: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Sweeps now, and then every ten minutes. */
  start(): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancel = this.#options.clock.delay(() => this.start(), EVERY_MS);
    this.#work = this.sweep().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted)
        this.#options.log.warn('copies of sent mails could not be looked for', { ...errorBody(error) });
    });
  }

  /** Resolves when the running sweep has ended. */
  idle(): Promise<void> {
    return this.#work;
  }

  /** Ends all sweeps; resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#cancel();
    this.#stopping.abort(new EngineError('RUN_CANCELLED', 'the engine stops'));
    await this.#work;
  }

  /** Saves the copies that are missing now. A copy that fails stays for the next sweep. */
  async sweep(): Promise<void> {
    const { store, log } = this.#options;
    const rows = await store.list('mailRaw', {
      where: [
        ['identity', '>', FIRST],
        ['identity', '<', LAST],
        ['seq', '=', 0],
      ],
      limit: MAX_COPIES,
      bodies: false,
    });
    for (const { identity } of rows) {
      if (this.#stopping.signal.aborted) return;
      const id = identity.slice(FIRST.length);
      await this.#save(id).catch((error: unknown) => {
        if (this.#stopping.signal.aborted || isConflict(error)) return;
        log.warn('a sent mail is not in Sent yet', { id, ...errorBody(error) });
      });
    }
    for (const mailbox of this.#options.localMailboxes?.() ?? []) await this.#cleanUp(mailbox);
  }

  async #cleanUp(mailbox: Promise<Mailbox>): Promise<void> {
    const { store, log } = this.#options;
    const { signal } = this.#stopping;
    const isOver = async (id: string, ageMs: number) => {
      const state = (await readOutgoing(store, id))?.state;
      // Its record is written before its files, so without one it was not sent, or is forgotten since it was sent.
      return state === undefined ? ageMs > UNRECORDED_MS : state === 'out';
    };
    await mailbox
      .then((one) => one.cleanUp?.(isOver, { signal }))
      .catch((error: unknown) => {
        // An account whose folder is missing tells so elsewhere.
        if (!signal.aborted) log.debug('files beside outgoing mails could not be deleted', { ...errorBody(error) });
      });
  }

  async #save(id: string): Promise<void> {
    const { store, clock, worker, isShared } = this.#options;
    const mail = await readOutgoing(store, id);
    if (mail === undefined) return this.#forget(id);
    // Nobody knows whether it was sent, and after this time nobody asks.
    if (mail.state === 'sending' && clock.now() > mail.at + UNKNOWN_MS) return this.#forget(id);
    if (mail.state !== 'out' || isSending(store, id)) return;
    if (isShared && mail.worker !== worker && clock.now() < endOf(mail)) return;
    const mailbox = await this.#options.mailboxOf(mail.accountId);
    if (mailbox === undefined) return;
    // Without it, the account was changed to one that saves by itself, or cannot send any more.
    if (mailbox.saveSent === undefined) return this.#forget(id);
    // Another process that wants to save the same mail is too late now.
    const claimed = await updateOutgoing(store, mail, { at: Math.max(clock.now(), mail.at + 1), worker });
    const mime = await readRaw(store, copyIdentity(id));
    const { ref } = await mailbox.saveSent({ mime, messageId: mail.messageId }, { signal: this.#stopping.signal });
    if (ref !== undefined) await updateOutgoing(store, claimed, { ref });
    await this.#forget(id);
  }

  async #forget(id: string): Promise<void> {
    await this.#options.store.apply([{ op: 'delete', table: 'mailRaw', where: { identity: copyIdentity(id) } }]);
  }
}
