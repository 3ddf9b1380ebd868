/** Processor times of turns of the event loop, in milliseconds. */
export interface Turns {
  /** Of the longest turn. */
  readonly longestMs: number;
  /** Of all turns together. */
  readonly totalMs: number;
  readonly turns: number;
}

/**
 * The processor time, in milliseconds, of the turns of this thread's event loop while `work` runs: the longest one is the least of
 * some `tries` until one `isGood`, since the garbage of earlier tests may be collected in one of them. Waiting for a processor or a disk does not
 * count.
 */
export async function longestTurn(
  work: () => Promise<unknown>,
  tries = 1,
  isGood: (turns: Turns) => boolean = () => true,
): Promise<Turns> {
  let best = await onceLongestTurn(work);
  for (let n = 1; n < tries && !isGood(best); n++) {
    const next = await onceLongestTurn(work);
    if (next.longestMs < best.longestMs) best = next;
  }
  return best;
}

async function onceLongestTurn(work: () => Promise<unknown>): Promise<Turns> {
  let turns = 0;
  let isOver = false;
  let longestMs = 0;
  let totalMs = 0;
  let before = process.threadCpuUsage();
  const count = () => {
    turns++;
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    totalMs += (user + system) / 1000;
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  await new Promise(setImmediate);
  return { longestMs, totalMs, turns };
}
