import { resolve } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import { createIds } from '../../../base/id.ts';
import { type MoveResult, type MoveProgress, moveStore, reopenStore, tryMove } from '../../../store/move/move-store.ts';
import {
  type MoveEndpoint,
  type MoveEndpointOptions,
  withFolder,
  withPostgres,
} from '../../../store/move/move-endpoint.ts';
import { openPg } from '../../../store/postgres/pool.ts';
import { passwordsIn, withoutPassword } from '../../../store/postgres/database-url.ts';
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

/** Where a store is: a data folder, or a database. */
interface Place {
  readonly kind: 'folder' | 'database';
  readonly path: string;
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
  const moved = await withPlace(context, from, { isDry: false, isNew: false }, (side) => {
    const old = there(side, from);
    return withPlace(context, to, { isDry: false, isNew: true }, (fresh) =>
      moveStore(old, there(fresh, to), {
        id: createIds(systemClock).next('move'),
        at: systemClock.now(),
        onProgress: teller(context),
      }),
    );
  });
  tell(context, moved, from, to);
  return EXIT.fine;
}

function tell({ isJson, print, say, terminal }: CommandContext, moved: MoveResult, from: Place, to: Place): void {
  const { isDone, isResumed, sums } = moved;
  const rows = sums.reduce((sum, table) => sum + table.rows, 0);
  if (isJson) print({ from: shown(from), to: shown(to), isDone, isResumed, rows, tables: sums });
  else if (!isDone)
    terminal.out(
      formatTable(
        ['table', 'rows', 'hash, the same in both'],
        sums.map(({ table, rows: n, hash }) => [table, String(n), hash.slice(0, 16)]),
      ),
    );
  const next = to.kind === 'database' ? 'start with DATABASE_URL set to it' : 'start without DATABASE_URL';
  say(
    `${isDone ? 'moved already' : `${rows} rows moved`}, from ${shown(from)} to ${shown(to)}; ${next}. The old place stays as it is, and closed.`,
  );
}

async function tryOut(context: CommandContext, from: Place, to: Place): Promise<number> {
  const dry: MoveEndpointOptions = { isDry: true, isNew: false };
  const counts = await withPlace(context, from, dry, (side) => {
    const old = there(side, from);
    return withPlace(context, to, dry, (fresh) => tryMove(old, fresh));
  });
  const tables = Array.from(counts, ([table, rows]) => ({ table, rows }));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (context.isJson) context.print({ from: shown(from), to: shown(to), isDryRun: true, rows, tables });
  else
    context.terminal.out(
      formatTable(
        ['table', 'rows'],
        tables.map((table) => [table.table, String(table.rows)]),
      ),
    );
  context.say(`${rows} rows would be moved from ${shown(from)} to ${shown(to)}; nothing was written`);
  return EXIT.fine;
}

async function reopen(context: CommandContext, { from, to }: MigrateOptions): Promise<number> {
  if (to !== undefined) throw usage('--reopen opens one place, named by --from', 'leave --to out');
  const place = placeOf(context, from ?? context.dataDir);
  const wasClosed = await withPlace(context, place, { isDry: false, isNew: false }, (side) =>
    reopenStore(there(side, place)),
  );
  if (context.isJson) context.print({ place: shown(place), wasClosed });
  context.say(
    wasClosed ? `${shown(place)} can be opened again; what was moved from it must not be` : `${shown(place)} was open`,
  );
  return EXIT.fine;
}

function places(context: CommandContext, { from, to }: MigrateOptions): { from: Place; to: Place } {
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

function placeOf({ terminal, redactor }: CommandContext, text: string): Place {
  if (!/^postgres(ql)?:/.test(text)) return { kind: 'folder', path: resolve(terminal.cwd, text) };
  for (const password of passwordsIn(text)) redactor.add(password);
  return { kind: 'database', path: text };
}

function shown({ kind, path }: Place): string {
  return kind === 'folder' ? path : (withoutPassword(path) ?? 'the database');
}

async function withPlace<T>(
  { log }: CommandContext,
  place: Place,
  options: MoveEndpointOptions,
  work: (side: MoveEndpoint | undefined) => Promise<T>,
): Promise<T> {
  if (place.kind === 'folder') return withFolder(place.path, options, work);
  const database = openPg(place.path, { log, clock: systemClock });
  try {
    return await withPostgres(database, shown(place), options, work);
  } finally {
    await database.close();
  }
}

function there(side: MoveEndpoint | undefined, place: Place): MoveEndpoint {
  if (side !== undefined) return side;
  throw usage(`there is no store in ${shown(place)}`, 'name the one to move with --from, or --data');
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
