import type { PlanRole } from '../../../machines/plan.ts';
import { needsNamedTime } from '../../guard/needs-time.ts';
import type { Director } from '../../config/config.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import { type RoleWork, startRole } from '../role/role.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { taintOf } from '../step/taint.ts';
import { guardContextOf } from '../turn/guard-context.ts';
import { readConversation } from '../turn/window.ts';
import { EVALUATION_SCHEMA, planSchema } from './plan-output.ts';
import { type Plan, type PlanStep, readPlan, storeStep } from './plan-record.ts';
import type { PlanSituation } from './plan-rules.ts';
import { evaluatorData, executorData, plannerData, type RoleMaterial, synthesisData } from './role-data.ts';
import { rolePrompt } from './role-prompt.ts';
import { MOST_CHARACTERS, summarise } from './plan-summary.ts';

/** A role as the machine asks for it. */
export interface PlanRoleStart {
  readonly role: PlanRole;
  readonly number: number;
  /** The step that it works on; 0 for the planner and the synthesis. */
  readonly step: number;
}

/** Starts a role on what it needs. A step that a rule has skipped is over at once, and so is a summary that is not due. */
export async function startPlanRole(
  step: Step,
  root: Machine,
  { role, number, step: at }: PlanRoleStart,
): Promise<void> {
  if (role === 'summary') return summarise(step, root, number);
  const plan = await readPlan(step.draft, root.id);
  const current = plan?.steps.find((one) => one.number === at);
  if (role === 'executor' && current?.status === 'skipped')
    return step.later(root.id, { type: 'STEP_DONE', at: step.now, verdict: 'hopeless' });
  const material = await materialOf(step, root, plan);
  const work = { name: role, number, ...(await workOf(step, root, role, material, current)) };
  if (role === 'executor' && current !== undefined) {
    await storeStep(step.draft, root.id, { ...current, status: 'running' });
    const tries = current.tries.length;
    const line = `step ${at}: ${current.title}${tries === 0 ? '' : ` (try ${tries + 1})`}`;
    note(step, 'step_start', { line, step: at, title: current.title, try: tries + 1 });
  }
  await startRole(step, root, work);
}

/** A line of the diagnostics about the plan. */
export function note(step: Step, action: string, detail: Readonly<Record<string, unknown>>, result?: unknown): void {
  step.entry({ phase: 'director', detail: { action, ...detail }, ...(result !== undefined && { result }) });
}

type Work = Omit<RoleWork, 'name' | 'number'>;

async function workOf(
  step: Step,
  root: Machine,
  role: Exclude<PlanRole, 'summary'>,
  material: RoleMaterial,
  current: PlanStep | undefined,
): Promise<Work> {
  const { plan: limits, budget, output } = directorOf(step, root);
  const tools = [...plannedTools(step, root).keys()];
  const system = rolePrompt(role, { maxSteps: limits.maxSteps, tools });
  const answers = { system, maxTurns: budget.maxIterations };
  switch (role) {
    case 'planner':
      return { ...answers, data: plannerData(material), tools: 'none', output: planSchema(limits.maxSteps, tools) };
    case 'executor':
      return {
        system,
        data: current === undefined ? '' : executorData(material, current),
        tools: await executorTools(step, root, material.plan, current),
        maxTurns: limits.maxRoundsPerStep,
      };
    case 'evaluator': {
      const last = current?.tries.at(-1);
      const data = current === undefined || last === undefined ? '' : evaluatorData(material, current, last);
      return { ...answers, data, tools: 'none', output: EVALUATION_SCHEMA };
    }
    case 'synthesis': {
      const format = output && { output: output.schema };
      return { ...answers, data: synthesisData(material), tools: 'none', isAnswer: true, ...format };
    }
    default:
      return role satisfies never;
  }
}

/** The director of a plan, with the newest limits of its run's revision. */
export function directorOf({ runState }: Step, { facts }: Machine): Director {
  const director = runState.config.directors.get(facts.directorId);
  if (director === undefined) throw new Error(`the run's config has no director "${facts.directorId}"`);
  return director;
}

async function materialOf(step: Step, root: Machine, plan: Plan | undefined): Promise<RoleMaterial> {
  const { runId } = root.facts;
  const { messages, text } = await readConversation(step, root, MOST_CHARACTERS);
  return {
    conversation: messages,
    summary: text,
    plan,
    memories: step.runState.recalled,
    markOf: (key) => step.deps.store.lookupKey(`plan\0${runId}\0${key}`),
  };
}

/** The tools that a step can have: those of the director, and its agents; not those that list tools. */
export function plannedTools(step: Step, root: Machine): ReadonlyMap<string, OfferedTool> {
  const { tools } = step.actors.resolve(step.runState, root.facts).toolset;
  return new Map([...tools].filter(([, tool]) => !('kind' in tool && tool.kind === 'discovery')));
}

/** Tools that look for information outside: `web_research`, and declared reads whose arguments leave the machine. */
function isResearch(tool: OfferedTool): boolean {
  if ('kind' in tool) return false;
  return tool.name === 'web_research' || (tool.effects === 'read' && tool.reach === 'outward');
}

/**
 * The tools of an executor: all of the director, less the search outside where the wish needs none, less the tools whose effect an
 * earlier try of the step has had already, and less those that schedule where the user has named no time: only a step that names
 * such a tool has it, since the calendar is checked and the user asked before it.
 */
async function executorTools(
  step: Step,
  root: Machine,
  plan: Plan | undefined,
  current: PlanStep | undefined,
): Promise<RoleWork['tools']> {
  const { tools: all } = step.actors.resolve(step.runState, root.facts).toolset;
  const { lackTime } = await situationOf(step, root);
  const done = new Set(current?.tries.flatMap(({ doneTools }) => doneTools));
  const isOpen = ([name, tool]: [string, OfferedTool]) =>
    !done.has(name) &&
    (!lackTime.has(name) || current?.tool === name) &&
    (plan?.needsOutside === true || !isResearch(tool));
  return [...all].filter(isOpen).map(([name]) => name);
}

/** What the rules of plans need to know of this run. */
export async function situationOf(step: Step, root: Machine): Promise<PlanSituation> {
  const tools = plannedTools(step, root);
  const names = [...tools.keys()];
  const actor = step.actors.resolve(step.runState, root.facts);
  const lackTime = await needsNamedTime(SCHEDULING, guardContextOf(step, root, actor));
  return {
    maxSteps: directorOf(step, root).plan.maxSteps,
    tools: new Set(names),
    research: new Set([...tools].filter(([, tool]) => isResearch(tool)).map(([name]) => name)),
    lackTime: new Set(names.filter((name) => lackTime.has(name))),
  };
}

/** Tools that put something at a time. */
const SCHEDULING = ['calendar_add', 'reminder_create'];

/** Whether the thread of a role has read words of strangers. */
export async function isTainted(step: Step, threadId: string): Promise<boolean> {
  return (await taintOf(step, threadId)) !== undefined;
}
