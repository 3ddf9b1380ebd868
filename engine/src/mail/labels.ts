/** Whether two mails have the same labels, in any order. */
export function sameLabels(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && others.every((label) => some.includes(label));
}
