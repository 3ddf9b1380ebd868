import { nextTry, PATIENCE_MS } from '../next-try.ts';

/** The rows that `list` gives, once there are some. */
export async function soon<T>(list: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (let tries = 0, began = Date.now(); Date.now() - began < PATIENCE_MS; tries++) {
    const rows = await list();
    if (rows.length > 0) return rows;
    await nextTry(tries);
  }
  throw new Error('there was none');
}
