import { enclose, envelopeNote } from '../../config/prompt/envelope.ts';
import type { Chat, Participant } from '../chat.ts';
import type { ChatFileText } from './files.ts';
import { type Transcript, type TranscriptMarks, transcriptText } from './transcript.ts';

/** What the prompt of a turn is made from. */
export interface PromptSources {
  readonly chat: Pick<Chat, 'title' | 'context' | 'participants'>;
  /** Who speaks. */
  readonly participant: Participant;
  readonly transcript: Transcript;
  readonly files: readonly ChatFileText[];
  /** A text that nobody outside can guess: at least 12 hexadecimal digits. */
  readonly mark: string;
  /** Set where the participant goes on in a session of its tool. */
  readonly marks?: TranscriptMarks | undefined;
}

/** Longest line about another participant, in characters. */
const MAX_LINE = 200;

/** The prompt of one turn, as Markdown (seed 004, Prompt template). */
export function turnPrompt({ chat, participant, transcript, files, mark, marks }: PromptSources): string {
  const { displayName, handle, persona } = participant;
  const role = [`You are ${displayName} (@${handle}), a participant of the group chat "${chat.title}".`, persona];
  const context = [chat.context.trim() === '' ? 'None.' : chat.context, filesText(files, mark)];
  const transcripts = transcriptText(transcript, mark, marks);
  const hasEnvelope = transcripts.includes(`<<DATA-`);
  return [
    section('Role', role),
    section('Chat Context', context),
    section('Participants', [chat.participants.map((one) => rosterLine(one, participant)).join('\n')]),
    section('Instructions', [instructions(participant)]),
    section('Transcript', [transcripts, hasEnvelope ? envelopeNote('DATA', mark) : '']),
  ].join('\n\n');
}

/** Why a thread with this prompt is tainted; undefined where it has words of persons of the chat alone. */
export function promptTaint({ transcript, files }: Pick<PromptSources, 'transcript' | 'files'>): string | undefined {
  if (transcript.leftOut > 0 || transcript.messages.some(({ authorKind }) => authorKind === 'agent'))
    return 'messages of participants of the chat';
  return files.some(({ text }) => text !== undefined) ? 'files of the chat' : undefined;
}

/** Whether a participant works in a folder: a person has confirmed it. */
export function isRoaming({ roaming }: Participant): boolean {
  return roaming.enabled && roaming.confirmedBy !== undefined;
}

function section(title: string, parts: readonly string[]): string {
  return [`# ${title}`, ...parts.filter((part) => part.trim() !== '')].join('\n\n');
}

function rosterLine({ id, displayName, handle, persona }: Participant, own: Participant): string {
  const line = persona.replace(/\s+/g, ' ').trim();
  const short = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
  const about = id === own.id ? ' (you)' : short === '' ? '' : `: ${short}`;
  return `- ${displayName} (@${handle})${about}`;
}

function instructions(participant: Participant): string {
  const { displayName } = participant;
  const lines = [
    `Respond as ${displayName} with a single message appropriate for the chat.`,
    'Respond in character.',
    'Be concise unless more is necessary.',
    'You may mention others via `@handle` or `@DisplayName`; prefer `@handle`. Whoever you mention responds next, so mention only those whose response is needed.',
    `Output only the message body: no prefix like "${displayName}:".`,
    ...(isRoaming(participant)
      ? [
          'You have access to a local workspace directory and may use tools to read files or run commands if needed to answer accurately.',
        ]
      : []),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function filesText(files: readonly ChatFileText[], mark: string): string {
  if (files.length === 0) return '';
  const parts = files.map(({ path, text, problem }) =>
    text === undefined
      ? `File ${path}: not readable (${problem ?? ''}).`
      : `File ${path}:\n${enclose(text, 'UPLOAD', mark)}`,
  );
  const isEnclosed = files.some(({ text }) => text !== undefined);
  return [...parts, ...(isEnclosed ? [envelopeNote('UPLOAD', mark)] : [])].join('\n\n');
}
