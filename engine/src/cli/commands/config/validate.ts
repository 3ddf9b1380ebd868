import { validateFiles } from '../../../app/validate-files.ts';
import { formatProblems, type ReportFormat } from '../../../config/report.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';

/**
 * `validate [paths]`: exit 0 if the config has no errors, 2 if it has; with `--strict` 1 if it has only warnings. Needs no data
 * folder and creates none.
 */
export async function validate(
  context: CommandContext,
  options: { readonly format?: ReportFormat; readonly strict?: boolean },
  paths: readonly string[],
): Promise<number> {
  const { terminal } = context;
  const validation = await validateFiles(context, { cwd: terminal.cwd, paths });
  const format = options.format ?? (context.isJson ? 'json' : 'pretty');
  terminal.out(formatProblems(validation, format, { color: context.hasColor.out }));
  if (validation.problems.some(({ severity }) => severity === 'error')) return EXIT.usage;
  return options.strict === true && validation.problems.length > 0 ? EXIT.warning : EXIT.fine;
}
