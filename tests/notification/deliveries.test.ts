import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clock, SimulatedClock } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { Deliveries } from '../../engine/src/notification/deliveries.ts';
import type { Channel } from '../../engine/src/notification/notification.ts';
import { notificationChanges } from '../../engine/src/notification/notification-rows.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';

let dir: string;
let store: Store;
let clock: SimulatedClock;
let deliveries: Deliveries;
let delivered: string[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-deliveries-'));
  store = openSqlite({ dir, synchronous: 'NORMAL' });
  clock = new SimulatedClock();
  delivered = [];
});
afterEach(async () => {
  await deliveries.stop();
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

function open(given: Clock = clock): void {
  deliveries = new Deliveries({ store, clock: given, log: silentLogger }, async (channel, { id }) => {
    delivered.push(`${channel} ${id}`);
  });
}

async function add(id: string, channels: readonly Channel[] = ['webhook']): Promise<void> {
  const told = { kind: 'message', title: id, text: '' } as const;
  await store.apply(notificationChanges(told, { id, now: clock.now(), channels }));
}

test('a delivery whose row is damaged holds up neither its other channel nor others', async () => {
  await add('ntf_1', ['webhook', 'mail']);
  await add('ntf_2');
  const db = new DatabaseSync(join(dir, 'callsheet.db'));
  db.prepare(`UPDATE ledger SET body = '{"cut' WHERE machine = 'ntf_1' AND call = 'webhook'`).run();
  db.close();
  open();
  deliveries.start();
  await expect.poll(() => delivered).toEqual(['mail ntf_1', 'webhook ntf_2']);
  // It is not tried again with each of the others.
  await expect.poll(() => store.count('notification', [['delivery', '=', 'pending']])).toBe(0);
});

test('what is stored just when the deliveries go to sleep is delivered', async () => {
  await add('ntf_1');
  let isAsleep = false;
  const ends = Promise.withResolvers<void>();
  open({
    now: () => clock.now(),
    delay(fn, ms) {
      if (!isAsleep) {
        isAsleep = true;
        queueMicrotask(() => {
          deliveries.wake();
          ends.resolve();
        });
      }
      return clock.delay(fn, ms);
    },
  });
  deliveries.start();
  await ends.promise;
  await add('ntf_2');
  clock.advance(300_000);
  await expect.poll(() => delivered).toEqual(['webhook ntf_1', 'webhook ntf_2']);
});

test('a delivery is tried again in time although the clock was set back since it failed', async () => {
  let isDown = true;
  const tries: number[] = [];
  deliveries = new Deliveries({ store, clock, log: silentLogger }, async () => {
    tries.push(clock.now());
    if (isDown) throw new EngineError('NOTIFY_FAILED', 'the webhook is down', { retryable: true });
  });
  await add('ntf_1');
  clock.set(10 * 86_400_000);
  deliveries.start();
  await expect
    .poll(() => store.list('ledger'))
    .toMatchObject([{ body: expect.stringContaining('"attempts":1') as string }]);
  clock.set(-10 * 86_400_000);
  isDown = false;
  deliveries.wake();
  await expect.poll(() => store.list('ledger')).toMatchObject([{ state: 'done' }]);
  expect(tries).toHaveLength(2);
});
