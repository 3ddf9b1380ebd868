import { DateTime } from 'luxon';
import { isoTime } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { machineZone } from '../../base/time-zone.ts';
import { type PlannedAction, readAction } from '../objective/action.ts';
import { changeObjective } from '../objective/objective-rows.ts';
import { type Objective, withLine } from '../objective/objective.ts';
import { addressOf } from '../objective/silent.ts';
import { consumeWakes } from '../objective/wake.ts';
import type { Machine } from '../step/machine.ts';
import type { SentEvent, Step } from '../step/step.ts';
import { askUserFor } from './ask.ts';
import { followUpDue, followUpOpening, spokenTime } from './follow-up-time.ts';
import { contextOf, directorOf, recordOf } from './objective-of.ts';
import { type AnsweredMail, mailToAnswer, storedMails } from './thread-mails.ts';
import { recipientBusyUntil } from './recipient-cap.ts';

/** Takes the decision of the planner: what the rules do not permit goes back to it, with the reason. */
export async function decide(step: Step, root: Machine, output: unknown): Promise<void> {
  const objective = await recordOf(step);
  const action = readAction(output);
  if (contextOf(root).unread > 0) {
    await line(step, 'The decision of the planner was set aside, since something came meanwhile');
    return step.later(root.id, { type: 'DECIDED', at: step.now, action: 'refused' });
  }
  const refusal = action === undefined ? 'it names no action' : await whyNot(step, root, objective, action);
  if (action === undefined || refusal !== undefined) return refuse(step, root, refusal ?? '');
  await consumeWakes(step);
  await carryOut(step, root, objective, action);
}

async function refuse(step: Step, root: Machine, refusal: string): Promise<void> {
  await changeObjective(step, (objective) => ({ ...objective, refusal }));
  step.entry({ phase: 'director', detail: { action: 'decision_refused', reason: refusal } });
  step.later(root.id, { type: 'DECIDED', at: step.now, action: 'refused' });
}

/** Why the rules do not permit a decision; undefined where they do. */
async function whyNot(
  step: Step,
  root: Machine,
  objective: Objective,
  action: PlannedAction,
): Promise<string | undefined> {
  const { why, followUps, life } = contextOf(root);
  const hasWords = isAskedFor(objective);
  const isLastFollowUp = followUps >= directorOf(step, root).objective.followUp.max;
  switch (action.action) {
    case 'draft': {
      if (why === 'draftDeleted' && !hasWords)
        return 'the user deleted the draft, so none is made unasked: ask the user';
      if (objective.draft !== null && !hasWords) return 'a draft lies in Drafts already, and the user has not sent it';
      const follows = await isFollowUp(step, objective, action, why);
      if (follows && isLastFollowUp) return 'no more follow-ups may leave: ask the user, finish or give up';
      if ((action.to?.length ?? 0) > 0) return action.subject === undefined ? 'a new mail needs a subject' : undefined;
      return (await answered(step, objective, follows)) === undefined
        ? 'there is no mail to answer: give to and subject'
        : undefined;
    }
    case 'waitForReply':
      return why === 'date' && isLastFollowUp && objective.followUp.nextAt !== null
        ? 'nobody has answered, and no more follow-ups may leave: ask the user, finish or give up'
        : undefined;
    case 'waitUntil': {
      const until = timeOf(step, action.until);
      if (until === undefined) return 'until is no date or time in ISO 8601';
      if (until <= step.now) return 'until is in the past';
      return life !== null && until >= life.endsAt
        ? 'until is after the end of this objective (objective.maxDays)'
        : undefined;
    }
    case 'askUser':
      return action.question === undefined ? 'askUser needs a question' : undefined;
    case 'callTool':
      if (action.tool === undefined) return 'callTool needs the name of a tool';
      if (action.tool === 'mail_draft' || action.tool === 'mail_send') return 'mails are written by the action draft';
      return isRecord(parsed(action.arguments ?? '{}')) ? undefined : 'arguments is no JSON object';
    case 'finish':
    case 'giveUp':
      return undefined;
    default:
      return action.action satisfies never;
  }
}

/** Whether the user has said something that no decision has looked at yet. */
function isAskedFor({ unread }: Objective): boolean {
  return unread.some(({ why }) => why === 'words' || why === 'answer');
}

/**
 * A mail on the thread after a wait in which nobody has answered, at its end or later: a pause or an outage may have come between. So is a
 * new mail to somebody who got one of the objective and has not answered since, unless the user has just said something.
 */
async function isFollowUp(step: Step, objective: Objective, { to = [] }: PlannedAction, why: string): Promise<boolean> {
  const { followUp, silent = [] } = objective;
  const isOver = followUp.nextAt !== null && (why === 'date' || Date.parse(followUp.nextAt) <= step.now);
  if (to.length === 0) return isOver;
  if (!isOver && isAskedFor(objective)) return false;
  const onThread = isOver ? ((await answered(step, objective, true))?.to ?? []) : [];
  const awaited = new Set([...onThread.map(addressOf), ...silent.map(({ address }) => address)]);
  return to.some((recipient) => awaited.has(addressOf(recipient)));
}

/**
 * The mail that a draft answers: the newest fetched one of somebody else. A follow-up goes to those who got the last mail that left, and
 * to nobody else: it answers a fetched mail of that thread where that goes to them too, else the mail itself.
 */
