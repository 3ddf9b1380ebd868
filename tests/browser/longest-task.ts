import type { Page } from 'playwright-core';

/**
 * The longest time that a page is held while `act` runs and until it is idle, as a multiple of the time that a fixed piece of work
 * takes in the same page: about 20 ms on the machine that the limits are for. A machine that is slow is slow in both.
 */
export async function longestTask(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await act();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  const heldMs = await page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks));
  return heldMs / (await page.evaluate(reference));
}

/** Milliseconds of the fixed piece of work, the median of five tries. */
function reference(): number {
  const tries = Array.from({ length: 5 }, () => {
    const began = performance.now();
    let sum = 0;
    for (let i = 0; i < 20_000_000; i++) sum = (sum * 31 + i) | 0;
    return performance.now() - began + (sum === 1 ? 1 : 0);
  });
  return Math.max(5, tries.sort((a, b) => a - b)[2] ?? 0);
}
