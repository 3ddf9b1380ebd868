import { ASK_USER } from '../../tool/person.ts';
import type { PlanStep } from './plan-record.ts';
import type { ProposedPlan, ProposedStep } from './plan-output.ts';

/** What the rules need to know of a run. */
export interface PlanSituation {
  readonly maxSteps: number;
  /** Names of the tools that the steps can have. */
  readonly tools: ReadonlySet<string>;
  /** Of these: tools that look for information outside. */
  readonly research: ReadonlySet<string>;
  /** Of these: tools that need a day or a time of the user, who has written and named none. */
  readonly lackTime: ReadonlySet<string>;
}

/** Tools that show when the user is free, the best one first. */
const CALENDAR = ['calendar_free_slots', 'calendar_read'];

const CHECK_STEP = {
  title: 'Check the calendar',
  task: 'Find out when the user is free. Do not add anything to the calendar.',
};
const ASK_STEP = {
  title: 'Ask the user for the time',
  task: 'Ask the user which day and time it shall be, and name the free times that were found. Choose none yourself.',
};

/** The steps of a plan after the rules, and what they changed. */
export interface RuledPlan {
  readonly steps: readonly PlanStep[];
  /** Titles of the steps that go since the plan has too many. */
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The rules of plans (seed 003, planner), whatever the model has planned: no search outside unless the wish needs it; where a step
 * schedules something and the user has named no time, the calendar is checked and the user asked before it; at most `maxSteps`
 * steps. Where nobody can be asked, steps that need a time are skipped, and the answer says so.
 */
export function ruledPlan(plan: ProposedPlan, situation: PlanSituation): RuledPlan {
  const notes: string[] = [];
  const steps = timedSteps(withoutResearch(plan, situation, notes), situation, notes);
  const kept = withinLimit(steps, situation);
  const leftOut = steps.filter((step) => !kept.includes(step)).map(({ title }) => title);
  for (const title of leftOut) notes.push(`"${title}" was left out: a plan has at most ${situation.maxSteps} steps.`);
  return { steps: kept.map((step, index) => ({ ...step, number: index + 1 })), leftOut, notes };
}

/**
 * At most `maxSteps` steps: the last ones go, but those that schedule, check the calendar or ask the user stay as long as another can
 * go, where the user has named no time.
 */
function withinLimit(steps: readonly Unnumbered[], { maxSteps, lackTime }: PlanSituation): readonly Unnumbered[] {
  const scheduling = ({ tool = '' }: Unnumbered) => lackTime.has(tool);
  const last = steps.findLastIndex(scheduling);
  const isNeeded = (step: Unnumbered, at: number) =>
    at <= last && (scheduling(step) || step.tool === ASK_USER || CALENDAR.includes(step.tool ?? ''));
  const others = steps.filter((step, at) => !isNeeded(step, at));
  const dropped = new Set(others.slice(Math.max(0, others.length - Math.max(0, steps.length - maxSteps))));
  return steps.filter((step) => !dropped.has(step)).slice(0, maxSteps);
}

type Unnumbered = Omit<PlanStep, 'number'>;

function withoutResearch(
  { steps, needsOutside }: ProposedPlan,
  { research }: PlanSituation,
  notes: string[],
): readonly Unnumbered[] {
  const isLeftOut = ({ tool }: ProposedStep) => !needsOutside && tool !== undefined && research.has(tool);
  const left = steps.filter(isLeftOut);
  // A plan has a step: where the search was all of it, the model answers with what it knows.
  if (left.length === steps.length) return steps.map(({ title, task }) => planned({ title, task }));
  for (const { title } of left) notes.push(`"${title}" was left out: the wish needs no information from outside.`);
  return steps.filter((step) => !isLeftOut(step)).map(planned);
}

function timedSteps(
  steps: readonly Unnumbered[],
  { tools, lackTime }: PlanSituation,
  notes: string[],
): readonly Unnumbered[] {
  const isUntimed = ({ tool }: Unnumbered) => tool !== undefined && lackTime.has(tool);
  const first = steps.findIndex(isUntimed);
  if (first < 0) return steps;
  const before = steps.slice(0, first);
  const calendar = CALENDAR.find((name) => tools.has(name));
  const canAsk = tools.has(ASK_USER);
  const added: Unnumbered[] = [];
  if (calendar !== undefined && !before.some(({ tool }) => tool !== undefined && CALENDAR.includes(tool)))
    added.push(ruled({ ...CHECK_STEP, tool: calendar }));
  if (canAsk && !before.some(({ tool }) => tool === ASK_USER)) added.push(ruled({ ...ASK_STEP, tool: ASK_USER }));
  notes.push(
    canAsk
      ? 'The user has named no day or time: they are asked before anything is scheduled.'
      : 'The user has named no day or time, and cannot be asked in this run: nothing is scheduled, and the answer asks for the time.',
  );
  const rest = steps.slice(first);
  const timed = canAsk ? rest : rest.map((step) => (isUntimed(step) ? { ...step, status: 'skipped' as const } : step));
  return [...before, ...added, ...timed];
}

const fresh = { status: 'pending', tries: [] } as const;
const planned = (step: ProposedStep): Unnumbered => ({ ...step, plannedBy: 'planner', ...fresh });
const ruled = (step: ProposedStep): Unnumbered => ({ ...step, plannedBy: 'engine', ...fresh });
