import { validateFiles } from '../../../app/validate-files.ts';
import { formatProblems, type ReportFormat } from '../../../config/report.ts';
import type { InFlight } from '../../../run/in-flight/in-flight.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { formatInFlight } from './format-in-flight.ts';

/**
 * `validate [paths]`: exit 0 if the config has no errors, 2 if it has; with `--strict` 1 if it has only warnings. Needs no data
 * folder and creates none. With `--runs` an open run that would be refused counts as an error, one that would change as a warning.
 */
export async function validate(
  context: CommandContext,
  options: { readonly format?: ReportFormat; readonly strict?: boolean; readonly runs?: boolean },
  paths: readonly string[],
): Promise<number> {
  const { terminal } = context;
  const compilers = terminal.delayCompilers?.();
  const validation = await validateFiles(context, { cwd: terminal.cwd, paths }).finally(() => compilers?.release());
  const format = options.format ?? (context.isJson ? 'json' : 'pretty');
  const color = context.hasColor.out;
  const work = options.runs === true ? await openWork(context) : undefined;
  if (format === 'json') context.print({ ...validation, ...(work && { runs: work }) });
  else {
    terminal.out(formatProblems(validation, format, { color }));
    if (work !== undefined) terminal.out(formatInFlight(work, format, { color }));
  }
  return exitOf(validation.problems, work ?? [], options.strict === true);
}

/** Loaded only here: to check the files alone needs none of the modules of runs. */
async function openWork(context: CommandContext): Promise<readonly InFlight[]> {
  const { checkStoredWork } = await import('../../../app/check-stored-work.ts');
  return (await checkStoredWork(context)) ?? [];
}

function exitOf(
  problems: readonly { readonly severity: string }[],
  work: readonly InFlight[],
  isStrict: boolean,
): number {
  const isRefused = work.some(({ fate }) => fate === 'refused');
  if (isRefused || problems.some(({ severity }) => severity === 'error')) return EXIT.usage;
  const hasWarnings = problems.length > 0 || work.some(({ fate }) => fate === 'changes');
  return isStrict && hasWarnings ? EXIT.warning : EXIT.fine;
}
