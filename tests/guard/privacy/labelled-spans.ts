import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivateKind, PrivateSpan } from '../../../engine/src/guard/privacy/private-span.ts';

/** A labelled text of `corpora/pii`. */
export interface LabelledText {
  readonly id: string;
  readonly text: string;
  /** Kinds that are counted in this text: all in a sentence, the one of its scope in a format. */
  readonly kinds: readonly PrivateKind[];
  readonly spans: readonly Omit<PrivateSpan, 'text'>[];
}

/** What is found against what is labelled, for one kind. */
export interface SpanCount {
  readonly labelled: number;
  readonly found: number;
  readonly reported: number;
  readonly right: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/** Types of the corpus that are kinds of ours. All others (SSN, passports, addresses, ...) are not redacted and not counted. */
const KINDS: Readonly<Record<string, PrivateKind>> = {
  PERSON: 'person',
  PHONE_NUMBER: 'phone',
  TR_PHONE_NUMBER: 'phone',
  PH_MOBILE_NUMBER: 'phone',
  EMAIL_ADDRESS: 'email',
  IBAN_CODE: 'iban',
  CREDIT_CARD: 'card',
};

/** Types of one country: the rows without a label say nothing about phones of other countries. */
const NATIONAL: ReadonlySet<string> = new Set(['TR_PHONE_NUMBER', 'PH_MOBILE_NUMBER']);

interface Row {
  readonly id: string;
  readonly text: string;
  readonly scope?: string;
  readonly spans: readonly { readonly type: string; readonly start: number; readonly end: number }[];
}

/** The labelled texts of a corpus folder: `sentences.jsonl`, and of `formats.jsonl` the rows whose scope is a kind of ours. */
export function readLabelled(folder: string): LabelledText[] {
  const rows = ['sentences.jsonl', 'formats.jsonl'].flatMap((name) =>
    readFileSync(join(folder, 'pii', name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Row => JSON.parse(line)),
  );
  return rows.flatMap(({ id, text, scope, spans }) => {
    const kinds =
      scope === undefined ? [...new Set(Object.values(KINDS))] : [KINDS[scope]].filter((kind) => kind !== undefined);
    // A number that is no Turkish phone may be one of another country.
    const isJudged = scope === undefined || (scope in KINDS && (!NATIONAL.has(scope) || spans.length > 0));
    const labels = spans.flatMap(({ type, start, end }) =>
      KINDS[type] === undefined ? [] : [{ start, end, kind: KINDS[type] }],
    );
    return isJudged ? [{ id, text, kinds, spans: labels }] : [];
  });
}

/**
 * Counts one kind. A labelled span is found where reported spans of its kind cover every letter and digit of it. A reported span
 * is right where at least half of its letters and digits lie in labelled spans of its kind.
 */
export function countSpans(
  kind: PrivateKind,
  texts: readonly { readonly labelled: LabelledText; readonly reported: readonly PrivateSpan[] }[],
): SpanCount {
  const missed: string[] = [];
  const wrong: string[] = [];
  let [labels, reports] = [0, 0];
  for (const { labelled, reported } of texts) {
    if (!labelled.kinds.includes(kind)) continue;
    const own = labelled.spans.filter((span) => span.kind === kind);
    const ours = reported.filter((span) => span.kind === kind);
    labels += own.length;
    reports += ours.length;
    for (const span of own)
      if (share(labelled.text, span, ours) < 1)
        missed.push(`${labelled.id}: ${labelled.text.slice(span.start, span.end)}`);
    for (const span of ours) if (share(labelled.text, span, own) < 0.5) wrong.push(`${labelled.id}: ${span.text}`);
  }
  return {
    labelled: labels,
    found: labels - missed.length,
    reported: reports,
    right: reports - wrong.length,
    missed,
    wrong,
  };
}

/** The part of the letters and digits of a span that lies in other spans. */
function share(
  text: string,
  { start, end }: { start: number; end: number },
  others: readonly { start: number; end: number }[],
): number {
  let [all, inside] = [0, 0];
  for (let at = start; at < end; at++) {
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at))) continue;
    all++;
    if (others.some((other) => other.start <= at && at < other.end)) inside++;
  }
  return all === 0 ? 1 : inside / all;
}

/** Counts of several kinds as one. */
export function sumCounts(counts: readonly SpanCount[]): SpanCount {
  const sum = (read: (count: SpanCount) => number) => counts.reduce((total, count) => total + read(count), 0);
  return {
    labelled: sum(({ labelled }) => labelled),
    found: sum(({ found }) => found),
    reported: sum(({ reported }) => reported),
    right: sum(({ right }) => right),
    missed: counts.flatMap(({ missed }) => missed),
    wrong: counts.flatMap(({ wrong }) => wrong),
  };
}
