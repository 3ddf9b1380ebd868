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

/** How often progress is told. */
const TELL_MS = 2000;

/**
 * `migrate [--from PLACE] [--to PLACE]`: moves the store of a data folder into a PostgreSQL database, or back. Without places
 * it goes from the data folder to DATABASE_URL. Nobody may work on either meanwhile. Killed at any moment, the same command
 * goes on. `--dry-run` writes nothing. `--reopen` opens a place again that a store has left, or began to leave. Exit 1 where
 * the copies differ, 2 where it cannot be begun.
 */
export async function migrate(context: CommandContext, options: MigrateOptions): Promise<number> {
  if (options.reopen === true) return reopen(context, options);
  const { from, to } = places(context, options);
  if (options.dryRun === true) return tryOut(context, from, to);
  const moved = await moveBetween(context, { from, to, onProgress: teller(context) });
  tell(context, moved, from, to);
  return EXIT.fine;
}

function tell(
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
        ['table', 'rows', 'hash, the same in both'],
        sums.map(({ table, rows: n, hash }) => [table, String(n), hash.slice(0, 16)]),
      ),
    );
  const next = to.kind === 'database' ? 'start with DATABASE_URL set to it' : 'start without DATABASE_URL';
  say(
    `${isDone ? 'moved already' : `${rows} rows moved`}, from ${locationName(from)} to ${locationName(to)}; ${next}. The old place stays as it is, and closed.`,
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
  context.say(`${rows} rows would be moved from ${locationName(from)} to ${locationName(to)}; nothing was written`);
  return EXIT.fine;
}

async function reopen(context: CommandContext, { from, to }: MigrateOptions): Promise<number> {
  if (to !== undefined) throw usage('--reopen opens one place, named by --from', 'leave --to out');
  const place = placeOf(context, from ?? context.dataDir);
  const wasClosed = await reopenLocation(context, place);
  if (context.isJson) context.print({ place: locationName(place), wasClosed });
  context.say(
    wasClosed
      ? `${locationName(place)} can be opened again; what was moved from it must not be`
      : `${locationName(place)} was open`,
  );
  return EXIT.fine;
}

function places(context: CommandContext, { from, to }: MigrateOptions): { from: StoreLocation; to: StoreLocation } {
  const url = context.env('DATABASE_URL') || undefined;
  const target = to ?? url;
  if (target === undefined)
    throw usage('a move needs to know where to', '--to postgres://user:password@host:5432/name, or set DATABASE_URL');
  const fresh = placeOf(context, target);
  const source = from ?? (fresh.kind === 'database' ? context.dataDir : url);
  if (source === undefined) throw usage('a move needs to know from where', '--from postgres://…, or set DATABASE_URL');
  const old = placeOf(context, source);
  if (old.kind === fresh.kind)
    throw usage('a store moves between a data folder and a database', 'give one of each to --from and --to');
  return { from: old, to: fresh };
}

function placeOf({ terminal, redactor }: CommandContext, text: string): StoreLocation {
  if (!/^postgres(ql)?:/.test(text)) return { kind: 'folder', path: resolve(terminal.cwd, text) };
  for (const password of passwordsIn(text)) redactor.add(password);
  return { kind: 'database', path: text };
}

/** Says where a move is, not too often. */
function teller({ say }: CommandContext): (progress: MoveProgress) => void {
  let last = '';
  let at = 0;
  return ({ phase, table, rows }) => {
    const now = systemClock.now();
    if (`${phase} ${table}` === last && now - at < TELL_MS) return;
    [last, at] = [`${phase} ${table}`, now];
    say(`${phase === 'copy' ? 'copying' : 'comparing'} ${table}: ${rows} rows`);
  };
}

function usage(message: string, hint: string): EngineError {
  return new EngineError('USAGE', message, { hint });
}
