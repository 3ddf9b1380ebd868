import { githubCommand, type ReportFormat } from '../../../config/report.ts';
import type { InFlight } from '../../../run/in-flight/in-flight.ts';
import { oneLine } from '../../terminal/table.ts';

const COLOR = { refused: '31', changes: '33' } as const;

/** Open runs, sessions and objectives that a config refuses or changes, with a line that counts all of them. */
export function formatInFlight(
  work: readonly InFlight[],
  format: Exclude<ReportFormat, 'json'>,
  { color }: { readonly color: boolean },
): string {
  const told = work.filter(({ fate }) => fate !== 'same');
  if (format === 'github') return told.map((one) => `${githubLine(one)}\n`).join('');
  return [...told.map((one) => prettyLines(one, color)), summary(work)].map((line) => `${line}\n`).join('');
}

function prettyLines({ kind, id, actor, status, fate, code, reasons }: InFlight, color: boolean): string {
  if (fate === 'same') return '';
  const level = color ? `\x1b[${COLOR[fate]}m${fate}\x1b[0m` : fate;
  const first = `${kind} ${id}  ${level}  ${[actor, status, ...(code === undefined ? [] : [code])].join(', ')}`;
  return [first, ...reasons.map((reason) => `  ${oneLine(reason)}`)].join('\n');
}

function summary(work: readonly InFlight[]): string {
  if (work.length === 0) return 'no run, session or objective is open';
  const count = (wanted: InFlight['fate']) => work.filter(({ fate }) => fate === wanted).length;
  return `${work.length} open: ${count('refused')} refused, ${count('changes')} changed, ${count('same')} as before`;
}

function githubLine({ kind, id, actor, fate, reasons }: InFlight): string {
  const level = fate === 'refused' ? 'error' : 'warning';
  const title = `${kind} ${id} ${fate === 'refused' ? 'is refused' : 'changes'}`;
  return githubCommand(level, { title }, `${actor}: ${reasons.join('; ')}`);
}
