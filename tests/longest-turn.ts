/** What no turn may take; a try below it is good enough. */
const TOO_LONG_MS = 50;

interface Turns {
  readonly longestMs: number;
  readonly turns: number;
}

/**
 * The processor time, in milliseconds, of the longest turn of this thread's event loop while `work` runs: the least of some
 * `tries`, since the garbage of earlier tests may be collected in one of them. Waiting for a processor or a disk does not
 * count.
 */
export async function longestTurn(work: () => Promise<unknown>, tries = 1): Promise<Turns> {
  let best = await onceLongestTurn(work);
  for (let n = 1; n < tries && best.longestMs > TOO_LONG_MS; n++) {
    const next = await onceLongestTurn(work);
    if (next.longestMs < best.longestMs) best = next;
  }
  return best;
}

async function onceLongestTurn(work: () => Promise<unknown>): Promise<Turns> {
  let turns = 0;
  let isOver = false;
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const count = () => {
    turns++;
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  await new Promise(setImmediate);
  return { longestMs, turns };
}
