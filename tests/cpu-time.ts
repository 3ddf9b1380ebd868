/**
 * The processor time of this thread, in milliseconds, that `work` takes: the least of some `tries`, since the garbage of earlier
 * tests may be collected in one of them. Waiting for a processor does not count.
 */
export function cpuMsOf(work: () => unknown, tries = 1): number {
  const times = Array.from({ length: tries }, () => {
    const before = process.threadCpuUsage();
    work();
    return msSince(before);
  });
  return Math.min(...times);
}

/** As `cpuMsOf`, for one try of work that waits. */
export async function cpuMsOfAsync(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  return msSince(before);
}

/** The least time that work is compared with. */
const LEAST_MS = 10;

/** Two sizes of one work. */
export interface Sizes {
  readonly small: number;
  readonly large: number;
}

/**
 * How many times as much processor time `work` takes for `large` as for `small`. Linear work gives the ratio of the sizes, quadratic
 * work its square, on every machine. The least of some tries each; less than `LEAST_MS` counts as that, since the garbage of other
 * tests, of which the large work collects more, would outweigh it.
 */
export function growthOf(work: (size: number) => unknown, { small, large }: Sizes): number {
  const base = Math.max(
    LEAST_MS,
    cpuMsOf(() => work(small), 3),
  );
  let growth = Infinity;
  for (let n = 0; n < 3 && growth > (2 * large) / small; n++)
    growth = Math.min(growth, cpuMsOf(() => work(large)) / base);
  return growth;
}

/** As `growthOf`, for work that waits. */
export async function growthOfAsync(
  work: (size: number) => Promise<unknown>,
  { small, large }: Sizes,
): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 2; n++) times.push(await cpuMsOfAsync(() => work(small)));
  const base = Math.max(LEAST_MS, Math.min(...times));
  let growth = Infinity;
  for (let n = 0; n < 3 && growth > (2 * large) / small; n++)
    growth = Math.min(growth, (await cpuMsOfAsync(() => work(large))) / base);
  return growth;
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
