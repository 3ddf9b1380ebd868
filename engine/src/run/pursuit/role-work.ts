import { usesVariable } from '../../config/prompt/render-prompt.ts';
import type { JsonSchema } from '../../model/model.ts';
import { INTAKE_SCHEMA, PLANNER_SCHEMA } from '../objective/action.ts';
import { changeObjective } from '../objective/objective-rows.ts';
import type { Objective } from '../objective/objective.ts';
import { startRole } from '../role/role.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { taintOf } from '../step/taint.ts';
import { intakePart } from './intake-part.ts';
import { agentOfRole, contextOf, directorOf, recordOf } from './objective-of.ts';
import { answeredCalls, toolLines } from './planner-tools.ts';
import { roleData } from './role-data.ts';
import { rolePrompt } from './role-prompt.ts';
import { threadMails, threadsText } from './thread-mails.ts';
import { unfetchedMails } from './wake-effect.ts';

/** A role of an objective. */
export type ObjectiveRole = 'intake' | 'planner' | 'writer';

const OUTPUT: Readonly<Record<ObjectiveRole, JsonSchema | undefined>> = {
  intake: INTAKE_SCHEMA,
  planner: PLANNER_SCHEMA,
  writer: undefined,
};

/** Starts a role on the state of the objective as it is now. */
export async function startObjectiveRole(
  step: Step,
  root: Machine,
  { role, number }: { readonly role: ObjectiveRole; readonly number: number },
): Promise<void> {
  const director = directorOf(step, root);
  const agentId = agentOfRole(director, role);
  const objective = await recordOf(step);
  const { text: threads, note } = await mailsFor(step, role, objective);
  const { threadId } = root.facts;
  const { agents, prompts } = step.runState.config;
  // A prompt that places the thread itself does not get it twice.
  const isPlaced = agentId !== undefined && usesVariable(agents.get(agentId)?.prompt, prompts, 'thread');
  const data = roleData(role, {
    ...{ objective, director, context: contextOf(root), now: step.now },
    ...{ threads: isPlaced ? undefined : threads, threadsNote: note },
    isUserQuerySafe: await isUserQuerySafe(step, threadId),
    tools: role === 'planner' ? toolLines(step, root) : [],
    calls: role === 'planner' ? answeredCalls(await step.runState.transcript(threadId)) : [],
    markOf: (key) => step.deps.store.lookupKey(`objective\0${root.id}\0${number}\0${key}`),
    refusal: objective.refusal ?? '',
  });
  const output = OUTPUT[role];
  await startRole(step, root, {
    ...{ name: role, number, system: rolePrompt(role), data, thread: threads },
    ...(agentId !== undefined && { agentId }),
    ...(threads !== '' && { taint: 'the mails of its threads' }),
    // The writer writes and does nothing else; the others look things up with the tools of their own files.
    tools: agentId === undefined || role === 'writer' ? 'none' : 'own',
    maxTurns: director.budget.maxIterations,
    ...(output !== undefined && { output }),
  });
}

/** The mails that a role reads. What intake reads is noted in the record, so that its end says what the summary has. */
async function mailsFor(step: Step, role: ObjectiveRole, objective: Objective) {
  const { store } = step.deps;
  const unfetched = unfetchedMails(step.runState);
  const mails = await threadMails(store, objective.threads, unfetched.mails);
  if (role !== 'intake') return { text: (await threadsText(mails)).text, note: '' };
  const { text, note, reading } = await intakePart(store, objective, mails, unfetched.skipped);
  await changeObjective(step, (before) => ({ ...before, reading }));
  return { text, note };
}

/** Whether a person wrote what the user wants: the message of the run, or a word of the user since. */
async function isUserQuerySafe(step: Step, threadId: string): Promise<boolean> {
  const { trigger, startedBy } = step.runState.record.run;
  const isByProgram = trigger.kind === 'message' && (trigger.by ?? startedBy) === 'mcp';
  return !isByProgram || (await taintOf(step, threadId)) === undefined;
}
