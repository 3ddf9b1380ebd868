import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Draft } from '../store/draft.ts';
import type { Store } from '../store/store.ts';
import type { Memory, MemoryInput, Mention, MemorySpace, MemoryProvenance, MemoryTrust } from './memory.ts';
import { memoryOf, readMemory, rowOf } from './memory-rows.ts';

/** Longest text of a memory, in characters. */
export const MAX_TEXT = 8000;
/** Most tags of a memory, and the longest tag in characters. */
export const MAX_TAGS = 20;
export const MAX_TAG = 200;
/** Most provenances that a memory keeps: the first, and the newest ones. */
const MAX_PROVENANCE = 20;

type LookupKey = Store['lookupKey'];

/** What a change needs: the time in epoch milliseconds, a keyed hash, and who makes the change. */
export interface MemoryChange {
  readonly now: number;
  readonly lookupKey: LookupKey;
  readonly provenance: MemoryProvenance;
}

/**
 * Adds a memory. Where the same text stands in the same space already, that memory gets the tags and the provenance, and
 * `isNew` is false. Throws `BAD_REQUEST` or `TOO_LARGE`.
 */
export async function addMemory(
  draft: Draft,
  space: MemorySpace,
  input: MemoryInput & { readonly owner: string },
  { id, now, lookupKey, provenance }: MemoryChange & { readonly id: string },
): Promise<{ readonly memory: Memory; readonly isNew: boolean }> {
  checkInput(input, now);
  const contentKey = contentKeyOf(space, input.text, lookupKey);
  const [row] = await draft.list('memory', { where: [['contentKey', '=', contentKey]], limit: 1 });
  if (row !== undefined) return { memory: await join(draft, memoryOf(row), input, now, provenance), isNew: false };
  const time = isoTime(now);
  const { scope, directorId, agentId } = space;
  const memory: Memory = {
    ...{ id, scope, directorId, agentId },
    text: input.text.trim(),
    owner: input.owner,
    tags: unique(input.tags ?? []),
    provenance: [provenance],
    trust: provenance.trust,
    ...(input.isLocal === true && { isLocal: true }),
    ...(input.mentions !== undefined && { mentions: input.mentions }),
    ...{ createdAt: time, updatedAt: time },
    ...(input.expiresAt !== undefined && { expiresAt: isoTime(Date.parse(input.expiresAt)) }),
    revision: 1,
  };
  await draft.add({ op: 'insert', table: 'memory', row: rowOf(memory, contentKey) });
  return { memory, isNew: true };
}

async function join(
  draft: Draft,
  memory: Memory,
  { tags = [], expiresAt, isLocal, mentions }: MemoryInput,
  now: number,
  added: MemoryProvenance,
): Promise<Memory> {
  const { expiresAt: before, ...kept } = memory;
  const provenance = bounded([...memory.provenance, added]);
  // Whoever adds a text without an expiry wants it kept; else the later time counts.
  const until = expiresAt === undefined ? undefined : isoTime(Date.parse(expiresAt));
  const end = before === undefined || until === undefined || until > before ? until : before;
  return replace(draft, memory, {
    ...kept,
    tags: unique([...memory.tags, ...tags]).slice(0, MAX_TAGS),
    provenance,
    trust: trustOf([memory.trust, added.trust], provenance),
    ...(before !== undefined && end !== undefined && { expiresAt: end }),
    ...(isLocal === true && { isLocal }),
    ...joinMentions(memory.mentions, mentions),
    updatedAt: isoTime(now),
    revision: memory.revision + 1,
  });
}

/** Changes of a memory. `expiresAt: null` takes the expiry away. */
export interface MemoryPatch {
  readonly text?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly space?: MemorySpace | undefined;
  /** For a person who has read the text. */
  readonly trust?: MemoryTrust | undefined;
  readonly isLocal?: true | undefined;
  /** The private values of the new text. */
  readonly mentions?: readonly Mention[] | undefined;
}

