import { namesIn } from '../../api/auth/users.ts';
import type { Page } from '../../api/http/paging.ts';
import { readAround } from '../../api/http/reading.ts';
import { type ListedRun, listRuns } from '../../api/routes/run/list-runs.ts';
import { openLocalStore } from '../local-store.ts';
import type { ProcessContext } from '../process-context.ts';

/**
 * What `GET /api/runs` answers, read from the store of the data folder by the code of that route. Nothing else is opened: neither the
 * config nor a port. `DATA_LOCKED` if another process uses the data folder; `STORE_*`; `BAD_REQUEST`.
 */
export async function readRuns(context: ProcessContext, query: URLSearchParams): Promise<Page<ListedRun>> {
  const { store, close } = await openLocalStore(context);
  try {
    const { answer, damaged } = await readAround({ store, log: context.log, path: '/api/runs' }, (readable) =>
      listRuns({ store: readable, users: namesIn(readable) }, { query: Object.fromEntries(query) }),
    );
    return { ...answer, ...(damaged.length > 0 && { damaged }) };
  } finally {
    await close();
  }
}
