/** The loop that the gate guards: the engine with a real store, as `peer-driver.ts` opens it. `gate.ts` starts this process. */
import { create } from '../peer-driver.ts';
import { serveOrders, task } from './task.ts';

const [baseURL = '', dir = ''] = process.argv.slice(2);
const { run } = await create({ baseURL, dir, common: task });
serveOrders(run);
