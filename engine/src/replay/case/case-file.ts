import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import { parse, stringify } from 'yaml';
import { EngineError, errorBody } from '../../base/error.ts';
import { isRecord, type Json, sha256 } from '../../base/json.ts';
import { writeNamed } from '../../file/write-named.ts';
import type { Message, ToolSpec } from '../../model/model.ts';
import type { Cassette, TapedAnswer } from '../cassette.ts';
import type { Outcome, PlayedMail, PlayedPerson, PlayedWorld, Recording, Stimulus } from '../replay.ts';

/** Files of a case. */
const FILES = { mail: 'mail.eml', cassette: 'cassette.json', expected: 'expected.yaml' } as const;
const VERSION = 1;

/** A cassette as a file: messages and sets of tools stand once, since each request repeats those before it. */
interface CassetteFile extends Omit<Cassette, 'answers'> {
  readonly version: typeof VERSION;
  readonly messages: Readonly<Record<string, Message>>;
  readonly toolsets: Readonly<Record<string, readonly ToolSpec[]>>;
  readonly answers: readonly (Omit<TapedAnswer, 'request'> & {
    readonly request: Omit<TapedAnswer['request'], 'messages' | 'tools'> & {
      readonly messages: readonly string[];
      readonly tools: string;
    };
  })[];
  readonly world?: PlayedWorld;
  readonly person?: PlayedPerson;
  readonly verdicts?: Readonly<Record<string, Json>>;
}

/** What `expected.yaml` says: what started the case, and what it did. */
interface ExpectedFile extends Outcome {
  readonly start:
    | ({ readonly directorId?: string } & Omit<PlayedMail, 'raw'>)
    | { readonly directorId: string; readonly message: string }
    | { readonly agentId: string; readonly message: string };
}

