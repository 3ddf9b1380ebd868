import type { RoleResult } from '../role/role.ts';
import { roleId } from '../role/role.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { type Evaluation, proposedPlan } from './plan-output.ts';
import { insertPlan, type PlanStep, readStep, type StepStatus, type StepTry, storeStep } from './plan-record.ts';
import { ruledPlan } from './plan-rules.ts';
import { directorOf, isTainted, note, situationOf } from './plan-work.ts';
import { keepPlanSummary, shorten } from './plan-summary.ts';
import { storePreferences } from './preferences.ts';
import { doneWrites, stepEnd } from './step-end.ts';
import { quickVerdict } from './verdict.ts';

/**
 * Errors of an executor or an evaluator that concern the step alone. Any other error, such as a model that cannot be reached or a
 * spent budget, would meet each step, so it ends the run: the run can be repeated.
 */
const OF_THE_STEP: ReadonlySet<string> = new Set([
  'LIMIT_STEPS',
  'OUTPUT_INVALID',
  'MODEL_BAD_ANSWER',
  'MODEL_REFUSED',
]);

/** Receives the end of a role, stores what came of it, and sends the plan its own event. */
export async function planRoleDone(step: Step, root: Machine, result: RoleResult): Promise<void> {
  const { name, status, failure } = result;
  if (status === 'cancelled') return;
  if (name === 'summary') return keepPlanSummary(step, root, result);
  if (name === 'planner' && failure !== undefined && (await shorten(step, root, failure))) return;
  const isOfStep = (name === 'executor' || name === 'evaluator') && OF_THE_STEP.has(failure?.code ?? '');
  if (failure !== undefined && !isOfStep) return step.send(root.id, { type: 'FAIL', at: step.now, failure });
  const { step: at } = root.snapshot.context as { readonly step: number };
  if (name === 'planner') return takePlan(step, root, result);
  if (name === 'executor') return takeStep(step, root, at, result);
  if (name === 'evaluator') return takeEvaluation(step, root, at, result);
  return step.send(root.id, { type: 'SYNTHESISED', at: step.now });
}

async function takePlan(step: Step, root: Machine, { output }: RoleResult): Promise<void> {
  const proposed = proposedPlan(output);
  const { language, needsOutside, wantsSeveralFiles, preferences } = proposed;
  const { steps, notes, leftOut } = ruledPlan(proposed, await situationOf(step, root));
  await insertPlan(step.draft, root.id, { language, needsOutside, wantsSeveralFiles, notes, leftOut, steps });
  const shown = steps.map(({ number, title, tool, plannedBy }) => ({ number, title, tool, plannedBy }));
  const line = `plan of ${steps.length} steps: ${steps.map(({ number, title }) => `${number}. ${title}`).join('  ')}`;
  note(step, 'plan_made', { line, steps: steps.length, needsOutside, notes }, shown);
  root.facts = { ...root.facts, keptFiles: wantsSeveralFiles ? 'all' : 'newest' };
  await storePreferences(step, root, preferences);
  const { maxRetriesPerStep: maxRetries } = directorOf(step, root).plan;
  return step.send(root.id, { type: 'PLANNED', at: step.now, steps: steps.length, maxRetries });
}

/** Stores a try of a step with what the fast paths say; where they say nothing, the evaluator is asked. */
async function takeStep(step: Step, root: Machine, at: number, result: RoleResult): Promise<void> {
  const current = await readStep(step.draft, root.id, at);
  const machine = await step.machine(roleId(root, result));
  if (current === undefined || machine === undefined) return;
  const { threadId, from } = machine.facts;
  const end = stepEnd(result, (await step.runState.transcript(threadId)).slice(from));
  const { verdict, reason } = quickVerdict(end);
  // An agent has tools that the director may lack.
  const all = step.deps.tools.of(step.runState.config, step.runState.toolLists);
  const made: StepTry = {
    ...{ threadId, output: end.output, reason },
    isTainted: await isTainted(step, threadId),
    ...doneWrites(result.toolCalls, (name) => all.get(name)),
    verdict: verdict === 'unclear' ? 'unchecked' : verdict,
  };
  const isOver = verdict !== 'unclear';
  await store(step, root, { ...current, tries: [...current.tries, made] }, isOver);
  return step.send(root.id, { type: 'STEP_DONE', at: step.now, verdict });
}

/** An evaluator that gives no valid answer leaves the step unchecked, and the plan goes on. */
async function takeEvaluation(step: Step, root: Machine, at: number, { output }: RoleResult): Promise<void> {
  const current = await readStep(step.draft, root.id, at);
  const last = current?.tries.at(-1);
  if (current === undefined || last === undefined) return;
  const { passed, reason } = (output ?? { passed: true, reason: 'nobody could evaluate it' }) as Evaluation;
  const verdict = passed ? ('passed' as const) : ('failed' as const);
  const judged = { ...last, reason, verdict: output === undefined ? ('unchecked' as const) : verdict };
  await store(step, root, { ...current, tries: [...current.tries.slice(0, -1), judged] }, true);
  return step.send(root.id, { type: 'EVALUATED', at: step.now, verdict });
}

/** Stores a step. `isOver`: its newest try is judged; a step that failed for now stays `failed` until its next try begins. */
async function store(step: Step, root: Machine, changed: PlanStep, isOver: boolean): Promise<void> {
  const last = changed.tries.at(-1);
  if (!isOver || last === undefined) return storeStep(step.draft, root.id, { ...changed, status: 'running' });
  const status: StepStatus = last.verdict === 'hopeless' ? 'failed' : last.verdict;
  await storeStep(step.draft, root.id, { ...changed, status });
  const { number, title, tries } = changed;
  const line = `step ${number} ${status}: ${last.reason}`;
  note(step, 'step_end', { line, step: number, title, try: tries.length, status, reason: last.reason }, last.output);
}
