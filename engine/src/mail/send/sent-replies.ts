import { isoTime } from '../../base/clock.ts';
import { errorBody } from '../../base/error.ts';
import type { Mail } from '../mail.ts';
import { editMail, findByMessageId, type SentReply, type StoredMail } from '../mail-store.ts';
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
  const { id, accountId, messageId } = original;
  const add = (mail: StoredMail): StoredMail => {
    const { replies = [] } = mail;
    const isNoted = replies.some((known) => known.messageId === reply.messageId);
    return isNoted ? mail : { ...mail, replies: [...replies, reply] };
  };
  if (await editMail(store, id, add)) return id;
  // A mail that was read in the mailbox has another id.
  const known = await findByMessageId(store, accountId, messageId);
  return known !== undefined && (await editMail(store, known, add)) ? known : undefined;
}

async function textOf(html: string): Promise<string> {
  const { htmlToText } = await import('../html/html-to-text.ts');
  return htmlToText(html);
}
