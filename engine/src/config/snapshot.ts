import { deepFreeze, sha256 } from '../base/json.ts';
import type { DocumentOf, Filter, Kind, Settings, Snapshot } from './config.ts';
import type { Typed, ValidDocument } from './document.ts';
import { compareText } from './problem.ts';

type Kinded = Exclude<Kind, 'settings'>;

/** Hash over the sorted names and hashes of all accepted documents. */
export function revisionOf(accepted: ReadonlyMap<string, { readonly source: { readonly hash: string } }>): string {
  const lines = Array.from(accepted, ([name, { source }]) => `${name} ${source.hash}\n`);
  return sha256(lines.sort(compareText).join(''));
}

/** The frozen config of documents that link. `defaults` are the settings where there is no (enabled) file. */
export function buildSnapshot(
  accepted: ReadonlyMap<string, ValidDocument>,
  defaults: Settings,
  revision = revisionOf(accepted),
): Snapshot {
  const disabled = new Set<string>();
  for (const [name, { isEnabled }] of accepted) if (!isEnabled) disabled.add(name);
  const settings = accepted.get('settings')?.typed;
  const of = <K extends Kinded>(kind: K): ReadonlyMap<string, DocumentOf[K]> => {
    const values: DocumentOf[K][] = [];
    for (const { typed, isEnabled, links } of accepted.values()) {
      if (!isEnabled || !isKind(typed, kind)) continue;
      const isWhole = disabled.size === 0 || !links.some((link) => link.disabled === 'drop' && disabled.has(link.to));
      values.push(isWhole ? typed.value : withoutDisabled(typed.value, disabled));
    }
    return new Map(values.sort(byOrder).map((value) => [value.id, value]));
  };
  const documents = Array.from(accepted, ([name, { source }]) => [name, source.hash] as const);
  const filters: readonly Filter[] = Object.freeze([...of('filter').values()]);
  return Object.freeze({
    revision,
    settings: settings?.kind === 'settings' && settings.value.enabled ? settings.value : defaults,
    apis: of('api'),
    accounts: of('account'),
    filters,
    directors: of('director'),
    agents: of('agent'),
    prompts: of('prompt'),
    documents: new Map(documents.sort((a, b) => compareText(a[0], b[0]))),
  });
}

function isKind<K extends Kinded>(typed: Typed, kind: K): typed is Typed & { kind: K; value: DocumentOf[K] } {
  return typed.kind === kind;
}

/** By `order`, then id; those without a number come last. */
function byOrder(a: { order?: number; id: string }, b: { order?: number; id: string }): number {
  const rank = (a.order ?? Infinity) - (b.order ?? Infinity);
  return rank < 0 ? -1 : rank > 0 ? 1 : compareText(a.id, b.id);
}

/** `value` with disabled agents and fallbacks taken out of its lists. */
function withoutDisabled<T extends object>(value: T, disabled: ReadonlySet<string>): T {
  const result = { ...value };
  const drop = (key: string, folder: string) => {
    const ids: unknown = Reflect.get(value, key);
    if (Array.isArray(ids))
      Reflect.set(
        result,
        key,
        ids.filter((id) => !disabled.has(`${folder}/${String(id)}`)),
      );
  };
  drop('agents', 'agents');
  drop('fallback', 'apis');
  return deepFreeze(result);
}
