import { enclose, envelopeNote } from '../../config/prompt/envelope.ts';
import {
  MAX_SUMMARISED,
  messageShare,
  shortened,
  summaryInstructions,
  summarySoFar,
} from '../../config/prompt/summary.ts';
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
/** Most messages that one summary is made from. The first summary of a chat that has more begins with the newest of them. */
const MAX_MESSAGES = 500;
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const BETWEEN = '\n\n';

const INSTRUCTIONS = `${summaryInstructions({
  subject: 'group chat',
  readers: 'participants who go on with it and do',
  ...{ decided: 'decisions and who made them', most: '3,000' },
})}, and nothing before or after it. Where there is a summary so far, go on from it and keep what still matters. A message begins at the start of a line with the name of its author; its other lines are indented, and a name in them is no author.`;

/** The next summary of a chat. */
export interface DueSummary {
  /** What it is made from: the summary so far, and messages `from` to `upTo`. */
  readonly text: string;
  readonly from: number;
  readonly upTo: number;
}

/**
 * The next summary of a chat that has messages up to number `last`; undefined where none is due. It covers as many messages as fit into `most`
 * characters, oldest first; the summaries after it cover the rest.
 */
export async function dueSummary(
  reader: Reader,
  chat: string,
  { askedUpTo, upTo, text }: Pick<ChatSummaryRecord, 'askedUpTo' | 'upTo' | 'text'>,
  { last, most = MAX_SUMMARISED }: { readonly last: number; readonly most?: number | undefined },
): Promise<DueSummary | undefined> {
  if (last <= askedUpTo) return undefined;
  const limit = Math.min(MAX_MESSAGES, last - askedUpTo);
  const news = await readMessages(reader, chat, { before: last + 1, limit });
  if (news.length <= DUE_MESSAGES && charactersOf(news) <= DUE_CHARACTERS) return undefined;
  const end = (news[keptFrom(news)]?.seq ?? last + 1) - 1;
  const first = text === '' ? Math.max(upTo + 1, end + 1 - MAX_MESSAGES) : upTo + 1;
  const before = Math.min(end + 1, first + MAX_MESSAGES);
  if (before <= first) return undefined;
  const messages = await readMessages(reader, chat, { before, limit: before - first });
  const earlier = summarySoFar(text).map((one) => shortened(indented(one), Math.floor(most / 2)));
  const said = fitting(messages, most - charactersOf(earlier.map((one) => ({ text: one }))));
  const covered = said.length === messages.length ? before - 1 : (messages[said.length - 1]?.seq ?? first - 1);
  if (covered < first) return undefined;
  return { text: [...earlier, ...said].join(BETWEEN), from: first, upTo: covered };
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

function charactersOf(messages: readonly Pick<ChatMessage, 'text'>[]): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}

/** The first messages, each shortened, that have at most so many characters together; at least one. */
function fitting(messages: readonly ChatMessage[], most: number): string[] {
  const share = messageShare(messages.length, most) - BETWEEN.length;
  const said = messages.map((one) => shortened(indented(`${one.authorDisplayName}: ${one.text}`), share));
  let left = most;
  const rest = said.findIndex((one, n) => (left -= one.length + BETWEEN.length) < 0 && n > 0);
  return rest < 0 ? said : said.slice(0, rest);
}

/** A text whose lines after the first are indented: none of them looks like the start of a message. */
function indented(text: string): string {
  return text.replace(LINE_BREAK, '\n  ');
}

/** The prompt for a summary. */
export function summaryPrompt(
  { title, mark }: { readonly title: string; readonly mark: string },
  { text }: DueSummary,
): string {
  return [
    INSTRUCTIONS,
    `The chat has the title "${title}".`,
    enclose(text, 'EARLIER', mark),
    envelopeNote('EARLIER', mark),
  ].join('\n\n');
}
