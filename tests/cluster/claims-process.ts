import { SimulatedClock, systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createClaims } from '../../engine/src/cluster/claims.ts';
import { openPg } from '../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../engine/src/store/postgres/postgres-store.ts';
import { openSignals } from '../../engine/src/cluster/signals.ts';

// A process to be frozen or killed: wants a claim, and says on a line of its own what becomes of it.
const [url = '', name = '', worker = '', isTold = ''] = process.argv.slice(2);
// One that is told of changes does not look by itself.
const clock = isTold === '' ? systemClock : new SimulatedClock(Date.now());
const say = (line: string) => process.stdout.write(`${line}\n`);
const database = openPg(url);
const store = await openPostgres({ database });
const signals = await openSignals({ database, clock: systemClock, log: silentLogger, origin: worker });
const about = { host: 'host', pid: process.pid, version: '1' };
const claims = createClaims({ store, clock, log: silentLogger, worker, about, signals });
claims.acquire(name, { onTaken: () => say('taken'), onLost: () => say('lost') });
void claims.refresh().then(() => say('looked'));
// Asked as often as work would ask: what it says after a freeze is said before any timer could correct it.
let wasHeld = false;
setInterval(() => {
  const isHeld = claims.isHeld(name);
  if (isHeld !== wasHeld) say(isHeld ? 'held' : 'not held');
  wasHeld = isHeld;
}, 5);
process.on('SIGTERM', async () => {
  await claims.close();
  await signals.close();
  await store.close();
  await database.close();
  process.exit(0);
});
