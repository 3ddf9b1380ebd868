import type { Condition, Filter } from '../config/documents.gen.ts';
import type { Address } from '../mail/mail.ts';
import type { Decider, Decision, DirectorScopes, FilterResult, Subject, Verdict } from './filter.ts';
import { compileRegex, type Regex } from './regex.ts';

/** Only the start of a body counts: design.md, Filters. */
export const MAX_BODY_CHARS = 256 * 1024;

/** Longest value that a verdict quotes. */
const MAX_QUOTE_CHARS = 200;

/** Patterns kept compiled; beyond it the oldest goes. */
const MAX_PATTERNS = 10_000;

/**
 * Decides which directors take a mail. Filters are asked by `order` (those without one last), then id. A filter that is
 * not for the mail's account is passed by; one that matches and says `stop` is the last that is asked. Each director is
 * named once, by the first filter that names it; one whose `accountIds` lack the account, or that is disabled, is passed
 * over, and that is said.
 */
export function createDecider(): Decider {
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
    decide(subject, filters, directors) {
      const results: FilterResult[] = [];
      const matching: Filter[] = [];
      let isStopped = false;
      for (const filter of inOrder(filters)) {
        const result = ask(filter, subject, isStopped, regexOf);
        results.push(result);
        if (!result.matched) continue;
        matching.push(filter);
        isStopped ||= filter.stop;
      }
      return { ...appoint(matching, subject.mail.accountId, directors), results };
    },
  };
}

/** Filters as they are asked: by `order`, those without one last, then by id. Disabled ones are left out. */
export function inOrder(filters: readonly Filter[]): Filter[] {
  return filters
    .filter((filter) => filter.enabled !== false)
    .sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function ask(filter: Filter, subject: Subject, isStopped: boolean, regexOf: (pattern: string) => Regex): FilterResult {
  const filterId = filter.id;
  if (isStopped) return { filterId, matched: false, skipped: 'stopped' };
  if (filter.accountIds !== undefined && !filter.accountIds.includes(subject.mail.accountId))
    return { filterId, matched: false, skipped: 'account' };
  const verdict = judge(filter, subject, regexOf);
  return { filterId, matched: verdict.matched, verdict };
}

function appoint(matching: readonly Filter[], accountId: string, scopes: DirectorScopes): Omit<Decision, 'results'> {
  const directors: Decision['directors'][number][] = [];
  const passedOver: Decision['passedOver'][number][] = [];
  const seen = new Set<string>();
  for (const { id: filterId, directorId: named } of matching) {
    for (const directorId of typeof named === 'string' ? [named] : named) {
      if (seen.has(directorId)) continue;
      seen.add(directorId);
      const scope = Object.hasOwn(scopes, directorId) ? scopes[directorId] : undefined;
      if (scope === undefined) passedOver.push({ directorId, filterId, reason: 'disabled' });
      else if (scope.accountIds !== undefined && !scope.accountIds.includes(accountId))
        passedOver.push({ directorId, filterId, reason: 'account' });
      else directors.push({ directorId, filterId });
    }
  }
  return { directors, passedOver };
}

/** A group stops at the part that settles it, which is then the last one listed. */
function judge(condition: Condition, subject: Subject, regexOf: (pattern: string) => Regex): Verdict {
  if ('allOf' in condition || 'anyOf' in condition) {
    const isAll = 'allOf' in condition;
    const parts: Verdict[] = [];
    for (const part of isAll ? condition.allOf : condition.anyOf) {
      const verdict = judge(part, subject, regexOf);
      parts.push(verdict);
      if (verdict.matched !== isAll) return { kind: isAll ? 'allOf' : 'anyOf', matched: !isAll, parts };
    }
    return { kind: isAll ? 'allOf' : 'anyOf', matched: isAll, parts };
  }
  if ('not' in condition) {
    const part = judge(condition.not, subject, regexOf);
    return { kind: 'not', matched: !part.matched, parts: [part] };
  }
  const { field, regex } = condition;
  const pattern = regexOf(regex);
  const value = valuesOf(field, subject).find((text) => pattern.test(text));
  if (value === undefined) return { kind: 'field', field, regex, matched: false };
  const quote = value.length > MAX_QUOTE_CHARS ? `${value.slice(0, MAX_QUOTE_CHARS)}…` : value;
  return { kind: 'field', field, regex, matched: true, value: quote };
}

/** The texts of a field; the pattern is tried on each. A field that the mail lacks has none and never matches. */
function valuesOf(field: string, { mail, headers, bodyText }: Subject): readonly string[] {
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
