import { formatProblems, type ReportFormat } from '../../../config/report.ts';
import { validateConfig } from '../../../config/validate-folder.ts';
import type { CommandContext } from '../../context.ts';
import { builtInToolCatalog } from '../../../app/tool-catalog.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { resolve } from 'node:path';

/** `validate [paths]`: exit 0 where all is fine, 1 with warnings, 2 with errors. Opens no data folder. */
export async function validate(
  context: CommandContext,
  options: { readonly format?: ReportFormat },
  paths: readonly string[],
): Promise<number> {
  const { terminal, configDir, env } = context;
  const validation = await validateConfig({
    dir: configDir,
    paths: paths.map((path) => resolve(terminal.cwd, path)),
    catalog: builtInToolCatalog(),
    env,
  });
  const format = options.format ?? (context.isJson ? 'json' : 'pretty');
  terminal.out(formatProblems(validation, format, { color: context.hasColor.out }));
  if (validation.problems.length === 0) return EXIT.fine;
  return validation.problems.some(({ severity }) => severity === 'error') ? EXIT.usage : EXIT.warning;
}
