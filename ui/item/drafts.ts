import { signal } from '@preact/signals';

/** Unsaved text of an item, with the revision that it began from. */
export interface Draft {
  readonly base: number;
  readonly label: string;
  readonly data: string;
}

/** Drafts by item key. They stay while other items are shown, until the page is closed. */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

/** Stores a draft, or removes it. */
export function setDraft(key: string, draft: Draft | undefined): void {
  const next = new Map(drafts.value);
  if (draft === undefined) next.delete(key);
  else next.set(key, draft);
  drafts.value = next;
}
