import { isoTime } from '../../base/clock.ts';
import { type Intake, readIntake } from '../objective/action.ts';
import { isOutage } from '../lifecycle/outage.ts';
import { changeObjective } from '../objective/objective-rows.ts';
import { type Objective, withLine } from '../objective/objective.ts';
import type { RoleResult } from '../role/role.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { agreedWish } from './agreement.ts';
import { askUserFor } from './ask.ts';
import { decide } from './decide.ts';
import { contextOf, recordOf } from './objective-of.ts';
import { cutSummary } from './summary-length.ts';

/** Whether an error is over with the wake: a limit, or a model that did not answer or not as it should. Then the user is asked. */
const mayPass = (code: string) => /^(?:LIMIT|MODEL)_|^OUTPUT_INVALID$/.test(code);

/** Takes the end of a role of an objective: stores its result and tells the machine what follows. */
export async function objectiveRoleDone(step: Step, root: Machine, result: RoleResult): Promise<void> {
  const { name, number, status, failure } = result;
  // A role that was dropped, since something came meanwhile or a person paused the objective.
  if (status === 'cancelled' || number !== contextOf(root).roles) return;
  if (status === 'failed') return fail(step, root, failure ?? { code: 'INTERNAL', message: `the ${name} failed` });
  if (name === 'intake') return understand(step, root, result);
  if (name === 'planner') return decide(step, root, result.output);
  return keepText(step, root, result.text);
}

/** An error that may pass asks the user whether to go on; any other one ends the objective. An outage of the models is noted with the run. */
export async function fail(step: Step, root: Machine, failure: { readonly code: string; readonly message: string }) {
  const { code, message } = failure;
  const { redactor } = step.deps;
  if (isOutage(code)) step.patchRun({ outage: { code, message: redactor.text(message), at: isoTime(step.now) } });
  const type = mayPass(code) ? 'ROLE_LIMITED' : 'FAIL';
  step.later(root.id, { type, at: step.now, failure: { code, message } });
}

/** Stores what intake has understood. Where nobody has said what the user wants, intake proposes it and the user is asked. */
async function understand(step: Step, root: Machine, { output }: RoleResult): Promise<void> {
  const read = readIntake(output);
  const before = await recordOf(step);
  const { maxSummary = Infinity } = before.reading ?? {};
  const isTooLong = read.summary.length > maxSummary;
  if (isTooLong && before.tooLong === undefined) {
    const { length } = read.summary;
    await changeObjective(step, (objective) => ({ ...objective, tooLong: length }));
    step.entry({ phase: 'director', detail: { action: 'summary_too_long', characters: length, most: maxSummary } });
    return step.later(root.id, { type: 'UNDERSTOOD', at: step.now, isAsked: false, isMore: true });
  }
  const intake = isTooLong ? { ...read, summary: cutSummary(read.summary, maxSummary) } : read;
  if (isTooLong) {
    const text = `The summary of intake was cut to ${maxSummary} characters, since it was too long for its mails`;
    await changeObjective(step, (objective) => withLine(objective, step.now, { kind: 'intake', text }));
  }
  const left = before.reading?.left ?? 0;
  if (left > 0) {
    const text = `Intake has read a part of a long thread; ${left} newer mails are left`;
    await changeObjective(step, (objective) =>
      withSummary(withLine(objective, step.now, { kind: 'intake', text }), intake),
    );
    return step.later(root.id, { type: 'UNDERSTOOD', at: step.now, isAsked: false, isMore: true });
  }
  const said = before.unread.findLast(({ why }) => why === 'answer' || why === 'words')?.text;
  const wish = before.userQuery !== '' ? before.userQuery : wishOf(before, intake, said);
  const proposal = wish === '' ? (intake.userQuery ?? before.proposal ?? 'reach what this thread is about') : undefined;
  await changeObjective(step, ({ proposal: _old, ...objective }) => ({
    ...withSummary(withLine(objective, step.now, { kind: 'intake', text: lineOf(before, wish, proposal) }), intake),
    userQuery: wish,
    ...(proposal !== undefined && { proposal }),
  }));
  if (proposal !== undefined && contextOf(root).unread === 0)
    await askUserFor(step, root, `What do you want to reach here? My proposal: ${proposal}`);
  step.later(root.id, { type: 'UNDERSTOOD', at: step.now, isAsked: proposal !== undefined, isMore: false });
}

/** Most ids of mails that the record keeps; those of the newest. */
const MAX_READ_MAILS = 1000;

/** The objective with the summary of intake, which now has the mails that intake was reading. */
function withSummary(
  { reading, tooLong: _tooLong, ...before }: Objective,
  { summary, constraints }: Intake,
): Objective {
  const readMails = [...new Set([...(before.readMails ?? []), ...(reading?.ids ?? [])])].slice(-MAX_READ_MAILS);
  const notRead = [before.notRead ?? '', reading?.notRead ?? ''].filter((sentence) => sentence !== '').join(' ');
  if (notRead === '') return { ...before, summary, constraints, readMails };
  // Intake may have copied the sentence from the summary of before.
  const said = before.notRead === undefined ? summary : summary.replaceAll(before.notRead, '').trim();
  return { ...before, summary: `${said}\n${notRead}`, constraints, readMails, notRead };
}

/** What the user wants, in the user's own words: the answer, or the proposal that the answer agrees to. */
function wishOf({ proposal }: Objective, { isAgreed }: { readonly isAgreed?: boolean }, said: string | undefined) {
  if (said === undefined) return '';
  return isAgreed === true && proposal !== undefined ? agreedWish(proposal, said) : said;
}

function lineOf({ summary }: Objective, wish: string, proposal: string | undefined): string {
  if (proposal !== undefined) return `Intake read the thread and proposes: ${proposal}`;
  return summary === null ? `Intake read the thread. The user wants: ${wish}` : 'Intake brought the summary up to date';
}

/** The text of the writer is stored before anything reaches the mailbox. */
async function keepText(step: Step, root: Machine, text: string): Promise<void> {
  await changeObjective(step, (objective) =>
    objective.action === undefined
      ? objective
      : { ...objective, action: { ...objective.action, body: text.trim() }, lastActionTime: isoTime(step.now) },
  );
  step.later(root.id, { type: 'WRITTEN', at: step.now });
}
