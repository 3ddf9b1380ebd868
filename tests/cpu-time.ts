/**
 * The processor time of this thread, in milliseconds, that `work` takes: the least of some `tries`, since the garbage of earlier
 * tests may be collected in one of them. Waiting for a processor does not count.
 */
export function cpuMsOf(work: () => unknown, tries = 1): number {
  const times = Array.from({ length: tries }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
