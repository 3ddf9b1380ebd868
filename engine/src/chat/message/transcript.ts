import { enclose } from '../../config/prompt/envelope.ts';
import { summarizeText } from '../../file/text/summary.ts';
import type { Reader } from '../../store/store.ts';
import type { ChatMessage } from '../chat.ts';
import { readMessages } from '../chat-rows.ts';

/** Most characters of the newest messages that a participant reads word for word. Some 15,000 tokens. */
const MAX_CHARACTERS = 60_000;
/** Most messages that are read word for word, and as many before them that the summary is made from. */
const MAX_READ = 500;
/** Characters of these, and of the summary. */
const MAX_SUMMARISED = 200_000;
const MAX_SUMMARY = 4000;
const CUT = '\n[cut]';

/** The messages of a chat as a participant reads them. */
export interface Transcript {
  /** The newest ones, oldest first. */
  readonly messages: readonly ChatMessage[];
  /** Sentences of messages before them; `''` where none are left out. */
  readonly summary: string;
  /** Number of messages that are left out. */
  readonly leftOut: number;
}

/**
 * The messages up to number `upTo`: the newest ones, at most 500, and a summary of the 500 before them. The summary is an extract that needs no
 * model, so that it is the same in every process and costs nothing.
 */
export async function readTranscript(
  reader: Reader,
  chat: string,
  upTo: number,
  { maxCharacters = MAX_CHARACTERS }: { readonly maxCharacters?: number } = {},
): Promise<Transcript> {
  const read = await readMessages(reader, chat, { before: upTo + 1, limit: MAX_READ });
  let length = 0;
  let first = read.length;
  for (; first > 0; first--) {
    length += read[first - 1]?.text.length ?? 0;
    if (length > maxCharacters && first < read.length) break;
  }
  const leftOut = upTo - (read.length - first);
  const before = read[first]?.seq;
  const earlier = leftOut === 0 ? [] : await readMessages(reader, chat, { before, limit: MAX_READ });
  const older = earlier.map(({ authorDisplayName, text }) => `${authorDisplayName}: ${text}`);
  const summary =
    older.length === 0 ? '' : summarizeText(older.join('\n\n').slice(-MAX_SUMMARISED), MAX_SUMMARY).summary;
  const cut = (message: ChatMessage): ChatMessage =>
    message.text.length <= maxCharacters ? message : { ...message, text: message.text.slice(0, maxCharacters) + CUT };
  return { messages: read.slice(first).map(cut), summary, leftOut };
}

/**
 * The transcript as Markdown: a line for each message, the name in bold. What participants wrote stands in envelopes with `mark`, so
 * that no text of theirs can pretend to be a line of a person.
 */
export function transcriptText({ messages, summary, leftOut }: Transcript, mark: string): string {
  const lines = messages.map(({ authorKind, authorDisplayName, text }) => {
    const said = authorKind === 'user' ? text : `\n${enclose(text, 'DATA', mark)}`;
    return `**${authorDisplayName}**: ${said}`;
  });
  const before =
    leftOut === 0
      ? []
      : [
          `${leftOut} earlier messages are left out. Sentences from the last of them:\n${enclose(summary, 'DATA', mark)}`,
        ];
  return [...before, ...lines].join('\n\n');
}
