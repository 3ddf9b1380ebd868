import type { Clock } from '../base/clock.ts';
import type { IdSource } from '../base/id.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Snapshot } from '../config/config.ts';
import type { Models } from '../model/model.ts';
import type { Change, Store } from '../store/store.ts';
import type { ArgumentChecker } from '../tool/arguments.ts';
import type { Tool } from '../tool/tool.ts';
import type { LiveBus } from '../trace/live-bus.ts';
import type { Metrics } from '../trace/metrics.ts';
import type { Telemetry } from '../trace/otel.ts';
import type { Meters } from '../budget/meters.ts';
import type { MachineModes } from './machine-mode.ts';
import type { Queue } from '../cluster/queue/queue.ts';

/** The config as runs need it: the newest, and any that a run is pinned to. */
export interface ConfigSource {
  current(): Snapshot;
  /** `NOT_FOUND` where the revision is not kept. */
  revision(id: string): Promise<Snapshot>;
  /** Changes that keep a revision for as long as runs refer to it; none where it is kept already. */
  keep(revision: string, now: number): Promise<Change[]>;
  gitCommit(): string | undefined;
}

/** What runs need of the other processes on the same store. */
export interface ClusterDependencies {
  /** Id of this process. */
  readonly worker: string;
  readonly queue: Queue;
  /** Tells all processes but this one that a run was stepped by somebody who does not hold it. */
  readonly tellStepped: (runId: string) => void;
  /** Calls `onStepped` for what other processes tell so, and `onGap` when some of it may have been missed. */
  readonly hearStepped: (onStepped: (runId: string) => void, onGap: () => void) => () => void;
  /** Whether a process still shows signs of life; unknown until it was watched for a while. */
  readonly livenessOf: (worker: string) => Promise<'alive' | 'dead' | 'unknown'>;
}

/** What the run room is built from; `main` joins them. */
export interface Dependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly live: LiveBus;
  readonly config: ConfigSource;
  readonly models: Models;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly checker: ArgumentChecker;
  readonly modes: MachineModes;
  /** Set where several processes share the store. */
  readonly shared?: ClusterDependencies;
  /** What counts requests and budgets; where it is missing, one for a process that has the store to itself. */
  readonly meters?: Meters;
  /** Makes spans of what is committed, where somebody has brought an SDK for them. */
  readonly telemetry?: Telemetry;
  /** Counts what is committed, where somebody may ask for it. */
  readonly metrics?: Metrics;
  /** Called at the narrow places of a step, so that a test can end the process there. */
  readonly probe?: (point: 'before-commit' | 'after-commit' | 'after-effect') => void;
}
