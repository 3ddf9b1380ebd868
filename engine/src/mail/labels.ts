/** Whether two mails have the same labels: their order says nothing. */
export function sameLabels(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && others.every((label) => some.includes(label));
}
