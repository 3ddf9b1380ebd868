import type { ErrorBody } from '../base/error.ts';

/**
 * A line of the diagnostics log as the API returns it (seed 000, 3.2.0c). `agent` is `''` if no agent is involved;
 * `detail.tool` is the real tool name, `detail.request` its arguments.
 */
export interface OrchestrationEntry {
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly runId: string;
  readonly director: string;
  readonly directorName: string;
  readonly agent: string;
  readonly agentName: string;
  readonly emailSummary: string;
  readonly phase: Phase;
  readonly fetchCycleId: string;
  readonly dirThreadId: string;
  readonly agentThreadId: string;
  readonly detail: EntryDetail;
  readonly result?: unknown;
  readonly error?: ErrorBody;
}

/** Part of a run that an entry belongs to. */
export type Phase = 'director' | 'agent' | 'tool' | 'result';

/** Details of an entry; further keys depend on `action`. */
export interface EntryDetail {
  readonly action?: string;
  readonly tool?: string;
  readonly request?: unknown;
  /** The entry as one line for people, such as a step of a plan. Default: its action and its tool. */
  readonly line?: string;
  /** The agent thread that this entry opens or writes to; links the agent's subtree to this entry. */
  readonly sessionId?: string;
  readonly [key: string]: unknown;
}

/** Fields that differ between the entries of one run; the shared ones are in the run (`EntryScope`). */
export interface EntryBody {
  readonly phase: Phase;
  readonly agent?: { readonly id: string; readonly name: string; readonly threadId: string };
  readonly detail: EntryDetail;
  readonly result?: unknown;
  readonly error?: ErrorBody;
}
