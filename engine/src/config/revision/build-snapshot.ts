import { createHash } from 'node:crypto';
import { deepFreeze, isRecord } from '../../base/json.ts';
import {
  type DocumentLink,
  type DocumentOf,
  type Filter,
  type Kind,
  KINDS,
  type Settings,
  type Snapshot,
  type TypedDocument,
} from '../config.ts';
import type { ValidDocument } from '../validate/validate.ts';
import { compareText, toPointer } from '../problem.ts';

type Kinded = Exclude<Kind, 'settings'>;
type Accepted = ReadonlyMap<string, ValidDocument>;

const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** A snapshot with the documents it was built from. */
export interface Revision {
  readonly snapshot: Snapshot;
  readonly documents: Accepted;
}

/** The links between documents, in the order of the names of those that name others. */
export function linksBetween(documents: Accepted): DocumentLink[] {
  return sortNames(documents).flatMap((from) =>
    (documents.get(from)?.links ?? []).map(({ to, path }) => ({ from, to, path: toPointer(path) })),
  );
}

/** SHA-256 over the sorted names and hashes of all accepted documents: 64 hex digits. */
export function revisionOf(accepted: Accepted): string {
  return hashOf(listNames(sortNames(accepted), accepted));
}

/** The hash of each document, in the order of `names`. */
function listNames(names: readonly string[], accepted: Accepted): ReadonlyMap<string, string> {
  const documents = new Map<string, string>();
  for (const name of names) documents.set(name, accepted.get(name)?.source.hash ?? '');
  return documents;
}

function hashOf(documents: ReadonlyMap<string, string>): string {
  let lines = '';
  for (const [name, hash] of documents) lines += `${name} ${hash}\n`;
  return createHash('sha256').update(lines).digest('hex');
}

/**
 * Builds the frozen config from documents whose links are intact. `defaults` are the settings if there is no enabled
 * settings file. Maps that are the same as in `previous` are reused. `id` is the revision if it is known already.
 */
export function buildRevision(accepted: Accepted, defaults: Settings, previous?: Revision, id?: string): Revision {
  const documents = listNames(namesOf(accepted, previous), accepted);
  const revision = id ?? hashOf(documents);
  if (revision === previous?.snapshot.revision) return previous;
  const disabled = new Set<string>();
  const ofKind = new Map<Kind, ValidDocument[]>(KIND_NAMES.map((kind) => [kind, []]));
  for (const name of documents.keys()) {
    const document = accepted.get(name);
    if (document === undefined) continue;
    ofKind.get(document.typed.kind)?.push(document);
    if (!document.isEnabled) disabled.add(name);
  }
  const changed = previous === undefined ? undefined : changesSince(previous, accepted);
  const of = <K extends Kinded>(kind: K): ReadonlyMap<string, DocumentOf[K]> =>
    collect(ofKind.get(kind) ?? [], kind, disabled);
  const old = previous?.snapshot;
  const isShared = (kind: Kind) => changed?.has(kind) === false;
  const settings = accepted.get('settings')?.typed;
  const snapshot: Snapshot = {
    revision,
    settings: settings?.kind === 'settings' && settings.value.enabled ? settings.value : defaults,
    apis: old !== undefined && isShared('api') ? old.apis : of('api'),
    accounts: old !== undefined && isShared('account') ? old.accounts : of('account'),
    filters: old !== undefined && isShared('filter') ? old.filters : frozen(of('filter').values()),
    directors: old !== undefined && isShared('director') ? old.directors : of('director'),
    agents: old !== undefined && isShared('agent') ? old.agents : of('agent'),
    prompts: old !== undefined && isShared('prompt') ? old.prompts : of('prompt'),
    tools: old !== undefined && isShared('tool') ? old.tools : of('tool'),
    chats: old !== undefined && isShared('chat') ? old.chats : of('chat'),
    documents,
  };
  return { snapshot: Object.freeze(snapshot), documents: accepted };
}

/** The kinds whose map in the snapshot may be another one than before. */
function changesSince(previous: Revision, accepted: Accepted): ReadonlySet<Kind> {
  const kinds = new Set<Kind>();
  const note = (document: ValidDocument) => {
    kinds.add(document.typed.kind);
    // Enabling or disabling a document changes the lists in other documents.
    if (!document.isEnabled) for (const kind of KIND_NAMES) kinds.add(kind);
  };
  for (const [name, document] of accepted) {
    const before = previous.documents.get(name);
    if (before === document) continue;
    note(document);
    if (before !== undefined) note(before);
  }
  for (const [name, document] of previous.documents) if (!accepted.has(name)) note(document);
  return kinds;
}

function frozen(filters: Iterable<Filter>): readonly Filter[] {
  return Object.freeze([...filters]);
}

function sortNames(accepted: Accepted): readonly string[] {
  return [...accepted.keys()].sort(compareText);
}

/** Sorted names. Takes those of `previous` and sorts in the new ones: sorting 10,000 names is most of the time of a change. */
function namesOf(accepted: Accepted, previous: Revision | undefined): readonly string[] {
  if (previous === undefined) return sortNames(accepted);
  const kept = [...previous.snapshot.documents.keys()].filter((name) => accepted.has(name));
  if (kept.length === accepted.size) return kept;
  const added = [...accepted.keys()].filter((name) => !previous.documents.has(name)).sort(compareText);
  return [...kept, ...added].sort(compareText);
}

/** `documents` of one kind, sorted by name: then sorting by `order` takes little time. */
function collect<K extends Kinded>(
  documents: readonly ValidDocument[],
  kind: K,
  disabled: ReadonlySet<string>,
): ReadonlyMap<string, DocumentOf[K]> {
  const values: DocumentOf[K][] = [];
  for (const { typed, isEnabled, links } of documents) {
    if (!isEnabled || !isKind(typed, kind)) continue;
    const isWhole = disabled.size === 0 || !links.some((link) => link.disabled === 'drop' && disabled.has(link.to));
    values.push(isWhole ? typed.value : withoutDisabled(typed.value, disabled));
  }
  return new Map(values.sort(byOrder).map((value) => [value.id, value]));
}

function isKind<K extends Kinded>(
  typed: TypedDocument,
  kind: K,
): typed is TypedDocument & { kind: K; value: DocumentOf[K] } {
  return typed.kind === kind;
}

/** Sorts by `order`, then id; documents without `order` come last. */
function byOrder(a: { order?: number; id: string }, b: { order?: number; id: string }): number {
  const rank = (a.order ?? Infinity) - (b.order ?? Infinity);
  return rank < 0 ? -1 : rank > 0 ? 1 : compareText(a.id, b.id);
}

/** A frozen copy of `value` without disabled agents and fallbacks in its lists. */
function withoutDisabled<T extends object>(value: T, disabled: ReadonlySet<string>): T {
  const result = { ...value };
  const drop = (key: string, folder: string) => {
    const value: unknown = Reflect.get(result, key);
    const enabled = (ids: readonly unknown[]) => ids.filter((id) => !disabled.has(`${folder}/${String(id)}`));
    if (Array.isArray(value)) Reflect.set(result, key, enabled(value));
    else if (isRecord(value) && Array.isArray(value['to']))
      Reflect.set(result, key, { ...value, to: enabled(value['to']) });
  };
  drop('agents', 'agents');
  drop('fallback', 'apis');
  return deepFreeze(result);
}
