import type { Memory } from '../memory.ts';

/** The text of a memory as an embedding model of another machine gets it: private values are left out, only their kind is said. */
export function embeddedText({ text, mentions = [] }: Pick<Memory, 'text' | 'mentions'>): string {
  return mentions
    .toSorted((a, b) => b.text.length - a.text.length)
    .reduce((left, { kind, text: value }) => left.replaceAll(value, `<${kind.toUpperCase()}>`), text);
}