/**
 * Changes a memory. Throws `MEMORY_NOT_FOUND`; `MEMORY_REVISION` where `expectedRevision` is not its revision;
 * `MEMORY_READ_ONLY` for one of a folder; `MEMORY_EXISTS` where another memory of that space has the text; `BAD_REQUEST`
 * and `TOO_LARGE` as `addMemory`.
 */
export async function updateMemory(
  draft: Draft,
  id: string,
  patch: MemoryPatch,
  { now, lookupKey, provenance, expectedRevision }: MemoryChange & { readonly expectedRevision?: number | undefined },
): Promise<Memory> {
  const memory = await writable(draft, id, { now, expectedRevision });
  const { text = memory.text, tags = memory.tags, owner = memory.owner, space = memory } = patch;
  const { expiresAt: before, mentions: _old, ...kept } = memory;
  const end = patch.expiresAt === undefined ? before : (patch.expiresAt ?? undefined);
  checkInput({ text, tags, expiresAt: patch.expiresAt ?? undefined }, now);
  const contentKey = contentKeyOf(space, text, lookupKey);
  const [same] = await draft.list('memory', { where: [['contentKey', '=', contentKey]], limit: 1, bodies: false });
  if (same !== undefined && same.id !== id)
    throw new EngineError('MEMORY_EXISTS', `memory "${same.id}" has the same text in the same space`, {
      hint: 'forget one of the two',
    });
  const { scope, directorId, agentId } = space;
  const isRewritten = text.trim() !== memory.text;
  const changed: Memory = {
    ...kept,
    ...{ scope, directorId, agentId, owner },
    text: text.trim(),
    tags: unique(tags),
    provenance: isRewritten ? bounded([...memory.provenance, provenance]) : memory.provenance,
    // A person who rewrites a text vouches for it; a model cannot make an untrusted text trusted.
    trust: patch.trust ?? (isRewritten ? trustOf([memory.trust, provenance.trust], [provenance]) : memory.trust),
    ...(end !== undefined && { expiresAt: isoTime(Date.parse(end)) }),
    ...(patch.isLocal === true && { isLocal: true as const }),
    ...joinMentions(isRewritten ? undefined : memory.mentions, patch.mentions),
    updatedAt: isoTime(now),
    revision: memory.revision + 1,
  };
  return replace(draft, memory, changed, contentKey);
}

/**
 * Forgets a memory: a person can bring it back until retention deletes it. `isHard` deletes it at once, also one that is
 * forgotten already. Throws as `updateMemory`.
 */
export async function forgetMemory(
  draft: Draft,
  id: string,
  options: { readonly now: number; readonly isHard?: boolean; readonly expectedRevision?: number | undefined },
): Promise<Memory> {
  const { now, isHard = false } = options;
  const memory = await writable(draft, id, { ...options, includeDeleted: isHard });
  if (isHard) {
    await draft.add({ op: 'delete', table: 'memory', where: { id } });
    return memory;
  }
  const time = isoTime(now);
  return replace(draft, memory, { ...memory, deletedAt: time, updatedAt: time, revision: memory.revision + 1 }, id);
}

/** Brings back a forgotten memory; another one stays as it is. Throws `MEMORY_NOT_FOUND`, `MEMORY_EXISTS`. */
export async function restoreMemory(
  draft: Draft,
  id: string,
  { now, lookupKey }: Pick<MemoryChange, 'now' | 'lookupKey'>,
): Promise<Memory> {
  const memory = await readMemory(draft, id, { now, includeDeleted: true });
  if (memory.deletedAt === undefined) return memory;
  const { deletedAt: _gone, ...kept } = memory;
  const contentKey = contentKeyOf(memory, memory.text, lookupKey);
  const [same] = await draft.list('memory', { where: [['contentKey', '=', contentKey]], limit: 1, bodies: false });
  if (same !== undefined)
    throw new EngineError('MEMORY_EXISTS', `memory "${same.id}" has the same text in the same space`);
  return replace(draft, memory, { ...kept, updatedAt: isoTime(now), revision: memory.revision + 1 }, contentKey);
}

