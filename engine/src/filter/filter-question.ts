import type { Snapshot } from '../config/config.ts';
import type { FilterPool } from './filter.ts';

/** The question to the filter pool about a mail under one config. `putOn`: labels that were added to a known mail. */
export function filterQuestion(
  subject: string,
  { revision, filters, directors }: Snapshot,
  newLabels?: readonly string[],
): Parameters<FilterPool['decide']>[0] {
  const scopes = [...directors.values()].map(({ id, accountIds }) => [id, { accountIds }] as const);
  return { revision, filters, directors: Object.fromEntries(scopes), subject, ...(newLabels && { newLabels }) };
}
