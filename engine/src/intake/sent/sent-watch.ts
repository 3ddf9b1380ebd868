import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Account } from '../../config/config.ts';
import { ownWords } from '../../guard/time/own-words.ts';
import type { Mailbox, MailEntry } from '../../mail/mailbox.ts';
import { mailInAccount } from '../../mail/send/mail-service.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import { objectiveOf } from '../../run/objective/objective-rows.ts';
import { type Objective, OPEN_OBJECTIVES, type OpenDraft, type WakeNote } from '../../run/objective/objective.ts';
import { hasWoken, wakeChanges } from '../../run/objective/wake.ts';
import { isConflict } from '../../mail/send/send-errors.ts';
import { withoutSignature } from '../../mail/without-signature.ts';
import { readableRows } from '../../store/readable-rows.ts';
import { isSentByProgram } from './program-mail.ts';

/** Most sent mails, and most drafts, that one look reads. */
const MAX_MAILS = 100;
/** How far a look reaches back before the last one, in milliseconds: a copy may appear in Sent late. */
const OVERLAP_MS = 10 * 60_000;
/** How long a draft must be gone, in milliseconds, before it counts as deleted: its copy may not be in Sent yet. */
const GONE_MS = 2 * 60_000;
/** Most characters of the user's words that a wake carries. */
const MAX_WORDS = 4000;

type WatchDeps = Pick<Dependencies, 'store' | 'clock' | 'log' | 'mailService'>;

/** One look at an account. */
interface Look {
  readonly account: Account;
  readonly mailbox: Mailbox;
  readonly signal: AbortSignal | undefined;
}

/**
 * Looks at what the user has sent, for the objectives that watch threads of an account: a draft that was sent, changed or not, one that
 * was deleted, and mail that the user wrote on a linked thread. What the mailbox holds as sent counts as words of the user; the From
 * header alone never does. Mail that programs send is left out.
 */
export class SentWatch {
  readonly #deps: WatchDeps;
  /** When each account was looked at last. */
  readonly #lookedAt = new Map<string, number>();
  /** Account and id of the objectives that were looked at. */
  readonly #known = new Set<string>();
  /** Since when drafts are gone, by objective and Message-ID. */
  readonly #goneSince = new Map<string, number>();
  /** Withdrawn drafts that are deleted already, by Message-ID. */
  readonly #discarded = new Set<string>();
  #lastError = '';

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** Looks at an account once; true where it woke an objective. An error is logged, and the next look tries again. */
  async look(accountId: string, signal?: AbortSignal): Promise<boolean> {
    try {
      const woken = await this.#look(accountId, signal);
      this.#lastError = '';
      return woken;
    } catch (error) {
      const { message } = errorBody(error);
      if (signal?.aborted !== true && message !== this.#lastError)
        this.#deps.log.warn('sent mail of an account could not be looked at for objectives', {
          account: accountId,
          ...errorBody(error),
        });
      this.#lastError = message;
      return false;
    }
  }

  async #look(accountId: string, signal: AbortSignal | undefined): Promise<boolean> {
    const mailService = this.#deps.mailService();
    const account = mailService.config().accounts.get(accountId);
    const objectives = account === undefined ? [] : await this.#watching(accountId);
    if (account === undefined || objectives.length === 0) return false;
    const look: Look = { account, mailbox: await mailService.open(account), signal };
    const began = this.#deps.clock.now();
    const nameOf = ({ id }: Objective) => `${accountId}\0${id}`;
    const from = Math.min(
      this.#lookedAt.get(accountId) ?? Infinity,
      ...objectives.filter((objective) => !this.#known.has(nameOf(objective))).map(beginningOf),
    );
    const options = { since: isoTime(from - OVERLAP_MS), limit: MAX_MAILS, signal };
    const sent = (await look.mailbox.recent('sent', options)).toReversed();
    let woken = false;
    for (const objective of objectives) woken = (await this.#compare(look, objective, sent)) || woken;
    this.#lookedAt.set(accountId, began);
    for (const objective of objectives) this.#known.add(nameOf(objective));
    return woken;
  }

  /** The open objectives with a thread or a draft in an account. */
  async #watching(accountId: string): Promise<Objective[]> {
    const rows = await readableRows(this.#deps.store, () => {}).list('objective', {
      where: [['status', 'in', OPEN_OBJECTIVES]],
      order: [['id', 'asc']],
    });
    return rows
      .map(objectiveOf)
      .filter(({ threads, draft, withdrawn = [] }) =>
        [...threads, ...withdrawn, ...(draft === null ? [] : [draft])].some((one) => one.accountId === accountId),
      );
  }

  async #compare(look: Look, objective: Objective, sent: readonly MailEntry[]): Promise<boolean> {
    const { account, mailbox, signal } = look;
    const draft = objective.draft?.accountId === account.id ? objective.draft : undefined;
    const isGone = draft !== undefined && !(await isThere(mailbox, draft, signal));
    let woken = false;
    let isSent = false;
    for (const entry of sent) {
      const isDraft = draft !== undefined && isGone && !isSent && isSameMail(draft, entry);
      if (!isDraft && !isOnThread(objective, account.id, entry)) continue;
      if (isDraft) isSent = true;
      woken = (await this.#wake(look, objective, entry, isDraft ? draft : undefined)) || woken;
    }
    if (draft !== undefined) woken = (await this.#noteGone(objective, draft, isGone && !isSent)) || woken;
    for (const { accountId, messageId } of objective.withdrawn ?? []) {
      if (accountId !== account.id || this.#discarded.has(messageId)) continue;
      await mailbox.discardDraft(messageId, { signal });
      this.#discarded.add(messageId);
    }
    return woken;
  }

  /** Wakes an objective by a mail that the user has sent: its own draft, or words on a thread. */
  async #wake(look: Look, { id }: Objective, entry: MailEntry, draft: OpenDraft | undefined): Promise<boolean> {
    const { store, clock } = this.#deps;
    const { account } = look;
    const key = `sent\0${account.id}\0${entry.messageId || entry.ref}`;
    if (await hasWoken(store, id, key)) return false;
    // The engine may have sent the draft itself a moment ago, and not have it on record yet.
    if (await isSentByProgram(store, account.id, entry)) return false;
    const words = await this.#wordsOf(look, entry);
    const isAsWritten = draft?.text !== undefined && isSameText(words, draft.text, account.signature);
    const note: WakeNote = {
      ...{
        why: draft === undefined ? 'words' : 'sent',
        at: isoTime(clock.now()),
        accountId: account.id,
        ref: entry.ref,
      },
      ...(entry.threadId !== undefined && { threadId: entry.threadId }),
      ...(!isAsWritten && { text: words.slice(0, MAX_WORDS) }),
    };
    return this.#store(id, key, note);
  }

  /** A draft that is neither in Drafts nor in Sent for a while was deleted. */
  async #noteGone({ id }: Objective, draft: OpenDraft, isGone: boolean): Promise<boolean> {
    const { store, clock } = this.#deps;
    const name = `${id}\0${draft.messageId}`;
    const now = clock.now();
    const since = this.#goneSince.get(name);
    if (!isGone) this.#goneSince.delete(name);
    else if (since === undefined) this.#goneSince.set(name, now);
    if (!isGone || since === undefined || now - since < GONE_MS) return false;
    const key = `deleted\0${draft.messageId}`;
    if (await hasWoken(store, id, key)) return false;
    const { accountId, threadId, ref } = draft;
    return this.#store(id, key, { why: 'draftDeleted', at: isoTime(now), accountId, threadId, ref });
  }

  async #store(id: string, key: string, note: WakeNote): Promise<boolean> {
    const { store, clock, log } = this.#deps;
    try {
      await store.apply(wakeChanges(id, key, note, clock.now()));
    } catch (error) {
      // Another process has noticed the same.
      if (isConflict(error)) return false;
      throw error;
    }
    log.info('sent mail woke an objective', { objective: id, why: note.why });
    return true;
  }

  /** What the user wrote in a mail, without what it quotes; `''` where it is gone. */
  async #wordsOf({ account, mailbox, signal }: Look, { ref }: MailEntry): Promise<string> {
    try {
      const { mail } = await mailInAccount(this.#deps.mailService(), account, mailbox, ref, { signal });
      return ownWords(withoutSignature(mail.bodyText)).trim();
    } catch (error) {
      if (error instanceof EngineError && error.code === 'NOT_FOUND') return '';
      throw error;
    }
  }
}

