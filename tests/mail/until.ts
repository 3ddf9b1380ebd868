import { setTimeout as wait } from 'node:timers/promises';

/** Resolves as soon as `condition` holds; the test's own time limit ends it otherwise. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(10);
}
