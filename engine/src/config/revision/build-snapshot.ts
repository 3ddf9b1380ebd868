import { createHash } from 'node:crypto';
import { deepFreeze, isRecord } from '../../base/json.ts';
import type { DocumentLink, DocumentOf, Filter, Kind, Settings, Snapshot, TypedDocument } from '../config.ts';
import type { ValidDocument } from '../validate/validate.ts';
import { compareText, toPointer } from '../problem.ts';

type Kinded = Exclude<Kind, 'settings'>;
type Accepted = ReadonlyMap<string, ValidDocument>;

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
export function revisionOf(accepted: Accepted, sortedNames = sortNames(accepted)): string {
  const hash = createHash('sha256');
  let lines = '';
  for (const name of sortedNames) lines += `${name} ${accepted.get(name)?.source.hash}\n`;
  return hash.update(lines).digest('hex');
}

/**
 * Builds the frozen config from documents whose links are intact. `defaults` are the settings if there is no enabled
 * settings file. Maps that are the same as in `previous` are reused. `id` is the revision if it is known already.
 */
export function buildRevision(accepted: Accepted, defaults: Settings, previous?: Revision, id?: string): Revision {
  const names = namesOf(accepted, previous);
  const revision = id ?? revisionOf(accepted, names);
  if (revision === previous?.snapshot.revision) return previous;
  const disabled = new Set<string>();
  const kinds = new Set<Kind>();
  for (const [name, document] of accepted) {
    if (!document.isEnabled) disabled.add(name);
    if (previous?.documents.get(name) !== document) kinds.add(document.typed.kind);
  }
  for (const [name, { typed }] of previous?.documents ?? []) if (!accepted.has(name)) kinds.add(typed.kind);
  // Enabling or disabling a document changes the lists in other documents.
  const isShared = (kind: Kind) =>
    previous !== undefined && !kinds.has(kind) && disabled.size === 0 && !hasDisabled(previous);
  const of = <K extends Kinded>(kind: K): ReadonlyMap<string, DocumentOf[K]> => collect(accepted, kind, disabled);
  const old = previous?.snapshot;
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
    documents: new Map(names.map((name) => [name, accepted.get(name)?.source.hash ?? ''])),
  };
  return { snapshot: Object.freeze(snapshot), documents: accepted };
}

function frozen(filters: Iterable<Filter>): readonly Filter[] {
  return Object.freeze([...filters]);
}

function hasDisabled({ documents }: Revision): boolean {
  for (const { isEnabled } of documents.values()) if (!isEnabled) return true;
  return false;
}

function sortNames(accepted: Accepted): readonly string[] {
  return [...accepted.keys()].sort(compareText);
}

/** Sorted names. Reuses those of `previous` if they are the same: sorting 10,000 names is most of the time of a change. */
function namesOf(accepted: Accepted, previous: Revision | undefined): readonly string[] {
  if (previous === undefined || previous.documents.size !== accepted.size) return sortNames(accepted);
  for (const name of accepted.keys()) if (!previous.documents.has(name)) return sortNames(accepted);
  return [...previous.snapshot.documents.keys()];
}

function collect<K extends Kinded>(
  accepted: Accepted,
  kind: K,
  disabled: ReadonlySet<string>,
): ReadonlyMap<string, DocumentOf[K]> {
  const values: DocumentOf[K][] = [];
  for (const { typed, isEnabled, links } of accepted.values()) {
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
