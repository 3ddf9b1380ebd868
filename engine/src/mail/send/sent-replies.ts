import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Row } from '../../store/store.ts';
import type { Mail } from '../mail.ts';
import { changeMail, findByMessageId, mailOf, readMailRow, type SentReply } from '../mail-store.ts';
import type { Delivered, SendDeps } from './deliver.ts';
import type { LetterInput } from './reply.ts';

/** Who sends a reply. */
export type ReplyAuthor = Pick<SentReply, 'by' | 'director' | 'agent' | 'runId'>;

/** Dependencies of noting replies. */
export interface ReplyNoteDeps extends Pick<SendDeps, 'store' | 'clock' | 'log'> {
  /** Called after a reply to a stored mail was sent and noted. */
  readonly onReply?: ((mailId: string) => Promise<void>) | undefined;
}

/** The part of a mail to send that a note repeats. */
interface AnswerRequest {
  readonly account: { readonly id: string };
  readonly original?: Mail | undefined;
  readonly writing: LetterInput;
}

/** Longest text that is kept of a reply; the mail in Sent has all of it. */
const MAX_CHARS = 20_000;
/** Attempts to change a mail while other processes change it. */
const MAX_CONFLICTS = 5;

/**
 * Notes a sent reply on the mail that it answers, once, and returns `sent`. The reply has left, so an error here is
 * only logged: a repeated call notes it then. A new mail, and a reply to a mail that is not stored, are not noted.
 */
export async function noteReply(
  deps: ReplyNoteDeps,
  { account, original, writing }: AnswerRequest,
  author: ReplyAuthor,
  sent: Delivered,
): Promise<Delivered> {
  if (original === undefined) return sent;
  try {
    const text = (writing.text ?? (await textOf(writing.html ?? ''))).trim().slice(0, MAX_CHARS);
    const { messageId } = sent;
    const reply = { at: isoTime(deps.clock.now()), ...author, text, accountId: account.id, messageId };
    const mailId = await addReply(deps, original, reply);
    if (mailId !== undefined) await deps.onReply?.(mailId);
  } catch (error) {
    deps.log.warn('a sent reply could not be noted on its mail', { mail: original.id, ...errorBody(error) });
  }
  return sent;
}

/** Adds a reply to the stored mail; returns the mail's id, or undefined where it is not stored. */
async function addReply({ store }: ReplyNoteDeps, original: Mail, reply: SentReply): Promise<string | undefined> {
  for (let conflicts = 0; ; conflicts++) {
    const row = await storedRow(store, original);
    if (row === undefined) return undefined;
    const mail = mailOf(row);
    const { replies = [] } = mail;
    if (replies.some(({ messageId }) => messageId === reply.messageId)) return row.id;
    try {
      await store.apply([changeMail(row, { ...mail, replies: [...replies, reply] })]);
      return row.id;
    } catch (error) {
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || conflicts >= MAX_CONFLICTS) throw error;
    }
  }
}

/** The row of a mail; one that was read in the mailbox is found by its Message-ID. */
async function storedRow(store: ReplyNoteDeps['store'], original: Mail): Promise<Row<'mail'> | undefined> {
  const { id, accountId, messageId } = original;
  const row = await readMailRow(store, id);
  if (row !== undefined) return row;
  const known = await findByMessageId(store, accountId, messageId);
  return known === undefined ? undefined : readMailRow(store, known);
}

async function textOf(html: string): Promise<string> {
  const { htmlToText } = await import('../html/html-to-text.ts');
  return htmlToText(html);
}
