/**
 * Measures filters: pattern tests on mail bodies per second, compared with native RegExp on the same texts, for
 * patterns that are proven linear and for others; whole filters per second; and the time of a search that backtracks
 * catastrophically in native RegExp. `node bench/filter.ts [--json]`.
 */
import type { Filter } from '../engine/src/config/documents.gen.ts';
import { createDecider } from '../engine/src/filter/decide.ts';
import type { FilterSubject } from '../engine/src/filter/filter.ts';
import { compileRegex } from '../engine/src/regex/regex.ts';

/** Typical patterns for bodies. The second of each pair is the same pattern for native RegExp. */
const PATTERNS: Record<'native' | 're2', readonly (readonly [string, RegExp])[]> = {
  native: [
    ['(?i)urgent', /urgent/i],
    ['invoice #?\\d{4,8}', /invoice #?\d{4,8}/],
    ['client[0-9]+@domain\\.com', /client[0-9]+@domain\.com/],
    ['(?i)unsubscribe|abmelden|désabonner', /unsubscribe|abmelden|désabonner/i],
    ['(?i)\\b(?:refund|cancel(?:lation)?)\\b', /\b(?:refund|cancel(?:lation)?)\b/i],
    ['\\d{3}-\\d{4}', /\d{3}-\d{4}/],
  ],
  re2: [
    ['order.*shipped', /order.*shipped/],
    ['[\\w.]+@example\\.com', /[\w.]+@example\.com/],
    ['(?i)payment.{0,80}overdue', /payment.{0,80}overdue/i],
    ['(?m)^> ?On .* wrote:', /^> ?On .* wrote:/m],
  ],
};

const WORDS =
  'the order of your last invoice was sent to client and payment is due on Monday please reply with any question about it'.split(
    ' ',
  );

/** A body of `length` characters that no pattern matches, so that each test reads it to the end. */
function body(length: number): string {
  let text = '';
  for (let i = 0; text.length < length; i++)
    text += `${WORDS[(i * 7 + (i >> 3)) % WORDS.length]}${i % 13 === 0 ? '.\n' : ' '}`;
  return text.slice(0, length);
}

/** Calls of `fn` per second, measured for at least `ms` milliseconds. */
function rate(fn: () => void, ms = 400): number {
  for (let i = 0; i < 200; i++) fn();
  const startMs = performance.now();
  let calls = 0;
  do {
    for (let i = 0; i < 20; i++) fn();
    calls += 20;
  } while (performance.now() - startMs < ms);
  return (calls * 1000) / (performance.now() - startMs);
}

/** Tests per second over all patterns of a kind, with our engine and with native RegExp. */
function compare(kind: 'native' | 're2', text: string) {
  const ours = PATTERNS[kind].map(([source]) => compileRegex(source));
  const wrong = ours.findIndex((regex) => regex.engine !== kind);
  if (wrong >= 0) throw new Error(`${PATTERNS[kind][wrong]?.[0]} does not belong to ${kind}`);
  const theirs = PATTERNS[kind].map(([, regex]) => regex);
  const count = ours.length;
  const oursPerSecond = count * rate(() => ours.forEach((regex) => regex.test(text)));
  const nativePerSecond = count * rate(() => theirs.forEach((regex) => regex.test(text)));
  return { bodyTestsPerSecond: oursPerSecond, nativePerSecond, ratio: oursPerSecond / nativePerSecond };
}

/** Whole filters per second, as in a decision: each has two conditions on headers and one on the body. */
function decisions(text: string) {
  const decider = createDecider();
  const patterns = PATTERNS.native.map(([source]) => source);
  const filters = Array.from({ length: 100 }, (_, i) => ({
    id: `f${i}`,
    description: '',
    enabled: true,
    stop: false,
    directorId: 'boss',
    anyOf: [
      { field: 'From', regex: `sender${i}@` },
      { field: 'Subject', regex: `(?i)topic ${i}$` },
      { field: 'Body', regex: patterns[i % patterns.length] ?? '' },
    ],
  })) satisfies Filter[];
  const subject: FilterSubject = { mail: MAIL, headers: [], bodyText: text };
  return { filtersPerSecond: filters.length * rate(() => decider.decide(subject, filters, { boss: {} })) };
}

const MAIL: FilterSubject['mail'] = {
  ...{
    id: 'm',
    accountId: 'a',
    messageId: '',
    inReplyTo: '',
    references: [],
    threadId: '',
    cc: [],
    bcc: [],
    replyTo: [],
  },
  ...{ from: [{ name: 'Ann', address: 'ann@example.org' }], to: [{ name: '', address: 'me@example.org' }] },
  ...{ subject: 'Hello there', date: '', labels: [], attachments: [], snippet: '', receivedAt: '' },
  ...{ autoSubmitted: false, list: false, own: false },
};

/** One search for `^(a+)+$` in 50,000 characters that almost match. Native RegExp needs seconds for 30 characters. */
function attack() {
  const regex = compileRegex('^(a+)+$');
  const text = `${'a'.repeat(50_000)}!`;
  const startMs = performance.now();
  regex.test(text);
  return { ms: performance.now() - startMs };
}

if (import.meta.main) {
  const [short, long] = [body(2000), body(100_000)];
  const rows: Record<string, Record<string, number>> = {
    'body 2 KB, proven linear': compare('native', short),
    'body 2 KB, by RE2': compare('re2', short),
    'body 100 KB, proven linear': compare('native', long),
    'body 100 KB, by RE2': compare('re2', long),
    'decision, 100 filters, 2 KB': decisions(short),
    'attack, 50,000 characters': attack(),
  };
  for (const [name, row] of Object.entries(rows)) {
    const figures = Object.entries(row).map(([key, value]) => [key, Number(value.toPrecision(3))] as const);
    const text = process.argv.includes('--json')
      ? JSON.stringify({ name, ...Object.fromEntries(figures) })
      : `${name}  ${figures.map(([key, value]) => `${key} ${value}`).join('  ')}`;
    process.stdout.write(`filters  ${text}\n`);
  }
}
