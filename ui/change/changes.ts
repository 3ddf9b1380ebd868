import { computed } from '@preact/signals';
import { documentDrafts } from '../config/documents.ts';
import type { ChangedSides, ComparisonView, Compared, Difference, ShadowView } from '../http/api-types.ts';
import { path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { mayDo } from '../shell/person.ts';
import { attempt } from '../widget/toast.ts';

/** Pause between two questions how far the comparison is. */
const POLL_MS = 700;

/** The comparison that runs or ran last. */
export const changes = createResource((_key, signal) => request<ComparisonView>('GET', '/api/changes', { signal }));

/** The shadow with its comparison so far. */
export const shadow = createResource((_key, signal) => request<ShadowView>('GET', '/api/shadow', { signal }));

/** Branches and tags that can be compared. */
export const refs = createResource((_key, signal) =>
  request<{ readonly refs: readonly string[] }>('GET', '/api/changes/refs', { signal }),
);

/** Both sides of the open mail or run. */
export const openedEntry = createResource((name, signal) =>
  request<ChangedSides>('GET', path`/api/changes/entries/${name}`, { signal }),
);

/** Edits of documents that are not saved; of new ones once they have an id. */
export const unsavedEdits = computed(() =>
  [...documentDrafts.value].flatMap(([key, { value }]) => {
    const [kind = '', ...rest] = key.split('/');
    const { id } = value;
    if (kind !== 'new') return [{ kind, id: rest.join('/'), value, isNew: false }];
    return typeof id === 'string' && id !== '' ? [{ kind: rest.join('/'), id, value, isNew: true }] : [];
  }),
);

/** Fetches what the page shows, where the person may see it. */
export function refreshChanges(): void {
  shadow.reload('shadow');
  if (mayDo('admin')) changes.reload('changes');
}

/** Asks again after a while, as long as a comparison runs. Returns a function that stops it. */
export function follow(): (() => void) | undefined {
  if (changes.state.value.data?.job?.status !== 'running') return undefined;
  const timer = setTimeout(changes.refresh, POLL_MS);
  return () => clearTimeout(timer);
}

/** Starts a comparison. Its errors are shown as a toast. */
export async function startChanges(against: 'edits' | { readonly ref: string }, limit: number): Promise<void> {
  const what = against === 'edits' ? { edits: unsavedEdits.value } : against;
  await attempt(async () => {
    changes.set(await request<ComparisonView>('POST', '/api/changes', { body: { ...what, limit } }));
  });
}

/** Cancels the comparison that runs. */
export async function cancelChanges(): Promise<void> {
  await attempt(() => request('POST', '/api/changes/cancel', { body: {} }));
  changes.refresh();
}

/** A mail or a run with all its differences. */
export interface ChangedRow extends Pick<Compared, 'name' | 'subject' | 'directorId'> {
  readonly differences: readonly Difference[];
}

/** One row for each mail and run: rules and plays find differences of the same run. */
export function rowsOf(changed: readonly Compared[]): readonly ChangedRow[] {
  return [...Map.groupBy(changed, ({ name }) => name).values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [{ ...first, differences: all.flatMap(({ differences }) => differences) }];
  });
}
