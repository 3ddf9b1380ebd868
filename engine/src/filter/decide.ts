import type { Condition, Filter } from '../config/documents.gen.ts';
import { compareOrder } from '../config/order.ts';
import type { Address } from '../mail/mail.ts';
import type {
  FilterDecider,
  RoutingDecision,
  DirectorScopes,
  FilterResult,
  FilterSubject,
  ConditionTrace,
} from './filter.ts';
import { usesLabels, matchingLabels } from './label-conditions.ts';
import { compileRegex, type Regex } from '../regex/regex.ts';

/** Only the start of a body is matched: design.md, Filters. */
export const MAX_BODY_CHARS = 256 * 1024;

/** Limit of a matched value in a result, in characters. */
const MAX_QUOTE_CHARS = 200;

/** Number of cached patterns; above it the oldest is dropped. */
const MAX_PATTERNS = 10_000;

/**
 * Decides which directors take a mail. Filters run by `order` (filters without one last), then by id. A filter for
 * other accounts is skipped; after a match with `stop` all later filters are skipped. Each director appears once, by
 * the first filter that names it. A director that is disabled or does not take mail of this account is listed in
 * `passedOver`.
 *
 * With `newLabels` the mail is known, and these of its labels are new. Then only filters with a `Label` condition run,
 * on the whole mail as it is now. Their `order` and `stop` apply among them, whichever label matched, as for a new mail
 * with these labels. The other filters ran when the mail arrived, and their `stop` applied to that decision only: a
 * label that a person adds later is a new request. A matching filter selects its directors only if a new label is a
 * reason for the match (see `matchingLabels`), even if it would match without that label.
 */
export function createDecider(): FilterDecider {
  const compiled = new Map<string, Regex>();
  const regexOf = (pattern: string): Regex => {
    let regex = compiled.get(pattern);
    if (regex === undefined) {
      if (compiled.size >= MAX_PATTERNS) compiled.delete(compiled.keys().next().value ?? '');
      compiled.set(pattern, (regex = compileRegex(pattern)));
    }
    return regex;
  };

  return {
    decide(subject, filters, directors, newLabels) {
      const results: FilterResult[] = [];
      const matching: Match[] = [];
      let isStopped = false;
      const holds = (part: Condition) => evaluate(part, subject, regexOf).matched;
      for (const filter of sortFilters(filters)) {
        if (newLabels !== undefined && !usesLabels(filter)) continue;
        const result = evaluateFilter(filter, subject, isStopped, regexOf);
        results.push(result);
        if (!result.matched) continue;
        const labels = matchingLabels(newLabels ?? subject.mail.labels, filter, holds, regexOf);
        if (newLabels === undefined || labels.length > 0) matching.push({ filter, labels });
        isStopped ||= filter.stop;
      }
      return { ...chooseDirectors(matching, subject.mail.accountId, directors), results };
    },
  };
}

/** A matching filter, and the labels that made it match. */
interface Match {
  readonly filter: Filter;
  readonly labels: readonly string[];
}

/** Enabled filters in the order in which they run: by `order`, filters without one last, then by id. */
export function sortFilters(filters: readonly Filter[]): Filter[] {
  return filters.filter((filter) => filter.enabled !== false).sort(compareOrder);
}

function evaluateFilter(
  filter: Filter,
  subject: FilterSubject,
  isStopped: boolean,
  regexOf: (pattern: string) => Regex,
): FilterResult {
  const filterId = filter.id;
  if (isStopped) return { filterId, matched: false, skipped: 'stopped' };
  if (filter.accountIds !== undefined && !filter.accountIds.includes(subject.mail.accountId))
    return { filterId, matched: false, skipped: 'account' };
  const verdict = evaluate(filter, subject, regexOf);
  return { filterId, matched: verdict.matched, verdict };
}

function chooseDirectors(
  matching: readonly Match[],
  accountId: string,
  scopes: DirectorScopes,
): Omit<RoutingDecision, 'results'> {
  const directors = new Map<string, RoutingDecision['directors'][number]>();
  const passedOver = new Map<string, RoutingDecision['passedOver'][number]>();
  for (const { filter, labels } of matching) {
    const filterId = filter.id;
    for (const directorId of typeof filter.directorId === 'string' ? [filter.directorId] : filter.directorId) {
      if (passedOver.has(directorId)) continue;
      const scope = Object.hasOwn(scopes, directorId) ? scopes[directorId] : undefined;
      if (scope === undefined) passedOver.set(directorId, { directorId, filterId, reason: 'disabled' });
      else if (scope.accountIds !== undefined && !scope.accountIds.includes(accountId))
        passedOver.set(directorId, { directorId, filterId, reason: 'account' });
      else {
        const named = directors.get(directorId) ?? { directorId, filterId };
        const all = [...new Set([...(named.labels ?? []), ...labels])];
        directors.set(directorId, all.length === 0 ? named : { ...named, labels: all });
      }
    }
  }
  return { directors: [...directors.values()], passedOver: [...passedOver.values()] };
}

/** Evaluates a condition. A group stops at the part that decides its result; later parts are not listed. */
function evaluate(condition: Condition, subject: FilterSubject, regexOf: (pattern: string) => Regex): ConditionTrace {
  if ('allOf' in condition || 'anyOf' in condition) {
    const isAll = 'allOf' in condition;
    const parts: ConditionTrace[] = [];
    for (const part of isAll ? condition.allOf : condition.anyOf) {
      const verdict = evaluate(part, subject, regexOf);
      parts.push(verdict);
      if (verdict.matched !== isAll) return { kind: isAll ? 'allOf' : 'anyOf', matched: !isAll, parts };
    }
    return { kind: isAll ? 'allOf' : 'anyOf', matched: isAll, parts };
  }
  if ('not' in condition) {
    const part = evaluate(condition.not, subject, regexOf);
    return { kind: 'not', matched: !part.matched, parts: [part] };
  }
  const { field, regex } = condition;
  const pattern = regexOf(regex);
  const value = valuesOf(field, subject).find((text) => pattern.test(text));
  if (value === undefined) return { kind: 'field', field, regex, matched: false };
  const quote = value.length > MAX_QUOTE_CHARS ? `${value.slice(0, MAX_QUOTE_CHARS)}…` : value;
  return { kind: 'field', field, regex, matched: true, value: quote };
}

/**
 * The texts of a field; the pattern is tested on each. A field that is missing in the mail has no texts and never
 * matches.
 */
function valuesOf(field: string, { mail, headers, bodyText }: FilterSubject): readonly string[] {
  switch (field) {
    case 'From':
      return addressTexts(mail.from);
    case 'To':
      return addressTexts(mail.to);
    case 'CC':
      return addressTexts(mail.cc);
    case 'BCC':
      return addressTexts(mail.bcc);
    case 'Subject':
      return [mail.subject];
    case 'Body':
      return [bodyText.slice(0, MAX_BODY_CHARS)];
    case 'Date':
      return mail.date === '' ? [] : [mail.date];
    case 'Label':
      return mail.labels;
    default: {
      const name = field
        .replace(/^Header:/, '')
        .trim()
        .toLowerCase();
      return headers.filter((header) => header.name.toLowerCase() === name).map((header) => header.value);
    }
  }
}

function addressTexts(addresses: readonly Address[]): string[] {
  return addresses.flatMap(({ name, address }) => (name === '' ? [address] : [address, `${name} <${address}>`]));
}
