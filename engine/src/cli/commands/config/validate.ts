import { validateFiles } from '../../../app/validate-files.ts';
import { formatProblems, type ReportFormat } from '../../../config/report.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `validate [paths]`: exit 0 if the config is valid, 1 with warnings, 2 with errors. Opens no data folder. */
export async function validate(
  context: CommandContext,
  options: { readonly format?: ReportFormat },
  paths: readonly string[],
): Promise<number> {
  const { terminal } = context;
  const validation = await validateFiles(context, { cwd: terminal.cwd, paths });
  const format = options.format ?? (context.isJson ? 'json' : 'pretty');
  terminal.out(formatProblems(validation, format, { color: context.hasColor.out }));
  if (validation.problems.length === 0) return EXIT.fine;
  return validation.problems.some(({ severity }) => severity === 'error') ? EXIT.usage : EXIT.warning;
}
