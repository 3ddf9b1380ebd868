import { type ClusterReport, readCluster } from '../../app/cluster-report.ts';
import { inspectDatabase } from '../../app/inspect.ts';
import { inspectDataFolder } from '../../store/sqlite/inspect-data-folder.ts';
import { readVersion } from '../../app/installation.ts';
import { errorBody } from '../../base/error.ts';
import type { InspectedStore } from '../../store/maintenance/inspection.ts';
import type { CommandContext } from '../context.ts';
import { type Check, fail, fine } from './check.ts';
import { checkShared } from './cluster.ts';
import { checkConfig } from './config.ts';
import { checkFolder, checkNode } from './data-folder.ts';
import { checkDatabase } from './database.ts';
import { checkSecurity } from './security.ts';
import { checkStore } from './store.ts';
import { oneLine } from '../terminal/table.ts';
import { EXIT } from '../terminal/terminal.ts';

const SIGNS = { ok: ['✓', '32'], warn: ['!', '33'], fail: ['✗', '31'] } as const;

interface DoctorOptions {
  readonly ask?: boolean;
  readonly security?: boolean;
}

/**
 * `doctor [--ask] [--security]`: checks the installation, the store, the config and the accounts, or only what SECURITY.md
 * promises, with a hint for each problem. Changes nothing; a server may be running. With `--json`, `{ status, checks }`. Exit 0
 * if all checks pass, 1 with warnings, 2 with failures.
 */
export async function doctor(context: CommandContext, { ask = false, security }: DoctorOptions): Promise<number> {
  const url = context.env('DATABASE_URL') ?? '';
  const checks: Check[] = [];
  if (security !== true) checks.push(checkNode(process.version), ...(await checkFolder(context, url !== '')));
  const report = url === '' ? await inspectFolder(context) : await inspectServer(context, url);
  try {
    const { store, shared } = report;
    if (security === true) {
      // Without the store nothing can be said of its encryption.
      if (store === undefined) checks.push(...report.checks.filter(({ status }) => status === 'fail'));
      checks.push(...(await guarded('security', () => checkSecurity(context, store))));
    } else {
      const options = { store, shared, isAsking: ask };
      checks.push(...report.checks, ...(await guarded('config', () => checkConfig(context, options))));
    }
  } finally {
    await report.close();
  }
  const status = worst(checks);
  const { redactor } = context;
  const shown = checks.map(({ message, hint, ...check }) => {
    return { ...check, message: redactor.text(message), ...(hint !== undefined && { hint: redactor.text(hint) }) };
  });
  if (context.isJson) context.print({ status, checks: shown });
  else context.terminal.out(formatChecks(shown, context.hasColor.out));
  return status === 'ok' ? EXIT.fine : status === 'warn' ? EXIT.warning : EXIT.usage;
}

/** The result of a group of checks; an error in it is a failed check, so that the other groups are still shown. */
async function guarded(check: string, work: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await work();
  } catch (error) {
    const { message, hint = 'restore the data from a copy' } = errorBody(error);
    return [fail(check, message, hint)];
  }
}

/** The checks of the store, and the store itself for the checks of the config. */
interface StoreReport {
  readonly checks: readonly Check[];
  /** Undefined if there is no store, or it cannot be read. */
  readonly store: InspectedStore | undefined;
  readonly shared: ClusterReport | undefined;
  close(): Promise<void>;
}

async function inspectFolder(context: CommandContext): Promise<StoreReport> {
  const none = { store: undefined, shared: undefined, close: async () => {} };
  let store: InspectedStore | undefined;
  try {
    store = await inspectDataFolder(context);
  } catch (error) {
    const { message, hint = 'restore the data folder from a copy, or name another one with --data' } = errorBody(error);
    return { ...none, checks: [fail('store', message, hint)] };
  }
  if (store === undefined) return { ...none, checks: [] };
  const opened = store;
  const checks = await guarded('store', () => checkStore(opened, 'data folder', context, Date.now()));
  return { checks, store, shared: undefined, close: () => opened.close() };
}

async function inspectServer(context: CommandContext, url: string): Promise<StoreReport> {
  const { database, address, clock, openStore, close } = await inspectDatabase(url, context);
  const checks = await checkDatabase(database, { address, clock });
  // Results read through a broken server or pooler would mislead.
  if (checks.some(({ status }) => status === 'fail')) return { checks, store: undefined, shared: undefined, close };
  try {
    const store = await openStore();
    if (store === undefined) {
      checks.push(fine('store', 'the database is empty; the first start creates the tables'));
      return { checks, store, shared: undefined, close };
    }
    const [stored, shared] = await Promise.all([
      checkStore(store, 'database', context, clock.now()),
      readCluster(database, store, clock),
    ]);
    checks.push(...stored, ...checkShared(shared, readVersion()));
    return { checks, store, shared, close };
  } catch (error) {
    const { message, hint = 'restore the database from a backup, or name another one in DATABASE_URL' } =
      errorBody(error);
    checks.push(fail('store', message, hint));
    return { checks, store: undefined, shared: undefined, close };
  }
}

function worst(checks: readonly Check[]): Check['status'] {
  if (checks.some(({ status }) => status === 'fail')) return 'fail';
  return checks.some(({ status }) => status === 'warn') ? 'warn' : 'ok';
}

function formatChecks(checks: readonly Check[], hasColor: boolean): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  return checks
    .map(({ check, status, message, hint }) => {
      const [sign, code] = SIGNS[status];
      const mark = hasColor ? `\x1b[${code}m${sign}\x1b[0m` : sign;
      const line = `${mark} ${check.padEnd(width)}  ${oneLine(message)}\n`;
      if (hint === undefined) return line;
      const text = hasColor ? `\x1b[90m${oneLine(hint)}\x1b[0m` : oneLine(hint);
      return `${line}${' '.repeat(width + 4)}${text}\n`;
    })
    .join('');
}