export async function answered(
  { deps }: Step,
  { threads, lastSent }: Objective,
  follows: boolean,
): Promise<AnsweredMail | undefined> {
  const find = async (thread: Pick<Objective['threads'][number], 'accountId' | 'threadId'>) =>
    answerTo(mailToAnswer(await storedMails(deps.store, thread)));
  if (follows && lastSent !== undefined) {
    const { accountId, threadId, ref, to } = lastSent;
    const found = threadId === '' ? undefined : await find({ accountId, threadId });
    const got = new Set(to.map((address) => address.toLowerCase()));
    const isTheirs = found !== undefined && found.to.every((address) => got.has(address.toLowerCase()));
    return isTheirs ? found : { named: { accountId, ref }, threadId, to };
  }
  for (const thread of threads.toReversed()) {
    const found = await find(thread);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whom a follow-up goes to. */
async function followed(step: Step, objective: Objective, { to = [] }: PlannedAction) {
  return to.length > 0 ? { to: to.map(addressOf) } : answered(step, objective, true);
}

function answerTo(mail: ReturnType<typeof mailToAnswer>): AnsweredMail | undefined {
  if (mail === undefined) return undefined;
  const { id, threadId, own, to, replyTo, from } = mail;
  const addresses = own ? to : replyTo.length > 0 ? replyTo : from;
  return { named: { emailId: id }, threadId, to: addresses.map(({ address }) => address) };
}

async function carryOut(step: Step, root: Machine, objective: Objective, planned: PlannedAction): Promise<void> {
  const { why } = contextOf(root);
  const director = directorOf(step, root);
  const { settings } = step.runState.config;
  const follows = planned.action === 'draft' && (await isFollowUp(step, objective, planned, why));
  const opens = follows ? followUpOpening(step.now, director, settings) : step.now;
  const isOpen = opens <= step.now;
  const busyUntil =
    follows && isOpen ? await recipientBusyUntil(step, root, await followed(step, objective, planned)) : undefined;
  const decided = (event: Omit<SentEvent, 'type'>) => step.later(root.id, { ...event, type: 'DECIDED', at: step.now });
  await keep(step, planned, follows);
  if (!isOpen) {
    await waitFor(step, opens, 'The follow-up waits for the working hours');
    return decided({ action: 'waitForReply', until: opens });
  }
  if (busyUntil !== undefined) {
    await waitFor(step, busyUntil, 'The follow-up waits, since its recipient got one today');
    return decided({ action: 'waitForReply', until: busyUntil });
  }
  switch (planned.action) {
    case 'waitForReply': {
      const known = objective.followUp.nextAt === null ? 0 : Date.parse(objective.followUp.nextAt);
      const until = known > step.now ? known : followUpDue(step.now, director, settings);
      await waitFor(step, until, `Waits for a reply (${planned.reason})`);
      return decided({ action: 'waitForReply', until });
    }
    case 'waitUntil': {
      const until = timeOf(step, planned.until) ?? step.now;
      await line(step, `Waits until ${spokenTime(until, settings)}: ${planned.reason}`);
      return decided({ action: 'waitUntil', until });
    }
    case 'askUser':
      await askUserFor(step, root, planned.question ?? planned.reason);
      return decided({ action: 'askUser' });
    case 'finish':
    case 'giveUp': {
      const result = planned.result ?? planned.reason;
      await act(step);
      await step.append(root.facts.threadId, { role: 'assistant', content: result });
      if (planned.action === 'finish') return decided({ action: 'finish' });
      return decided({ action: 'giveUp', failure: { code: 'OBJECTIVE_GIVEN_UP', message: result } });
    }
    case 'draft':
      await act(step, follows ? `Writes a follow-up: ${planned.reason}` : `Writes a draft: ${planned.reason}`);
      return decided({ action: 'draft', isFollowUp: follows });
    case 'callTool':
      await act(step, `Calls ${planned.tool ?? ''}: ${planned.reason}`);
      return decided({ action: 'callTool' });
    default:
      return planned.action satisfies never;
  }
}

/** Stores a decision with what later parts of the wake need of it. */
async function keep(step: Step, planned: PlannedAction, isFollowUpMail: boolean): Promise<void> {
  await changeObjective(step, ({ refusal: _refusal, ...objective }) => ({
    ...objective,
    action: { ...planned, ...(isFollowUpMail && { isFollowUp: true }) },
  }));
}

/** Notes until when a reply is awaited. */
export async function waitFor(step: Step, until: number, text: string): Promise<void> {
  await changeObjective(step, (objective) => ({
    ...withLine(objective, step.now, {
      kind: 'action',
      text: `${text}, until ${spokenTime(until, step.runState.config.settings)}`,
    }),
    followUp: { ...objective.followUp, nextAt: isoTime(until) },
  }));
}

/** Adds a line to the story. */
export async function line(step: Step, text: string): Promise<void> {
  await changeObjective(step, (objective) => withLine(objective, step.now, { kind: 'action', text }));
}

/** Notes an action that begins now, or the end; `text` is its line in the story. */
async function act(step: Step, text?: string): Promise<void> {
  if (text !== undefined) await line(step, text);
  await changeObjective(step, (objective) => ({ ...objective, lastActionTime: isoTime(step.now) }));
}

/** A date or time in ISO 8601; without an offset it is one of the user's time zone. */
function timeOf(step: Step, text = ''): number | undefined {
  const zone = step.runState.config.settings.calendar.timeZone ?? machineZone();
  const time = DateTime.fromISO(text, { zone });
  if (!time.isValid) return undefined;
  const { start } = step.runState.config.settings.calendar.workingHours;
  const [hour = 9, minute = 0] = start.split(':').map(Number);
  return (text.includes('T') ? time : time.set({ hour, minute })).toMillis();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
