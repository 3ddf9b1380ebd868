import { visible } from '../../base/visible.ts';
import { type Difference, DIFFERENCE_KINDS, type ReplayReport, type WordChange } from '../difference.ts';

/** Characters around a change that are shown of a text. */
const CONTEXT = 40;
/** Most changes of one text that are shown. */
const MAX_CHANGES = 6;

/** How parts of a report are marked: with colours, or as plain text. */
export interface Marks {
  readonly strong: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly added: (text: string) => string;
  readonly removed: (text: string) => string;
}

/** Marks without colours. */
export const PLAIN: Marks = {
  strong: (text) => text,
  warn: (text) => text,
  added: (text) => `{+${text}+}`,
  removed: (text) => `[-${text}-]`,
};

/** A report for a terminal: the summary first, then each mail and run that changed. */
export function textReport(report: ReplayReport, marks: Marks = PLAIN): string {
  const { against, tiers, summary, warnings, changed, leftOut } = report;
  const counts = tiers.map(
    ({ tier, total, changed: n, missed, tookMs }) =>
      `  ${tier.padEnd(8)} ${n} of ${total} changed${missed > 0 ? `, ${missed} missed a recorded answer` : ''} (${(tookMs / 1000).toFixed(1)} s)`,
  );
  return [
    marks.strong(`Replay against ${against}`),
    ...summary.map((sentence) => `  ${sentence}`),
    ...counts,
    ...(warnings.length > 0
      ? ['', marks.warn('Permits more than before:'), ...warnings.map((text) => `  ${text}`)]
      : []),
    ...changed.flatMap(({ tier, name, subject, directorId, attempt, differences }) => [
      '',
      `${marks.strong(name)}  ${visible(oneLine(subject))}${directorId === undefined ? '' : `  (${directorId})`}  ${tier}${attempt === undefined ? '' : ` ${attempt}`}`,
      ...sorted(differences).flatMap((one) => lines(one, marks)),
    ]),
    ...(leftOut.length > 0 ? ['', 'Left out:', ...leftOut.map(({ name, why }) => `  ${name}: ${why}`)] : []),
    '',
  ].join('\n');
}

/** Differences in the order of their kinds. */
export function sorted(differences: readonly Difference[]): Difference[] {
  return [...differences].sort((a, b) => DIFFERENCE_KINDS.indexOf(a.kind) - DIFFERENCE_KINDS.indexOf(b.kind));
}

function lines({ kind, text, loosens, words }: Difference, marks: Marks): string[] {
  const head = `  ${kind.padEnd(11)} ${loosens === true ? marks.warn(text) : text}`;
  return words === undefined ? [head] : [head, ...wordLines(words, marks).map((line) => `      ${line}`)];
}

/** The changed places of a text, a line each. */
export function wordLines(words: readonly WordChange[], marks: Marks): string[] {
  const found: string[] = [];
  let line = '';
  let isOpen = false;
  for (const { text, state } of words) {
    if (state !== 'same') {
      line += (state === 'added' ? marks.added : marks.removed)(oneLine(text));
      isOpen = true;
      continue;
    }
    if (!isOpen) line = before(text);
    else if (text.length <= CONTEXT * 2) line += oneLine(text);
    else {
      found.push(line + after(text));
      line = before(text);
      isOpen = false;
    }
  }
  if (isOpen) found.push(line);
  return found.length > MAX_CHANGES
    ? [...found.slice(0, MAX_CHANGES), `… and ${found.length - MAX_CHANGES} more places`]
    : found;
}

function before(text: string): string {
  const flat = oneLine(text);
  return flat.length > CONTEXT ? `…${flat.slice(-CONTEXT).toWellFormed()}` : flat;
}

function after(text: string): string {
  return `${oneLine(text).slice(0, CONTEXT).toWellFormed()}…`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
