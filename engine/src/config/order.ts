/** The keys by which documents of a kind are ordered. */
interface Ordered {
  readonly id: string;
  readonly order?: number;
}

/** Compares by `order` alone: the lowest first, documents without one last. */
export function compareRank(a: Pick<Ordered, 'order'>, b: Pick<Ordered, 'order'>): number {
  const [left, right] = [a.order ?? Infinity, b.order ?? Infinity];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Compares by `order`, then by id. */
export function compareOrder(a: Ordered, b: Ordered): number {
  return compareRank(a, b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
