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
  /** Of a tool call: what decided about it. */
  readonly audit?: AuditPart;
}

/**
 * What the entry of a tool call says about the decision on it: the audit line without what the entry has anyway. Texts are
 * redacted and cut.
 */
export interface AuditPart {
  /** The thread of the caller: the session of an agent, or the thread of a director. */
  readonly sessionId: string;
  /** `''` where an agent works for a person. */
  readonly directorId: string;
  readonly agentId?: string;
  /** `system` or the id of a user. */
  readonly startedBy: string;
  /** What the tool does outside our own store. */
  readonly effects: 'none' | 'read' | 'write';
  /** What the call acts on, such as recipients or a path; null where it names nothing. */
  readonly target: string | null;
  /** Whether the guards, or a person, let the call happen. */
  readonly wasAllowed: boolean;
  /** The rule or the person that decided, in one sentence; absent where the error of the entry says it. */
  readonly why?: string;
  /** The approval by which a person decided. */
  readonly approvalId?: string;
  /** Milliseconds from the start of the call to its result; 0 for a call that was not allowed. */
  readonly executionTimeMs: number;
}