/** Since when mail may have been sent for an objective, in epoch milliseconds: one that repeats another may have its draft. */
function beginningOf({ createdAt, draft }: Objective): number {
  return Math.min(Date.parse(createdAt), Date.parse(draft?.at ?? createdAt));
}

/** Whether a draft still lies in Drafts, also after a mail program has saved it anew. */
async function isThere(mailbox: Mailbox, draft: OpenDraft, signal: AbortSignal | undefined): Promise<boolean> {
  if ((await mailbox.findDraft(draft.messageId, { signal })) !== undefined) return true;
  const since = isoTime(Date.parse(draft.at) - OVERLAP_MS);
  const drafts = await mailbox.recent('drafts', { since, limit: MAX_MAILS, signal });
  return drafts.some((entry) => entry.ref === draft.ref || isSameMail(draft, entry));
}

/** Whether an entry is the mail that was drafted, perhaps changed: by its Message-ID, its thread, or on a new thread by its recipients. */
function isSameMail(draft: OpenDraft, { messageId, threadId, to, date }: MailEntry): boolean {
  if (messageId === draft.messageId) return true;
  if (Date.parse(date) < secondOf(draft.at)) return false;
  if (threadId !== undefined && threadId === draft.threadId) return true;
  const recipients = new Set(draft.to.map((address) => address.toLowerCase()));
  return draft.beginsThread === true && to.some(({ address }) => recipients.has(address.toLowerCase()));
}

/** Whether a mail was sent on a thread of an objective since the thread was linked. */
function isOnThread({ threads }: Objective, accountId: string, { threadId, date }: MailEntry): boolean {
  return threads.some(
    (thread) =>
      thread.accountId === accountId && thread.threadId === threadId && Date.parse(date) >= secondOf(thread.linkedAt),
  );
}

/** Date headers have whole seconds. */
function secondOf(at: string): number {
  return Math.floor(Date.parse(at) / 1000) * 1000;
}

/** Whether the words of a sent mail are those of its draft, with nothing but the signature added. */
function isSameText(words: string, draft: string, signature = ''): boolean {
  const fold = (text: string) => ownWords(text).replace(/\s+/g, ' ').trim();
  const rest = fold(words).replace(fold(draft), '').replace(fold(signature), '');
  return fold(words).includes(fold(draft)) && /^[\s–-]*$/.test(rest);
}
