/** Shortest id that is shown: runs that start a second apart differ in these characters. */
const MIN_LENGTH = 8;

/**
 * Shortens the ids of a list to their beginnings without the prefix (`run_01m824qvc9…` → `01m824qv`), all to one length in which
 * they differ. Commands accept them.
 */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const bare = [...new Set(ids)].map((id) => id.slice(id.indexOf('_') + 1)).sort();
  const shared = bare.map((id, i) => sharedLength(id, bare[i + 1] ?? ''));
  const length = Math.max(MIN_LENGTH, ...shared.map((count) => count + 1));
  return new Map(ids.map((id) => [id, id.slice(id.indexOf('_') + 1).slice(0, length)]));
}

function sharedLength(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}
