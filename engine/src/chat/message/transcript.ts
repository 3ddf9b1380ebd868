import { enclose } from '../../config/prompt/envelope.ts';
import { summarizeText } from '../../file/text/summary.ts';
import type { Reader } from '../../store/store.ts';
import { markLines } from '../../run/cli/prompt-marks.ts';
import type { ChatMessage } from '../chat.ts';
import { readMessages } from '../chat-rows.ts';
import type { WrittenSummary } from '../summary-rows.ts';

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
  /** What a model wrote about the messages that are left out; `''` where there is none. */
  readonly written: string;
  /** Numbers of the first and the last message that it covers. */
  readonly writtenFrom: number;
  readonly writtenUpTo: number;
  /** Sentences of messages that are left out and that it does not cover; `''` where there are none. */
  readonly summary: string;
  /** Number of messages that are left out. */
  readonly leftOut: number;
}

/**
 * The messages up to number `upTo`: the newest ones, at most 500; for those before them the summary that a model wrote, and for what that
 * does not cover an extract of the last 500 of them. The extract needs no model, so it is the same in every process and costs nothing.
 */
export async function readTranscript(
  reader: Reader,
  chat: string,
  upTo: number,
  {
    maxCharacters = MAX_CHARACTERS,
    written,
  }: { readonly maxCharacters?: number; readonly written?: WrittenSummary | undefined } = {},
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
  const covered = Math.min(written?.upTo ?? 0, leftOut);
  const limit = Math.min(MAX_READ, leftOut - covered);
  const earlier = limit === 0 ? [] : await readMessages(reader, chat, { before, limit });
  const older = earlier.map(({ authorDisplayName, text }) => `${authorDisplayName}: ${text}`);
  const summary =
    older.length === 0 ? '' : summarizeText(older.join('\n\n').slice(-MAX_SUMMARISED), MAX_SUMMARY).summary;
  const cut = (message: ChatMessage): ChatMessage =>
    message.text.length <= maxCharacters ? message : { ...message, text: message.text.slice(0, maxCharacters) + CUT };
  const told = leftOut === 0 || written === undefined ? { text: '', from: 1, upTo: 0 } : written;
  const shown = { written: told.text, writtenFrom: told.from, writtenUpTo: told.upTo };
  return { messages: read.slice(first).map(cut), ...shown, summary, leftOut };
}

/** Marks what is new to a participant that goes on in a session. */
export interface TranscriptMarks {
  /** Id of the participant. */
  readonly participant: string;
  /** Number of the last message that its session has read; undefined where it has none. */
  readonly seenUpTo: number | undefined;
}

/**
 * The transcript as Markdown: a line for each message, the name in bold. What participants wrote stands in envelopes with `mark`, so
 * that no text of theirs can pretend to be a line of a person.
 */
export function transcriptText(transcript: Transcript, mark: string, marks?: TranscriptMarks): string {
  const { messages } = transcript;
  const line = ({ authorKind, authorDisplayName, text }: ChatMessage) => {
    const said = authorKind === 'user' ? text : `\n${enclose(text, 'DATA', mark)}`;
    return `**${authorDisplayName}**: ${said}`;
  };
  const lines = marks === undefined ? messages.map(line) : markedLines(messages, line, mark, marks);
  return [...leftOutText(transcript, mark), ...lines].join('\n\n');
}

/** What stands for the messages that are left out. */
function leftOutText({ written, writtenFrom, writtenUpTo, summary, leftOut }: Transcript, mark: string): string[] {
  if (leftOut === 0) return [];
  const count = `${leftOut} earlier messages are left out.`;
  const extract = summary === '' ? [] : [enclose(summary, 'DATA', mark)];
  if (written === '') return [[`${count} Sentences from the last of them:`, ...extract].join('\n')];
  const covered = writtenFrom > 1 ? `messages ${writtenFrom} to ${writtenUpTo}` : `the first ${writtenUpTo} messages`;
  const about = `${count} Summary of ${covered}:\n${enclose(written, 'DATA', mark)}`;
  return summary === '' ? [about] : [about, ['Sentences from those after it:', ...extract].join('\n')];
}

/** Its own message stands right behind what the session has read: it is not new to the session, either. */
function markedLines(
  messages: readonly ChatMessage[],
  line: (message: ChatMessage) => string,
  mark: string,
  { participant, seenUpTo }: TranscriptMarks,
): string[] {
  const { seen, news, end } = markLines(mark, messages.at(-1)?.seq ?? 0);
  const at = messages.findIndex(({ seq }) => seq === seenUpTo);
  if (at < 0) return [...messages.map(line), end];
  const own = messages[at + 1]?.authorId === participant ? 1 : 0;
  const [before, after] = [messages.slice(0, at + 1), messages.slice(at + 1)];
  return [...before.map(line), seen, ...after.slice(0, own).map(line), news, ...after.slice(own).map(line), end];
}
