import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { type Memory, type MemoryProvenance, type MemoryTrust, SCOPES } from './memory.ts';
import { toSpace } from './memory-view.ts';

/** A memory of a file. Its revision is that of the store, and a file has no state of a forgotten memory. */
export type FileMemory = Omit<Memory, 'revision' | 'deletedAt' | 'folder'>;

const FENCE = /^\uFEFF?---\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)([\s\S]*)$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The keys of the front matter and the fields that they become. */
const TIMES = { created: 'createdAt', updated: 'updatedAt', expires: 'expiresAt' } as const;
const WRITERS = ['person', 'director', 'agent', 'engine'] as const;

/** Writes a memory as Markdown with front matter in YAML. `readMemoryFile` reads an equal memory back. */
export async function writeMemoryFile(memory: FileMemory): Promise<string> {
  const { stringify } = await import('yaml');
  const { id, scope, directorId, agentId, owner, tags, trust, isLocal, createdAt, updatedAt, expiresAt } = memory;
  const matter = {
    ...{ id, scope },
    ...(directorId !== '' && { director: directorId }),
    ...(agentId !== '' && { agent: agentId }),
    ...{ owner, tags, trust },
    ...(isLocal === true && { local: true }),
    ...{ created: createdAt, updated: updatedAt },
    ...(expiresAt !== undefined && { expires: expiresAt }),
    provenance: memory.provenance,
  };
  return `---\n${stringify(matter, { lineWidth: 0 })}---\n\n${memory.text}\n`;
}

/**
 * Reads a memory from Markdown with front matter. Needed is only `scope`, with its `director` or `agent`; `defaults` has the id
 * and the times of a file that names none. `BAD_REQUEST` says which key is wrong.
 */
export async function readMemoryFile(
  file: string,
  defaults: { readonly id: string; readonly at: string; readonly directorId?: string },
): Promise<FileMemory> {
  const found = FENCE.exec(file);
  if (found === null)
    throw wrong('the file does not begin with front matter', 'begin it with ---, scope: global and ---');
  const matter = await parseMatter(found[1] ?? '');
  const text = (found[2] ?? '').trim();
  if (text === '') throw wrong('the text is missing', 'write it below the front matter');
  const at = time(matter, 'created') ?? defaults.at;
  const scope = word(matter, 'scope', SCOPES) ?? (defaults.directorId === undefined ? undefined : 'local');
  if (scope === undefined) throw wrong('scope is missing', 'write scope: global, shared or local');
  const agentId = string(matter, 'agent');
  // A file in the folder of a director is its own unless it says otherwise.
  const isOwn = scope === 'shared' || (scope === 'local' && agentId === undefined);
  const directorId = string(matter, 'director') ?? (isOwn ? defaults.directorId : undefined);
  const provenance = provenances(matter) ?? [{ writtenBy: 'person' as const, trust: 'trusted' as const, at }];
  const expiresAt = time(matter, 'expires');
  const isLocal = matter['local'] === true;
  return {
    id: identifier(matter) ?? defaults.id,
    ...toSpace(scope, directorId, agentId),
    text,
    owner: string(matter, 'owner') ?? 'user',
    tags: strings(matter, 'tags') ?? [],
    provenance,
    trust: word(matter, 'trust', ['trusted', 'untrusted'] satisfies MemoryTrust[]) ?? trustOf(provenance),
    ...(isLocal && { isLocal }),
    createdAt: at,
    updatedAt: time(matter, 'updated') ?? at,
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

const KEYS: readonly string[] = [
  ...['id', 'scope', 'director', 'agent', 'owner', 'tags', 'trust', 'local', 'provenance'],
  ...Object.keys(TIMES),
];

type Matter = Readonly<Record<string, unknown>>;

async function parseMatter(yaml: string): Promise<Matter> {
  const { parse } = await import('yaml');
  let matter: unknown;
  try {
    matter = parse(yaml, { maxAliasCount: 0 }) ?? {};
  } catch (cause) {
    throw wrong(`the front matter is no YAML: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : ''}`);
  }
  if (!isRecord(matter)) throw wrong('the front matter is no list of keys');
  const unknown = Object.keys(matter).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw wrong(`unknown key "${unknown}"`, `keys: ${KEYS.join(', ')}`);
  return matter;
}

function identifier(matter: Matter): string | undefined {
  const id = string(matter, 'id');
  if (id === undefined || ID.test(id)) return id;
  throw wrong('id must be 1 to 64 letters, digits, _ or -');
}

function provenances(matter: Matter): MemoryProvenance[] | undefined {
  const value = matter['provenance'];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) throw wrong('provenance must be a list');
  return value.map((one) => {
    const [actorId, runId, emailId] = [string(one, 'actorId'), string(one, 'runId'), string(one, 'emailId')];
    const at = time(one, 'at');
    if (at === undefined) throw wrong('at is missing in a member of provenance');
    return {
      writtenBy: word(one, 'writtenBy', WRITERS) ?? 'person',
      ...(actorId !== undefined && { actorId }),
      ...(runId !== undefined && { runId }),
      ...(emailId !== undefined && { emailId }),
      trust: word(one, 'trust', ['trusted', 'untrusted'] satisfies MemoryTrust[]) ?? 'untrusted',
      at,
    };
  });
}

function trustOf(provenance: readonly MemoryProvenance[]): MemoryTrust {
  return provenance.every(({ trust }) => trust === 'trusted') ? 'trusted' : 'untrusted';
}

function string(matter: Matter, key: string): string | undefined {
  const value = matter[key];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw wrong(`${key} must be a text`);
}

function strings(matter: Matter, key: string): string[] | undefined {
  const value = matter[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw wrong(`${key} must be a list of texts`);
}

function word<const W extends string>(matter: Matter, key: string, words: readonly W[]): W | undefined {
  const value = matter[key];
  const found = words.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  throw wrong(`${key} must be one of ${words.join(', ')}`);
}

function time(matter: Matter, key: string): string | undefined {
  const value = matter[key];
  if (value === undefined) return undefined;
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  if (Number.isNaN(ms)) throw wrong(`${key} must be a time such as 2026-12-24T00:00:00Z`);
  return isoTime(ms);
}

function wrong(message: string, hint?: string): EngineError {
  return new EngineError('BAD_REQUEST', message, hint === undefined ? {} : { hint });
}