/** The text of a cassette file, the same for equal cassettes. */
export function cassetteText(
  { answers, ...cassette }: Cassette,
  more: Pick<CassetteFile, 'world' | 'person' | 'verdicts'> = {},
): string {
  const messages: Record<string, Message> = {};
  const toolsets: Record<string, readonly ToolSpec[]> = {};
  const keep = <T>(all: Record<string, T>, value: T) => {
    const hash = sha256(JSON.stringify(value)).slice(0, 12);
    all[hash] = value;
    return hash;
  };
  const taped = answers.map(({ request, ...rest }) => ({
    ...rest,
    request: {
      ...request,
      messages: request.messages.map((message) => keep(messages, message)),
      tools: keep(toolsets, request.tools),
    },
  }));
  const file: CassetteFile = { version: VERSION, ...cassette, ...more, answers: taped, messages, toolsets };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads the text of a cassette file. `BAD_REQUEST` with `hint` where it is none, or of another version; the message names `file`. */
export function readCassetteText(
  text: string,
  file: string,
  hint = 'record it again',
): {
  readonly cassette: Cassette;
  readonly world: PlayedWorld;
  readonly person: PlayedPerson;
  /** What judges of a test said, by the hash of the question. */
  readonly verdicts: Readonly<Record<string, Json>>;
} {
  const value = parsed(() => JSON.parse(text) as unknown, file, hint);
  if (!isRecord(value) || !Array.isArray(value['answers']) || !Array.isArray(value['calls']))
    throw new EngineError('BAD_REQUEST', `${file} is no cassette`, { hint });
  if (value['version'] !== VERSION)
    throw new EngineError(
      'BAD_REQUEST',
      `${file} has version ${String(value['version'])}, and this version reads ${VERSION}`,
      {
        hint: `update Callsheet, or ${hint}`,
      },
    );
  const { messages, toolsets, answers, world, person, verdicts, at, unavailable, calls } =
    value as unknown as CassetteFile;
  const found = <T>(all: Readonly<Record<string, T>>, hash: string): T => {
    const one = all[hash];
    if (one === undefined) throw new EngineError('BAD_REQUEST', `${file} lacks the message or tools ${hash}`, { hint });
    return one;
  };
  return {
    cassette: {
      ...{ at, unavailable, calls },
      answers: answers.map(({ request, ...rest }) => ({
        ...rest,
        request: {
          ...request,
          messages: request.messages.map((hash) => found(messages, hash)),
          tools: found(toolsets, request.tools),
        },
      })),
    },
    world: world ?? { mails: [], memories: [], toolLists: [] },
    person: person ?? { decisions: [], answers: [] },
    verdicts: verdicts ?? {},
  };
}

/** Writes a recording as a case into a folder, over an earlier one. Returns the folder. `USAGE` where it cannot be written. */
export async function writeCase(folder: string, recording: Recording): Promise<string> {
  const dir = join(folder, recording.name);
  await writeNamed(dir, writeFiles(dir, recording));
  return dir;
}

async function writeFiles(dir: string, recording: Recording): Promise<void> {
  await makeFolder(dir);
  const { stimulus, cassette, world, person, expected = { runs: [], misses: [] } } = recording;
  const file: ExpectedFile = { start: startOf(stimulus), ...expected };
  if (stimulus.kind === 'mail') await writeFile(join(dir, FILES.mail), stimulus.mail.raw);
  await writeFile(join(dir, FILES.cassette), cassetteText(cassette, { world, person }));
  await writeFile(join(dir, FILES.expected), stringify(JSON.parse(JSON.stringify(file)), { lineWidth: 120 }));
}

function startOf(stimulus: Stimulus): ExpectedFile['start'] {
  if (stimulus.kind === 'mail') {
    const { raw: _raw, ...mail } = stimulus.mail;
    return { ...mail, ...(stimulus.directorId !== undefined && { directorId: stimulus.directorId }) };
  }
  const { kind: _kind, ...start } = stimulus;
  return start;
}

/** Reads a case. `BAD_REQUEST` where a file is missing or cannot be read. */
export async function readCase(dir: string, name: string): Promise<Recording> {
  const path = (file: string) => join(dir, file);
  const expected = parsed(await text(path(FILES.expected), parse), path(FILES.expected));
  if (!isRecord(expected) || !isRecord(expected['start']) || !Array.isArray(expected['runs']))
    throw new EngineError('BAD_REQUEST', `${path(FILES.expected)} is no case`, { hint: 'callsheet record writes one' });
  const { start, ...outcome } = expected as unknown as ExpectedFile;
  const { cassette, world, person } = readCassetteText(await read(path(FILES.cassette)), path(FILES.cassette));
  const stimulus = await stimulusOf(start, dir);
  return { name, stimulus, cassette, world, person, expected: outcome };
}

async function stimulusOf(start: ExpectedFile['start'], dir: string): Promise<Stimulus> {
  if ('message' in start) return 'agentId' in start ? { kind: 'agent', ...start } : { kind: 'message', ...start };
  const { directorId, ...mail } = start;
  const raw = await readFile(join(dir, FILES.mail)).catch((cause: unknown) => unreadable(join(dir, FILES.mail), cause));
  return { kind: 'mail', mail: { ...mail, raw }, ...(directorId !== undefined && { directorId }) };
}

/** The mails (`.eml`) and the folders of cases in a folder, by name. `USAGE` where it cannot be read. */
export async function listCases(
  folder: string,
): Promise<{ readonly mails: readonly string[]; readonly cases: readonly string[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new EngineError('USAGE', `the folder ${folder} cannot be read: ${errorBody(cause).message}`, { cause });
  });
  const names = entries.map(({ name }) => name).sort();
  const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  const cases: string[] = [];
  for (const name of names.filter((one) => !files.has(one))) {
    const inside = await readdir(join(folder, name)).catch((): string[] => []);
    if (inside.includes(FILES.expected)) cases.push(name);
  }
  return { mails: names.filter((name) => files.has(name) && name.toLowerCase().endsWith('.eml')), cases };
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => unreadable(path, cause));
}

async function text(path: string, parser: (text: string) => unknown): Promise<() => unknown> {
  const content = await read(path);
  return () => parser(content);
}

function parsed(parser: () => unknown, file: string, hint?: string): unknown {
  try {
    return parser();
  } catch (cause) {
    throw new EngineError('BAD_REQUEST', `${file} cannot be parsed: ${errorBody(cause).message}`, { hint, cause });
  }
}

/** Throws `BAD_REQUEST` for a file that cannot be read. */
export function unreadable(path: string, cause: unknown): never {
  throw new EngineError('BAD_REQUEST', `${path} cannot be read: ${errorBody(cause).message}`, { cause });
}
