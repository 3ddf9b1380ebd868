import type { Abortable } from '../base/abort.ts';
import type { MailSource } from './source.ts';

/** Looks at an account as a fetch would, up to the first thing that it gives, and takes nothing. Throws as `MailSource.list` does. */
export async function probe(source: MailSource, { signal }: Abortable = {}): Promise<void> {
  for await (const _first of source.list({ seen: () => undefined, signal })) return;
}
