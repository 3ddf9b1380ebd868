/** The texts of a list; nothing for other values. */
export function oneOfTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
