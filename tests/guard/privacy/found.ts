import type { PrivateKind } from '../../../engine/src/guard/privacy/private-span.ts';
import { type FindOptions, findPrivate } from '../../../engine/src/guard/privacy/recognise.ts';

/** The values of one kind in a text: of a mail, or of the user's own words. */
export async function found(kind: PrivateKind, text: string, options: Partial<FindOptions> = {}): Promise<string[]> {
  const spans = await findPrivate(text, { known: [], isUserWords: false, ...options });
  for (const { start, end, text: value } of spans)
    if (text.slice(start, end) !== value) throw new Error(`the span of "${value}" does not hold it`);
  return spans.filter((span) => span.kind === kind).map((span) => span.text);
}
