import type { RoleResult } from '../role/role.ts';
import { roleId } from '../role/role.ts';
import { outputOf } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { checkAnswer, checkJson } from '../turn/check-answer.ts';
import { type Plan, readPlan } from './plan-record.ts';

/** The turn of the answer: a plan gives one. */
export const ANSWER_TURN = 1;

/**
 * Checks what the synthesis claims, and stores the answer in the conversation. Steps that failed or were skipped, and what was made
 * more than once, are named, whatever the model wrote: in a message of their own where the answer is JSON. Where the calendar is read first, the check ends with its
 * result (`settleHeld`).
 */
export async function answerUser(step: Step, root: Machine, number: number): Promise<void> {
  const synthesis: Pick<RoleResult, 'name' | 'number'> = { name: 'synthesis', number };
  const machine = await step.machine(roleId(root, synthesis));
  const messages = machine === undefined ? [] : await step.runState.transcript(machine.facts.threadId);
  const text = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const plan = await readPlan(step.draft, root.id);
  const remarks = [repeatedWrites(plan), failures(plan)].filter((part) => part !== '').join('\n\n');
  const { threadId } = root.facts;
  if (outputOf(step.runState, root.facts) !== undefined) {
    if (remarks !== '') await step.append(threadId, { role: 'assistant', content: remarks });
    await step.append(threadId, await checkJson(step, root, { role: 'assistant', content: text }));
  } else {
    const content = [text, remarks].filter((part) => part !== '').join('\n\n');
    const checked = await checkAnswer(step, root, ANSWER_TURN, { message: { role: 'assistant', content } });
    if (checked === undefined) return;
    await step.append(threadId, checked);
  }
  step.later(root.id, { type: 'MODEL_ANSWERED', at: step.now });
}

/** Headings of what the engine adds to an answer, by the language of the user. */
const HEADINGS: Readonly<Record<string, { readonly made: string; readonly notDone: string }>> = {
  en: { made: 'Made in all:', notDone: 'Not done:' },
  de: { made: 'Insgesamt angelegt:', notDone: 'Nicht erledigt:' },
  fr: { made: 'Créé en tout :', notDone: 'Non fait :' },
  es: { made: 'Creado en total:', notDone: 'Sin hacer:' },
};
const ENGLISH = { made: 'Made in all:', notDone: 'Not done:' };

const headingsOf = (plan: Plan) => HEADINGS[plan.language] ?? ENGLISH;
const listed = (heading: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `${heading}\n${lines.map((line) => `- ${line}`).join('\n')}`;

/**
 * Drafts, events and reminders of which a plan has made several although one was wanted: the workspace shows the newest alone, and the
 * others lie in the mailbox or the calendar. `''` where there are none.
 */
function repeatedWrites(plan: Plan | undefined): string {
  if (plan === undefined || plan.wantsSeveralFiles) return '';
  const done = plan.steps.flatMap(({ tries }) => tries.flatMap((made) => made.done));
  const byTool = Map.groupBy(done, (line) => line.split(' ', 1)[0] ?? '');
  return listed(headingsOf(plan).made, [...byTool.values()].filter((lines) => lines.length > 1).flat());
}

/** The steps without a result, also those that were left out of the plan, each with the reason; `''` where there are none. */
function failures(plan: Plan | undefined): string {
  if (plan === undefined) return '';
  const lines = plan.steps.flatMap(({ title, status, tries }) => {
    if (status === 'skipped') return [`${title}: skipped`];
    return status === 'failed' ? [`${title}: ${tries.at(-1)?.reason ?? 'failed'}`] : [];
  });
  const leftOut = (plan.leftOut ?? []).map((title) => `${title}: left out, the plan had no room for it`);
  return listed(headingsOf(plan).notDone, [...lines, ...leftOut]);
}
