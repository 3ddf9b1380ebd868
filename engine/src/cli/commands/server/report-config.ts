import type { App } from '../../../app/app.ts';
import type { ConfigChange, Problem } from '../../../config/config.ts';
import { formatProblems } from '../../../config/report.ts';
import type { CommandContext } from '../../context.ts';

/** Names of documents in a log line. */
const MAX_NAMED = 10;

/** Logs the loaded config and prints its problems. The valid documents of a config with errors are used. */
export function reportConfig(context: CommandContext, { config }: Pick<App, 'config'>): void {
  const { revision, directors } = config.current();
  const problems = config.problems();
  const counts = countsOf(problems);
  const facts = { revision: revision.slice(0, 12), directors: directors.size, ...counts };
  if (counts.errors > 0) {
    const states = config.documents().filter(({ state }) => state !== 'live');
    const named = (wanted: string) =>
      namesOf(states.filter(({ state }) => state === wanted).map(({ kind, id }) => `${kind} ${id}`));
    const affected = { earlierVersion: named('stale'), notRunning: named('invalid') };
    context.log.warn('the config has errors: only its valid documents run', { ...facts, ...affected });
  } else context.log.info('config loaded', facts);
  printProblems(context, revision, problems);
}

/**
 * Logs each accepted and each rejected change of the config, with the problems that it brought, until the returned function is
 * called. `mute` keeps changes silent while `work` runs, for a caller that reports itself.
 */
export function reportChanges(
  context: CommandContext,
  { config }: Pick<App, 'config'>,
): { readonly stop: () => void; readonly mute: (work: () => Promise<void>) => Promise<void> } {
  let before = config.problems();
  let isMuted = false;
  const stop = config.onChange((change) => {
    const now = config.problems();
    if (!isMuted) reportChange(context, change, { before, now });
    before = now;
  });
  const mute = async (work: () => Promise<void>) => {
    isMuted = true;
    try {
      await work();
    } finally {
      isMuted = false;
    }
  };
  return { stop, mute };
}

function reportChange(
  context: CommandContext,
  { changed, snapshot: { revision } }: Pick<ConfigChange, 'changed' | 'snapshot'>,
  { before, now }: { readonly before: readonly Problem[]; readonly now: readonly Problem[] },
): void {
  const known = new Set(before.map(keyOf));
  const fresh = now.filter((problem) => !known.has(keyOf(problem)));
  const isRejected = (changed.length === 0 || fresh.some(isError)) && now.some(isError);
  const facts = { revision: revision.slice(0, 12), ...countsOf(now) };
  if (changed.length > 0) context.log.info('config changed', { changed: namesOf(changed), ...facts });
  if (isRejected) {
    // The same error after another save: the file was tried again.
    const shown = fresh.some(isError) ? fresh : now;
    const files = namesOf([...new Set(shown.filter(isError).map(({ file }) => file))]);
    context.log.warn('config change rejected: the last good version keeps running', { files, ...facts });
    return printProblems(context, revision, shown);
  }
  if (changed.length === 0) context.log.info('config checked again: nothing else runs', facts);
  printProblems(context, revision, fresh);
}

function printProblems(
  { terminal, hasColor, isJson, isQuiet, log }: CommandContext,
  revision: string,
  problems: readonly Problem[],
): void {
  if (isQuiet || problems.length === 0) return;
  if (isJson)
    for (const { severity, ...problem } of problems)
      log[severity === 'error' ? 'error' : 'warn']('config problem', problem);
  else terminal.err(formatProblems({ revision, problems }, 'pretty', { color: hasColor.err }));
}

function countsOf(problems: readonly Problem[]): { readonly errors: number; readonly warnings: number } {
  const errors = problems.filter(isError).length;
  return { errors, warnings: problems.length - errors };
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function keyOf({ file, line, column, code, message }: Problem): string {
  return `${file} ${line} ${column} ${code} ${message}`;
}

function namesOf(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}
