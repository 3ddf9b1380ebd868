/**
 * The processor time, in milliseconds, of the longest turn of this thread's event loop while `work` runs. Waiting for a
 * processor or a disk does not count.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<{ longestMs: number; turns: number }> {
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
