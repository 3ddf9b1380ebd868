import { envelopeOf } from '../../config/prompt/envelope.ts';
import type { DraftEdit } from '../draft-edit.ts';
import type { LearnFiles } from './learn-files.ts';

/** Most characters of edits, and of files, in one message. What does not fit is left out. */
const MAX_EDITS = 60_000;
const MAX_FILES = 120_000;

const TASK = `A person changed drafts of models before they were used. "edits" has each draft before and after, newest first; "files" has the present prompts and memories of those who wrote them.
Propose changes of these files, so that the next drafts need fewer changes. Propose only what would help with other mails too, and change as little as possible.
Answer with JSON alone: a list of { "file": name, "text": the whole new text of the file }, or [] where nothing should change.
In YAML documents only the values of prompt, imprint and description may change (in templates: messages and description); in a memory only the text below the front matter. Keep everything else, comments too.`;

/** What the agent is told, and what of it. */
export interface LearnMessage {
  readonly content: string;
  /** The edits that did not fit. */
  readonly leftOut: number;
  /** The files that the message has: only they may be changed. */
  readonly files: LearnFiles;
}

/**
 * The message that lets an agent propose changes: the task, then edits and files as data between two markers that nobody outside
 * can guess. `mark` is 12 characters.
 */
export function learnMessage(edits: readonly DraftEdit[], given: LearnFiles, mark: string): LearnMessage {
  const shown = fitting(edits, MAX_EDITS, ({ before, after }) => before.length + after.length);
  const files = fitting([...given.files.values()], MAX_FILES, ({ text }) => text.length);
  const data = JSON.stringify(
    {
      edits: shown.map(({ kind, tool, label, directorId, agentId, isUsed, at, before, after }) => ({
        ...{ kind, tool, label, directorId, agentId, isUsed, at, before, after },
      })),
      files: files.map(({ file, text }) => ({ file, text })),
    },
    null,
    1,
  );
  const folders = given.folders.map(({ label }) => `${label}/`).join(', ');
  const more =
    folders === ''
      ? ''
      : `\nNew memories may be proposed as Markdown files directly in ${folders}: front matter with scope: local, then the text.`;
  const content = `${TASK}${more}\n\n${envelopeOf(data, 'DATA', mark)}`;
  return {
    content,
    leftOut: edits.length - shown.length,
    files: { files: new Map(files.map((one) => [one.file, one])), folders: given.folders },
  };
}

/** The first ones that fit together; at least one. */
function fitting<T>(list: readonly T[], most: number, lengthOf: (one: T) => number): T[] {
  let sum = 0;
  return list.filter((one, i) => (sum += lengthOf(one)) <= most || i === 0);
}
