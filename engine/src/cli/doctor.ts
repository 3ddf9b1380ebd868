import type { Check } from './check.ts';
import type { CommandContext } from './context.ts';
import { checkConfig } from './doctor-config.ts';
import { checkFolder, checkNode } from './doctor-folder.ts';
import { checkStore, examine } from './doctor-store.ts';
import { oneLine } from './table.ts';
import { EXIT } from './terminal.ts';

const LOOKS = { ok: ['✓', '32'], warn: ['!', '33'], fail: ['✗', '31'] } as const;

/**
 * `doctor [--ask]`: checks everything that can be wrong and says what to do about it. Changes nothing, and works beside a
 * live server as well as without one. With `--json` `{ status, checks }`. Exit 0 where all is fine, 1 with warnings, 2
 * where something does not work.
 */
export async function doctor(context: CommandContext, { ask = false }: { readonly ask?: boolean }): Promise<number> {
  const checks: Check[] = [checkNode(process.version), ...(await checkFolder(context))];
  const store = examine(context);
  const isOpen = store !== undefined && !('check' in store);
  try {
    if (store !== undefined) checks.push(...(isOpen ? await checkStore(store, context, Date.now()) : [store]));
    checks.push(...(await checkConfig(context, { store: isOpen ? store : undefined, isAsking: ask })));
  } finally {
    if (isOpen) await store.close();
  }
  const status = worst(checks);
  const shown = checks.map((check) => ({ ...check, message: context.redactor.text(check.message) }));
  if (context.isJson) context.print({ status, checks: shown });
  else context.terminal.out(formatChecks(shown, context.hasColor.out));
  return status === 'ok' ? EXIT.fine : status === 'warn' ? EXIT.warning : EXIT.usage;
}

function worst(checks: readonly Check[]): Check['status'] {
  if (checks.some(({ status }) => status === 'fail')) return 'fail';
  return checks.some(({ status }) => status === 'warn') ? 'warn' : 'ok';
}

function formatChecks(checks: readonly Check[], hasColor: boolean): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  return checks
    .map(({ check, status, message, hint }) => {
      const [sign, code] = LOOKS[status];
      const mark = hasColor ? `\x1b[${code}m${sign}\x1b[0m` : sign;
      const line = `${mark} ${check.padEnd(width)}  ${oneLine(message)}\n`;
      return hint === undefined ? line : `${line}${' '.repeat(width + 4)}${oneLine(hint)}\n`;
    })
    .join('');
}