/** Key under which equal texts in one space are the same memory. White space does not count. */
export function contentKeyOf({ scope, directorId, agentId }: MemorySpace, text: string, lookupKey: LookupKey): string {
  const plain = text.normalize('NFC').trim().replace(/\s+/g, ' ');
  return lookupKey(['memory', scope, directorId, agentId, plain].join('\0'));
}

async function writable(
  draft: Draft,
  id: string,
  options: { readonly now: number; readonly expectedRevision?: number | undefined; readonly includeDeleted?: boolean },
): Promise<Memory> {
  const memory = await readMemory(draft, id, options);
  if (memory.folder !== undefined)
    throw new EngineError('MEMORY_READ_ONLY', `memory "${id}" is a file in the folder of director "${memory.folder}"`, {
      hint: 'a person changes the file; add a new memory instead',
    });
  const { expectedRevision: expected } = options;
  if (expected !== undefined && expected !== memory.revision)
    throw new EngineError('MEMORY_REVISION', `memory "${id}" is at revision ${memory.revision}, not ${expected}`, {
      hint: 'read the memory again and repeat the change on what it says now',
    });
  return memory;
}

/** Both lists, each value once; none where nobody has looked for private values in the text as it is now. */
function joinMentions(a: readonly Mention[] | undefined, b: readonly Mention[] | undefined): Pick<Memory, 'mentions'> {
  if (a === undefined && b === undefined) return {};
  return { mentions: [...new Map([...(a ?? []), ...(b ?? [])].map((one) => [one.text, one])).values()] };
}

/** Replaces a memory by its changed state; the content key stays unless a new one is given. */
async function replace(draft: Draft, before: Memory, after: Memory, contentKey?: string): Promise<Memory> {
  const { id, contentKey: key, ...set } = rowOf(after, contentKey ?? '');
  await draft.add({
    op: 'update',
    table: 'memory',
    key: { id },
    set: contentKey === undefined ? set : { ...set, contentKey: key },
    expect: { revision: before.revision },
  });
  return after;
}

/** Checks what a person or a model has written. `BAD_REQUEST` or `TOO_LARGE`. `now`: an expiry must come after it. */
export function checkInput({ text, tags = [], expiresAt }: MemoryInput, now = 0): void {
  if (text.trim() === '') throw new EngineError('BAD_REQUEST', 'a memory needs a text');
  if (text.length > MAX_TEXT)
    throw new EngineError('TOO_LARGE', `the text has ${text.length} characters, at most ${MAX_TEXT} are kept`, {
      hint: 'keep one fact in each memory',
    });
  if (tags.length > MAX_TAGS || tags.some((tag) => tag.trim() === '' || tag.length > MAX_TAG))
    throw new EngineError('BAD_REQUEST', `a memory has at most ${MAX_TAGS} tags of 1 to ${MAX_TAG} characters`);
  if (expiresAt === undefined) return;
  const ms = Date.parse(expiresAt);
  if (Number.isNaN(ms))
    throw new EngineError('BAD_REQUEST', `expiresAt: ${JSON.stringify(expiresAt)} is no time`, {
      hint: 'write the time as 2026-11-25T12:00:00Z',
    });
  if (ms <= now) throw new EngineError('BAD_REQUEST', `expiresAt: ${JSON.stringify(expiresAt)} has passed`);
}

/** Trust of joined texts: a person vouches for what they wrote themselves; else one untrusted text makes all untrusted. */
function trustOf(trusts: readonly MemoryTrust[], provenance: readonly MemoryProvenance[]): MemoryTrust {
  if (provenance.some(({ writtenBy }) => writtenBy === 'person')) return 'trusted';
  return trusts.includes('untrusted') ? 'untrusted' : 'trusted';
}

function bounded(provenance: readonly MemoryProvenance[]): MemoryProvenance[] {
  return [...provenance.slice(0, 1), ...provenance.slice(1).slice(1 - MAX_PROVENANCE)];
}

function unique(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))];
}
