import { isDeepStrictEqual } from 'node:util';
import { EngineError, errorBody } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { visible } from '../../base/visible.ts';
import type { Problem, Validation } from '../../config/config.ts';
import { parseText } from '../../config/parse/parse.ts';
import { readMemoryFile } from '../../memory/memory-file.ts';
import { PREFERENCE_TAG } from '../../memory/preference.ts';
import { type LearnFile, type LearnFiles, targetOf } from './learn-files.ts';

/** A proposed file with its whole new text. */
export interface ProposedText {
  readonly file: string;
  readonly text: string;
}

/** A change of a file that may be made. */
export interface LearnChange {
  readonly target: LearnFile;
  readonly after: string;
}

/** Validates the config with other texts of documents, by their path below the config folder. */
export type ValidateTexts = (texts: ReadonlyMap<string, string>) => Promise<Validation>;

/** The keys of documents whose texts may change; everything else stays as it is. */
const TEXT_KEYS: Readonly<Record<Exclude<LearnFile['kind'], 'memory'>, readonly string[]>> = {
  prompt: ['messages', 'description'],
  agent: ['prompt', 'imprint', 'description'],
  director: ['prompt', 'imprint', 'description'],
};
const NEW_MEMORY_KEYS = ['scope', 'tags'];
const MAX_TEXT = 256 * 1024;
const FENCE = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n```$/;

/**
 * Reads the proposals of an answer: a JSON list of `{ file, text }`, alone or as `proposals` of an object, with or without a
 * code fence. `MODEL_BAD_ANSWER` for anything else.
 */
export function readProposals(answer: string): ProposedText[] {
  const text = answer.trim();
  let value: unknown;
  try {
    value = JSON.parse(FENCE.exec(text)?.[1] ?? text);
  } catch (cause) {
    throw bad(`the answer of the agent is no JSON: ${text.slice(0, 200)}`, cause);
  }
  const list = isRecord(value) ? value['proposals'] : value;
  if (!Array.isArray(list)) throw bad('the answer of the agent is no list of { file, text }');
  return list.map((one: unknown) => {
    const { file, text: proposed } = isRecord(one) ? one : {};
    if (typeof file !== 'string' || typeof proposed !== 'string')
      throw bad('a member of the answer is not { file, text }, both texts');
    return { file, text: proposed };
  });
}

function bad(message: string, cause?: unknown): EngineError {
  const hint = 'its prompt must let it answer with JSON alone: [{ "file": "…", "text": "…" }], or []';
  return new EngineError('MODEL_BAD_ANSWER', message, { hint, cause });
}

/**
 * The changes that proposals make; equal texts are none. `CONFIG_INVALID` lists every reason why one of them may not be made: a
 * file that is not among `files`, a change of more than texts, hidden characters, or a problem that the config has not had before.
 */
export async function checkProposals(
  files: LearnFiles,
  proposals: readonly ProposedText[],
  validate: ValidateTexts,
): Promise<LearnChange[]> {
  const reasons: string[] = [];
  const changes: LearnChange[] = [];
  const seen = new Set<string>();
  for (const { file, text } of proposals) {
    const target = targetOf(files, file);
    if (target === undefined) reasons.push(`${file}: this file may not be changed`);
    else if (seen.has(file)) reasons.push(`${file}: it is proposed twice`);
    else {
      const after = withLineEnds(target.text, text);
      reasons.push(...(await reasonsAgainst(target, after)).map((reason) => `${file}: ${reason}`));
      if (after !== target.text) changes.push({ target, after });
    }
    seen.add(file);
  }
  if (reasons.length === 0) reasons.push(...(await newProblems(changes, validate)));
  if (reasons.length === 0) return changes;
  throw new EngineError('CONFIG_INVALID', `the changes are refused, nothing is written:\n${reasons.join('\n')}`, {
    hint: 'only texts may change: prompt, imprint and description of documents, messages of templates, and memories',
  });
}

/** The text with the line ends of the present text, and a last one. */
function withLineEnds(present: string, text: string): string {
  const unix = text.replaceAll('\r\n', '\n').replace(/\n?$/, '\n');
  if (present.includes('\r\n')) return unix.replaceAll('\n', '\r\n');
  return present !== '' && !present.endsWith('\n') && unix === `${present}\n` ? present : unix;
}

async function reasonsAgainst(target: LearnFile, after: string): Promise<string[]> {
  const reasons: string[] = [];
  if (after.length > MAX_TEXT) return [`it has more than ${MAX_TEXT} characters`];
  const hides = (text: string) => visible(text, '\n\r\t') !== text;
  if (hides(after) && !hides(target.text)) reasons.push('it has characters that cannot be seen');
  return [...reasons, ...(target.kind === 'memory' ? await memoryReasons(target, after) : keyReasons(target, after))];
}

function keyReasons(target: Exclude<LearnFile, { kind: 'memory' }>, text: string): string[] {
  const { value, findings } = parseText(text, target.file);
  if (findings[0] !== undefined) return [findings[0].message];
  if (!isRecord(value) || !isRecord(target.value)) return ['it is no document'];
  const before = target.value;
  const allowed = TEXT_KEYS[target.kind];
  const changed = [...new Set([...Object.keys(before), ...Object.keys(value)])].filter(
    (key) => !allowed.includes(key) && !isDeepStrictEqual(before[key], value[key]),
  );
  return changed.length === 0 ? [] : [`it changes ${changed.join(', ')}; only ${allowed.join(', ')} may change`];
}

async function memoryReasons(
  { text, directorId }: Extract<LearnFile, { kind: 'memory' }>,
  after: string,
): Promise<string[]> {
  const defaults = { id: 'file', at: new Date(0).toISOString(), directorId };
  try {
    const memory = await readMemoryFile(after, defaults);
    if (text === '') {
      if (memory.tags.includes(PREFERENCE_TAG)) return ['preferences come only from what a person writes'];
      const plain = { ...(await readMemoryFile('---\n---\nx', defaults)), text: memory.text, tags: memory.tags };
      return isDeepStrictEqual(memory, plain)
        ? []
        : [`a new memory is local, and has no other keys than ${NEW_MEMORY_KEYS.join(' and ')}`];
    }
    const before = await readMemoryFile(text, defaults);
    return isDeepStrictEqual({ ...memory, text: '' }, { ...before, text: '' })
      ? []
      : ['only the text below the front matter may change'];
  } catch (error) {
    return [errorBody(error).message];
  }
}

async function newProblems(changes: readonly LearnChange[], validate: ValidateTexts): Promise<string[]> {
  const texts = changes.flatMap(({ target, after }) =>
    target.kind === 'memory' ? [] : [[target.relative, after] as const],
  );
  if (texts.length === 0) return [];
  const keyOf = ({ file, code, path, message }: Problem) => [file, code, path, message].join('\n');
  const known = new Set((await validate(new Map())).problems.map(keyOf));
  const { problems } = await validate(new Map(texts));
  return problems
    .filter((problem) => !known.has(keyOf(problem)))
    .map(({ file, line, message }) => `${file}:${line}: ${message}`);
}
