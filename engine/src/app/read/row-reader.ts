import { existsSync } from 'node:fs';
import { namesIn } from '../../api/auth/users.ts';
import { readAround } from '../../api/http/reading.ts';
import { type RowAnswer, ROW_ROUTES } from '../../api/routes/row-routes.ts';
import { EngineError } from '../../base/error.ts';
import { openMemorySqlite } from '../../store/sqlite/sqlite-store.ts';
import { openLocalStore, type StoreHandle } from '../local-store.ts';
import type { ProcessContext } from '../process-context.ts';

/** What the routes of `ROW_ROUTES` answer, read from the store of the data folder. */
export interface RowReader {
  /** The answer of a path such as `/api/runs?limit=5`, by the code of its route. `BAD_REQUEST`. */
  get(path: string): Promise<object>;
  /** Whether there is a data folder. Without one, each list is empty. */
  readonly hasFolder: boolean;
  close(): Promise<void>;
}

/**
 * Opens the store of the data folder, and nothing else: neither the config nor a port. A folder that is not there is not made: its name may
 * be mistyped. `DATA_LOCKED` if another process uses the data folder; `STORE_*`.
 */
export async function openRowReader(context: ProcessContext): Promise<RowReader> {
  const hasFolder = existsSync(context.dataDir);
  const { store, close } = hasFolder ? await openLocalStore(context) : withoutFolder();
  return {
    hasFolder,
    close,
    async get(path) {
      const [route = '', query] = path.split('?');
      const { load, params } = routeOf(route);
      const answerOf = await load();
      const { answer, damaged } = await readAround({ store, log: context.log, path: route }, (readable) =>
        answerOf(
          { store: readable, users: namesIn(readable) },
          { params, query: Object.fromEntries(new URLSearchParams(query)) },
        ),
      );
      return { ...answer, ...(damaged.length > 0 && { damaged }) };
    },
  };
}

function withoutFolder(): Pick<StoreHandle, 'store' | 'close'> {
  const store = openMemorySqlite();
  return { store, close: () => store.close() };
}

/** The route of a path, and the values of its parameters. */
function routeOf(path: string): { load: () => Promise<RowAnswer>; params: Record<string, string> } {
  const parts = path.split('/');
  for (const [route, load] of Object.entries(ROW_ROUTES)) {
    const wanted = route.split('/');
    if (wanted.length !== parts.length || !wanted.every((part, n) => part === parts[n] || part.startsWith(':')))
      continue;
    const given = wanted.flatMap((part, n) =>
      part.startsWith(':') ? [[part.slice(1), decodeURIComponent(parts[n] ?? '')]] : [],
    );
    return { load, params: Object.fromEntries(given) };
  }
  throw new EngineError('INTERNAL', `${path} is not answered from rows alone`);
}
