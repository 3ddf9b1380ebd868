import type { Finding } from '../problem.ts';

/** A broken link. */
export interface BrokenLink {
  /** Name of the target: `agents/reply`. */
  readonly to: string;
  /** True if the target does not exist; false if it is disabled or does not fit the link. */
  readonly isMissing: boolean;
  readonly finding: Finding;
}
