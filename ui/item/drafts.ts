import { signal } from '@preact/signals';

/** What somebody has typed over an item and not saved, with the revision that it began from. */
export interface Draft {
  readonly base: number;
  readonly label: string;
  readonly data: string;
}

/** Drafts by item key. They outlive a look at another item, not the page. */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

/** Keeps a draft, or drops it. */
export function setDraft(key: string, draft: Draft | undefined): void {
  const next = new Map(drafts.value);
  if (draft === undefined) next.delete(key);
  else next.set(key, draft);
  drafts.value = next;
}
