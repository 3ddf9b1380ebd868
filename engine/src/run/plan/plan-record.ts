import type { Draft } from '../../store/draft.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Reader } from '../../store/store.ts';

/** What became of a step. `unchecked`: it has a result that nobody could evaluate. `skipped`: nobody worked on it. */
export type StepStatus = 'pending' | 'running' | 'passed' | 'failed' | 'unchecked' | 'skipped';

/** One try of a step. */
export interface StepTry {
  /** Id of the thread in which the executor worked. */
  readonly threadId: string;
  /** What the executor says about the step, or the results of its last tools where it used up its rounds. */
  readonly output: string;
  /** True where the executor has read words of strangers: models get the output in an envelope. */
  readonly isTainted: boolean;
  /** The writes to the world that are done, one line each. */
  readonly done: readonly string[];
  /** Names of the tools of those writes. */
  readonly doneTools: readonly string[];
  readonly verdict: 'passed' | 'failed' | 'hopeless' | 'unchecked';
  /** Why, in one sentence. */
  readonly reason: string;
}

/** A step of a plan, and what came of it. */
export interface PlanStep {
  /** From 1. */
  readonly number: number;
  readonly title: string;
  /** What has to be done. */
  readonly task: string;
  /** The tool that the planner expects; absent for a step without one. */
  readonly tool?: string;
  /** `engine` for a step that a rule put in. */
  readonly plannedBy: 'planner' | 'engine';
  readonly status: StepStatus;
  readonly tries: readonly StepTry[];
}

/** What the planner found out about the wish as a whole. */
export interface PlanHead {
  /** Language of the user: an ISO 639-1 code. */
  readonly language: string;
  /** The wish needs information from outside: then steps may search the web. */
  readonly needsOutside: boolean;
  /** The user asked for more than one mail, event or document: then each is an item of its own. */
  readonly wantsSeveralFiles: boolean;
  /** What the rules of the engine changed in the plan, one sentence each. */
  readonly notes: readonly string[];
  /** Titles of steps for which the plan had no room; nobody works on them. Absent in plans of earlier versions. */
  readonly leftOut?: readonly string[];
}

/** A plan as the API shows it. */
export interface Plan extends PlanHead {
  readonly steps: readonly PlanStep[];
}

/** The plan of a run; undefined before there is one. */
export async function readPlan(reader: Reader, runId: string): Promise<Plan | undefined> {
  const rows = await reader.list('planStep', { where: [['run', '=', runId]], order: [['seq', 'asc']] });
  const [head, ...steps] = rows;
  if (head === undefined) return undefined;
  return { ...bodyOf<PlanHead>('planStep', head), steps: steps.map((row) => bodyOf<PlanStep>('planStep', row)) };
}

/** One step of a run's plan. */
export async function readStep(reader: Reader, runId: string, number: number): Promise<PlanStep | undefined> {
  const row = await reader.get('planStep', { run: runId, seq: number });
  return row === undefined ? undefined : bodyOf<PlanStep>('planStep', row);
}

/** Stores a plan: its head as row 0, and a row for each step. */
export async function insertPlan(draft: Draft, runId: string, { steps, ...head }: Plan): Promise<void> {
  const bodies = [head, ...steps].map((body) => JSON.stringify(body));
  for (const [seq, body] of bodies.entries())
    await draft.add({ op: 'insert', table: 'planStep', row: { run: runId, seq, body } });
}

/** Stores a step as it is now. */
export async function storeStep(draft: Draft, runId: string, step: PlanStep): Promise<void> {
  const set = { body: JSON.stringify(step) };
  await draft.add({ op: 'update', table: 'planStep', key: { run: runId, seq: step.number }, set });
}
