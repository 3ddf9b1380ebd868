import type { Clock } from '../base/clock.ts';
import type { IdSource } from '../base/id.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Snapshot } from '../config/config.ts';
import type { MailService } from '../mail/send/mail-service.ts';
import type { MemoryService } from '../memory/open-memory.ts';
import type { Recogniser } from '../guard/privacy/recogniser.ts';
import type { Models } from '../model/model.ts';
import type { Change, Store } from '../store/store.ts';
import type { ArgumentChecker } from '../tool/arguments.ts';
import type { RunTools } from '../tool/run-tools.ts';
import type { LiveBus } from '../trace/live-bus.ts';
import type { Metrics } from '../trace/metrics.ts';
import type { Telemetry } from '../trace/otel.ts';
import type { Meters } from '../budget/meters.ts';
import type { CliTurns } from './cli-work.ts';
import type { MachineModes } from './machine-mode.ts';
import type { Queue } from '../cluster/queue/queue.ts';

/** Config snapshots for runs: the newest one, and any revision that a run is pinned to. */
export interface ConfigSource {
  current(): Snapshot;
  /** The snapshot of a revision. `NOT_FOUND` where the store no longer has it. */
  revision(id: string): Promise<Snapshot>;
  /** Changes that store a revision for as long as runs refer to it; none where it is stored already. */
  keep(revision: string, now: number): Promise<Change[]>;
  gitCommit(): string | undefined;
}

/** Connections to the other processes that share the store. */
export interface ClusterDependencies {
  /** Id of this process. */
  readonly worker: string;
  readonly queue: Queue;
  /** Whether others can see that this process lives. While they cannot, they may take its runs over, and it begins nothing. */
  readonly isAlive: () => boolean;
  /** Notifies all other processes that a process without the lease has stepped a run. */
  readonly notifyStepped: (runId: string) => void;
  /**
   * Calls `listener` for each such notification of another process, and `onGap` when notifications may have been lost.
   * Returns a function that unsubscribes.
   */
  readonly onStepped: (listener: (runId: string) => void, onGap: () => void) => () => void;
  /** Whether a process shows signs of life; `unknown` until this process has watched it for a while. */
  readonly livenessOf: (worker: string) => Promise<'alive' | 'dead' | 'unknown'>;
}

/** Everything that runs need; built in `app`. */
export interface Dependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly live: LiveBus;
  readonly config: ConfigSource;
  readonly models: Models;
  readonly tools: RunTools;
  readonly memory: () => MemoryService;
  /** Accounts, for work of the engine itself, such as reading the threads of an objective. Models use tools. */
  readonly mailService: () => MailService;
  readonly checker: ArgumentChecker;
  /** Finds private data in what models would see. */
  readonly recogniser: Recogniser;
  readonly modes: MachineModes;
  /** Lets command-line agents work in folders; without it they answer with text alone. */
  readonly cliTurns?: CliTurns;
  /** Only where several processes share the store. */
  readonly shared?: ClusterDependencies;
  /** Counts requests and budgets. Default: counters for a process that has the store to itself. */
  readonly meters?: Meters;
  /** Makes OpenTelemetry spans of committed changes; only where an SDK is installed. */
  readonly telemetry?: Telemetry;
  /** Counts committed steps; only where metrics are served. */
  readonly metrics?: Metrics;
  /**
   * For tests: called before and after each commit and after each effect, so that a test can kill the process there.
   */
  readonly probe?: (point: 'before-commit' | 'after-commit' | 'after-effect') => void;
}
