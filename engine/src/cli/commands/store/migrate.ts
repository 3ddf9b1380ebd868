import { resolve } from 'node:path';
import {
  countMove,
  locationName,
  moveBetween,
  reopenLocation,
  type StoreLocation,
} from '../../../app/store-location.ts';
import { systemClock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import type { MoveProgress, MoveResult } from '../../../store/move/move-store.ts';
import { passwordsIn } from '../../../store/postgres/database-url.ts';
import type { CommandContext } from '../../context.ts';
import { formatTable } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

interface MigrateOptions {
  /** Folders, or URLs of databases. */
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly reopen?: boolean;
}

/** Interval of progress messages. */
const PROGRESS_MS = 2000;

/**
 * `migrate [--from LOCATION] [--to LOCATION]`: moves the store of a data folder to a PostgreSQL database, or back. Default: from
 * the data folder to DATABASE_URL. No process may use either meanwhile. After an interruption the same command continues.
 * `--dry-run` writes nothing. `--reopen` unlocks a location after a move. Exit 1 if the copies differ, 2 if it cannot start.
 */
export async function migrate(context: CommandContext, options: MigrateOptions): Promise<number> {
  if (options.reopen === true) return reopen(context, options);
  const { from, to } = places(context, options);
  if (options.dryRun === true) return tryOut(context, from, to);
  const moved = await moveBetween(context, { from, to, onProgress: progressPrinter(context) });
  printResult(context, moved, from, to);
  return EXIT.fine;
}

function printResult(
  { isJson, print, say, terminal }: CommandContext,
  moved: MoveResult,
  from: StoreLocation,
  to: StoreLocation,
): void {
  const { isDone, isResumed, sums } = moved;
  const rows = sums.reduce((sum, table) => sum + table.rows, 0);
  if (isJson) print({ from: locationName(from), to: locationName(to), isDone, isResumed, rows, tables: sums });
  else if (!isDone)
    terminal.out(
      formatTable(
        ['table', 'rows', 'hash (equal in both)'],
        sums.map(({ table, rows: n, hash }) => [table, String(n), hash.slice(0, 16)]),
      ),
    );
  const next = to.kind === 'database' ? 'set DATABASE_URL to it and start' : 'unset DATABASE_URL and start';
  say(
    `${isDone ? 'already moved' : `${rows} rows moved`} from ${locationName(from)} to ${locationName(to)}; ${next}. The old location is unchanged and locked.`,
  );
}

async function tryOut(context: CommandContext, from: StoreLocation, to: StoreLocation): Promise<number> {
  const counts = await countMove(context, { from, to });
  const tables = Array.from(counts, ([table, rows]) => ({ table, rows }));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (context.isJson) context.print({ from: locationName(from), to: locationName(to), isDryRun: true, rows, tables });
  else
    context.terminal.out(
      formatTable(
        ['table', 'rows'],
        tables.map((table) => [table.table, String(table.rows)]),
      ),
    );
  context.say(`${rows} rows would be moved from ${locationName(from)} to ${locationName(to)}; no data was written`);
  return EXIT.fine;
}

async function reopen(context: CommandContext, { from, to }: MigrateOptions): Promise<number> {
  if (to !== undefined) throw usage('--reopen takes only --from', 'remove --to');
  const place = cursorOf(context, from ?? context.dataDir);
  const wasClosed = await reopenLocation(context, place);
  if (context.isJson) context.print({ place: locationName(place), wasClosed });
  context.say(
    wasClosed
      ? `${locationName(place)} is unlocked; do not also use the copy that was moved from it`
      : `${locationName(place)} was not locked`,
  );
  return EXIT.fine;
}

function places(context: CommandContext, { from, to }: MigrateOptions): { from: StoreLocation; to: StoreLocation } {
  const url = context.env('DATABASE_URL') || undefined;
  const target = to ?? url;
  if (target === undefined)
    throw usage(
      'the target of the move is missing',
      'use --to postgres://user:password@host:5432/name, or set DATABASE_URL',
    );
  const fresh = cursorOf(context, target);
  const source = from ?? (fresh.kind === 'database' ? context.dataDir : url);
  if (source === undefined)
    throw usage('the source of the move is missing', 'use --from postgres://…, or set DATABASE_URL');
  const old = cursorOf(context, source);
  if (old.kind === fresh.kind)
    throw usage('migrate moves between a data folder and a database', 'set --from and --to to one of each');
  return { from: old, to: fresh };
}

function cursorOf({ terminal, redactor }: CommandContext, text: string): StoreLocation {
  if (!/^postgres(ql)?:/.test(text)) return { kind: 'folder', path: resolve(terminal.cwd, text) };
  for (const password of passwordsIn(text)) redactor.add(password);
  return { kind: 'database', path: text };
}

/** Prints progress, at most every two seconds for one table. */
function progressPrinter({ say }: CommandContext): (progress: MoveProgress) => void {
  let last = '';
  let at = 0;
  return ({ phase, table, rows }) => {
    const now = systemClock.now();
    if (`${phase} ${table}` === last && now - at < PROGRESS_MS) return;
    [last, at] = [`${phase} ${table}`, now];
    say(`${phase === 'copy' ? 'copying' : 'comparing'} ${table}: ${rows} rows`);
  };
}

function usage(message: string, hint: string): EngineError {
  return new EngineError('USAGE', message, { hint });
}
