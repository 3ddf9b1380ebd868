import type { ConfigSource } from '../dependencies.ts';
import type { MachineModes } from '../machine-mode.ts';
import type { Store } from '../../store/store.ts';
import type { RunTools } from '../../tool/run-tools.ts';

/** Work that is not over, and what becomes of it under a config and this version of Callsheet. */
export interface InFlight {
  readonly kind: 'run' | 'session' | 'objective';
  readonly id: string;
  /** The director, or the agent that works for a person: `director boss`. */
  readonly actor: string;
  /** Status of the run or the objective; of a session, `ongoing`. */
  readonly status: string;
  /** `changes`: it goes on, but not as it began. `refused`: it cannot go on, or takes no more messages. */
  readonly fate: 'same' | 'changes' | 'refused';
  /** Code of the error where it is refused. */
  readonly code?: string;
  /** One sentence each. */
  readonly reasons: readonly string[];
}

/** What the check reads; it changes nothing. */
export interface InFlightSources {
  readonly store: Store;
  /** The config to check against, and the stored revisions of the runs. */
  readonly config: Pick<ConfigSource, 'current' | 'revision'>;
  readonly tools: Pick<RunTools, 'of' | 'load'>;
  readonly modes: MachineModes;
  /** Epoch milliseconds. */
  readonly now: number;
}
