/** The rows that `list` gives, once there are some; waits for up to ten seconds. */
export async function soon<T>(list: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (const began = Date.now(); Date.now() - began < 10_000;) {
    const rows = await list();
    if (rows.length > 0) return rows;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('there was none');
}
