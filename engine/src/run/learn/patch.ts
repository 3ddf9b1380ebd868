import { applyPatch, formatPatch, parsePatch, reversePatch, structuredPatch } from 'diff';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { LearnFiles } from './learn-files.ts';
import { targetOf } from './learn-files.ts';
import type { LearnChange, ProposedText } from './proposal.ts';

const NEW = 'new';
const NO_FILE = '/dev/null';
const BASE = /^# base ([0-9a-f]{64}|new) (.+)$/;
const EXACT = { fuzzFactor: 0, autoConvertLineEndings: false } as const;

/**
 * Changes as a unified diff. Before it, for each file, stands the SHA-256 of the text that it changes. `INTERNAL` where the diff
 * does not give the new text again.
 */
export function writePatch(id: string, changes: readonly LearnChange[]): string {
  const head = changes.map(({ target: { file, text } }) => `# base ${text === '' ? NEW : sha256(text)} ${file}\n`);
  const body = changes.map(({ target: { file, text }, after }) => {
    const part = formatPatch(structuredPatch(text === '' ? NO_FILE : `a/${file}`, `b/${file}`, text, after)).replace(
      /^=+\n/,
      '',
    );
    const [read] = parsePatch(part);
    if (read === undefined || applyPatch(text, read, EXACT) !== after)
      throw new EngineError('INTERNAL', `the difference of ${file} cannot be written as a patch`);
    return part;
  });
  return `# callsheet learn ${id}\n${head.join('')}${body.join('')}`;
}

/**
 * The new texts that a patch gives. `USAGE` for a text that is no patch of `writePatch`, or that deletes or renames a file;
 * `FILE_CHANGED` where a file is not the one that the patch was made from. A file that has the new text already is left from an
 * application that was interrupted: the others complete it.
 */
export function readPatch(text: string, files: LearnFiles): ProposedText[] {
  const start = text.search(/^--- /m);
  const bases = new Map(
    (start < 0 ? '' : text.slice(0, start)).split('\n').flatMap((line) => {
      const [, hash = '', file = ''] = BASE.exec(line) ?? [];
      return file === '' ? [] : [[file, hash] as const];
    }),
  );
  const texts = parse(start < 0 ? '' : text.slice(start)).map((part) => {
    const file = part.newFileName?.replace(/^b\//, '') ?? '';
    const base = bases.get(file);
    if (base === undefined || part.oldFileName !== (base === NEW ? NO_FILE : `a/${file}`))
      throw notOurs(`it has no line "# base" for ${file}, or deletes or renames it`);
    const present = targetOf(files, file)?.text ?? '';
    if (hashOf(present) === base) {
      const after = applyPatch(present, part, EXACT);
      if (after !== false) return { file, text: after, isWritten: false };
    }
    const before = applyPatch(present, reversePatch(part), EXACT);
    if (before === false || hashOf(before) !== base) throw changed(file);
    return { file, text: present, isWritten: true };
  });
  const [first] = texts;
  if (first !== undefined && texts.every(({ isWritten }) => isWritten)) throw changed(first.file);
  return texts.map(({ file, text: after }) => ({ file, text: after }));
}

function hashOf(text: string): string {
  return text === '' ? NEW : sha256(text);
}

function changed(file: string): EngineError {
  return new EngineError('FILE_CHANGED', `${file} has changed since the patch was made, nothing is written`, {
    hint: 'run callsheet learn again',
  });
}

function parse(text: string): ReturnType<typeof parsePatch> {
  try {
    const parts = parsePatch(text);
    if (parts.length > 0) return parts;
  } catch (cause) {
    throw notOurs(cause instanceof Error ? cause.message : String(cause));
  }
  throw notOurs('it has no difference');
}

function notOurs(why: string): EngineError {
  return new EngineError('USAGE', `this is no patch of callsheet learn: ${why}`, {
    hint: 'pass the file that callsheet learn wrote',
  });
}
