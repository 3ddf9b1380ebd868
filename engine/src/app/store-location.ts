import { systemClock } from '../base/clock.ts';
import { createIds } from '../base/id.ts';
import { EngineError } from '../base/error.ts';
import { type MoveEndpoint, type MoveEndpointOptions, withFolder, withPostgres } from '../store/move/move-endpoint.ts';
import { type MoveProgress, type MoveResult, moveStore, reopenStore, tryMove } from '../store/move/move-store.ts';
import { withoutPassword } from '../store/postgres/database-url.ts';
import { openPg } from '../store/postgres/pool.ts';
import type { ProcessContext } from './process-context.ts';

type Context = Pick<ProcessContext, 'log'>;

/** Where a store is: a data folder, or a database. */
export interface StoreLocation {
  readonly kind: 'folder' | 'database';
  /** A path, or a URL. */
  readonly path: string;
}

/** Moves a store; continues an interrupted move. `USAGE` if there is no store at `from`; errors as `moveStore`. */
export function moveBetween(
  context: Context,
  { from, to, onProgress }: { from: StoreLocation; to: StoreLocation; onProgress: (progress: MoveProgress) => void },
): Promise<MoveResult> {
  const id = createIds(systemClock).next('move');
  return withEndpoint(context, from, { isDry: false, isNew: false }, (old) =>
    withEndpoint(context, to, { isDry: false, isNew: true }, (fresh) =>
      moveStore(old, fresh, { id, at: systemClock.now(), onProgress }),
    ),
  );
}

/** Rows by table that a move would copy; writes nothing. */
export function countMove(
  context: Context,
  { from, to }: { from: StoreLocation; to: StoreLocation },
): ReturnType<typeof tryMove> {
  const dry: MoveEndpointOptions = { isDry: true, isNew: false };
  return withEndpoint(context, from, dry, (old) => withLocation(context, to, dry, (fresh) => tryMove(old, fresh)));
}

/** Unlocks a location after a move, or after an interrupted one. False if it was not locked. */
export function reopenLocation(context: Context, location: StoreLocation): Promise<boolean> {
  return withEndpoint(context, location, { isDry: false, isNew: false }, reopenStore);
}

/** Name of a location in messages, without a password. */
export function locationName({ kind, path }: StoreLocation): string {
  return kind === 'folder' ? path : (withoutPassword(path) ?? 'the database');
}

/** As `withLocation`; `USAGE` if there is no store. */
function withEndpoint<T>(
  context: Context,
  location: StoreLocation,
  options: MoveEndpointOptions,
  work: (endpoint: MoveEndpoint) => Promise<T>,
): Promise<T> {
  return withLocation(context, location, options, (endpoint) => {
    if (endpoint !== undefined) return work(endpoint);
    throw new EngineError('USAGE', `no store in ${locationName(location)}`, {
      hint: 'name the source with --from or --data',
    });
  });
}

async function withLocation<T>(
  { log }: Context,
  location: StoreLocation,
  options: MoveEndpointOptions,
  work: (endpoint: MoveEndpoint | undefined) => Promise<T>,
): Promise<T> {
  if (location.kind === 'folder') return withFolder(location.path, options, work);
  const database = openPg(location.path, { log, clock: systemClock });
  try {
    return await withPostgres(database, locationName(location), options, work);
  } finally {
    await database.close();
  }
}
