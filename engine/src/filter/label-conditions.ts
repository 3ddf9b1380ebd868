import type { Condition } from '../config/documents.gen.ts';
import type { Regex } from '../regex/regex.ts';

/** True where a condition contains a `Label` condition. */
export function usesLabels(condition: Condition): boolean {
  if ('allOf' in condition) return condition.allOf.some(usesLabels);
  if ('anyOf' in condition) return condition.anyOf.some(usesLabels);
  if ('not' in condition) return usesLabels(condition.not);
  return condition.field === 'Label';
}

/**
 * The labels that make a condition match: those that a `Label` regex matches, in parts and groups that match
 * themselves. Conditions below a `not` never count.
 */
export function matchingLabels(
  labels: readonly string[],
  condition: Condition,
  holds: (part: Condition) => boolean,
  regexOf: (pattern: string) => Regex,
): readonly string[] {
  if ('not' in condition || !usesLabels(condition) || !holds(condition)) return [];
  if ('allOf' in condition || 'anyOf' in condition) {
    const parts = 'allOf' in condition ? condition.allOf : condition.anyOf;
    return [...new Set(parts.flatMap((part) => matchingLabels(labels, part, holds, regexOf)))];
  }
  const regex = regexOf(condition.regex);
  return labels.filter((label) => regex.test(label));
}
