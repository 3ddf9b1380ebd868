import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LocalMeters } from '../../engine/src/budget/local-meters.ts';
import type { Admitted, AdmissionRequest, LimitReached, Meters } from '../../engine/src/budget/meters.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';

const NOW = Date.parse('2026-11-22T12:00:10Z');
const wanted = (id: string): AdmissionRequest => ({
  ...{ root: id, machineId: id, request: '1.0', use: { tokens: 10, cost: 0 }, owners: [id], isRepeat: false },
  ...{ rates: [{ name: 'api main', limits: { requestsPerMinute: 2 } }], day: undefined },
});

let dir: string;
let store: Store;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-rates-'));
  store = openSqlite({ dir, synchronous: 'NORMAL' });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The commit of a step that has admitted a request. */
async function commit(meters: Meters, id: string, admitted: Admitted | LimitReached): Promise<void> {
  if (admitted.kind !== 'granted') throw new Error(`not admitted: ${admitted.limit}`);
  await store.apply([...admitted.changes, ...meters.rows(id)]);
}

test('after a restart every request counts, whichever of two steps was admitted first and written last', async () => {
  const meters = new LocalMeters(store);
  await meters.load(NOW);
  const slow = await meters.reserve(wanted('slow'), NOW);
  const fast = await meters.reserve(wanted('fast'), NOW);
  await commit(meters, 'fast', fast);
  await commit(meters, 'slow', slow);
  const next = new LocalMeters(store);
  await next.load(NOW + 1000);
  expect(await next.reserve(wanted('third'), NOW + 1000)).toMatchObject({ kind: 'later', limit: 'api main' });
});
