import { enclose, envelopeNote } from '../../config/prompt/envelope.ts';
import type { Reader } from '../../store/store.ts';
import type { ChatMessage } from '../chat.ts';
import { readMessages } from '../chat-rows.ts';
import type { ChatSummaryRecord } from '../summary-rows.ts';

/** A summary is due once so much lies behind the last one: before the oldest message would leave the window of a prompt. */
const DUE_CHARACTERS = 45_000;
const DUE_MESSAGES = 375;
/** What stays behind it then. */
const KEPT_CHARACTERS = 30_000;
const KEPT_MESSAGES = 250;
/** Most messages that one summary is made from; of a chat that has more behind the last one, the newest. */
const MAX_MESSAGES = 500;
/** Characters of one message, and of all of them, that a summary is made from. */
const MAX_MESSAGE = 4000;
const MIN_MESSAGE = 300;
const MAX_SUMMARISED = 60_000;
const CUT = '\n[cut]';

const INSTRUCTIONS = `You write the summary of the earlier part of a group chat for participants who go on with it and do not see that part any more. Keep what was asked and answered, decisions and who made them, promises, open questions, names, dates, figures and ids. Leave out greetings. Where there is a summary so far, go on from it and keep what still matters. Write at most 3,000 characters of plain text, in the language of the chat, and nothing before or after it.`;

/** The messages of which the next summary is made. */
export interface DueSummary {
  readonly messages: readonly ChatMessage[];
  /** Number of the last of them. */
  readonly upTo: number;
}

/** The next summary of a chat that has messages up to number `last`; undefined where none is due. */
export async function dueSummary(
  reader: Reader,
  chat: string,
  { askedUpTo, upTo }: Pick<ChatSummaryRecord, 'askedUpTo' | 'upTo'>,
  last: number,
): Promise<DueSummary | undefined> {
  if (last <= askedUpTo) return undefined;
  const limit = Math.min(MAX_MESSAGES, last - askedUpTo);
  const news = await readMessages(reader, chat, { before: last + 1, limit });
  if (news.length <= DUE_MESSAGES && charactersOf(news) <= DUE_CHARACTERS) return undefined;
  const end = keptFrom(news);
  const before = (news[end]?.seq ?? last + 1) - 1;
  if (before <= upTo) return undefined;
  const count = Math.min(MAX_MESSAGES, before - upTo);
  return { messages: await readMessages(reader, chat, { before: before + 1, limit: count }), upTo: before };
}

/** Index of the first message that stays. */
function keptFrom(messages: readonly ChatMessage[]): number {
  let left = 0;
  for (let n = messages.length; n > 0; n--) {
    left += messages[n - 1]?.text.length ?? 0;
    if (left > KEPT_CHARACTERS || messages.length - n >= KEPT_MESSAGES) return n;
  }
  return 0;
}

function charactersOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}

/** The prompt for a summary. `most`: most characters of what it is made from; the model's context decides. */
export function summaryPrompt(
  { title, mark, most = MAX_SUMMARISED }: { readonly title: string; readonly mark: string; readonly most?: number },
  before: string,
  messages: readonly ChatMessage[],
): string {
  const each = Math.min(MAX_MESSAGE, Math.max(MIN_MESSAGE, Math.floor(most / Math.max(1, messages.length))));
  const said = messages.map(({ authorDisplayName, text }) => `${authorDisplayName}: ${shortened(text, each)}`);
  const earlier = before === '' ? [] : [`Summary so far:\n${before}`];
  const data = [...earlier, said.join('\n\n').slice(-most)].join('\n\n');
  return [
    INSTRUCTIONS,
    `The chat has the title "${title}".`,
    enclose(data, 'EARLIER', mark),
    envelopeNote('EARLIER', mark),
  ].join('\n\n');
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most - CUT.length).toWellFormed() + CUT;
}
