import type { OwnAct } from '../../../machines/objective-events.ts';
import { isoTime } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { ToolCall } from '../../model/model.ts';
import type { PlannedAction } from '../objective/action.ts';
import { changeObjective, linkThread } from '../objective/objective-rows.ts';
import { type Objective, withLine } from '../objective/objective.ts';
import { withSilent } from '../objective/silent.ts';
import { provisionalThread } from '../objective/wake.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { receiveCalls } from '../turn/tool-calls.ts';
import { answered } from './decide.ts';
import { followUpDue } from './follow-up-time.ts';
import { contextOf, directorOf, recordOf } from './objective-of.ts';

/** An act of the objective and its number, which names its tool call. */
interface Act {
  readonly act: OwnAct;
  readonly number: number;
}

/**
 * Makes the tool call of an act through the guards, with a ledger row and a key of its own, so that it happens once. The call stands in
 * the conversation, where a person who is asked about it finds it.
 */
export async function makeCall(step: Step, root: Machine, { act, number }: Act): Promise<void> {
  const objective = await recordOf(step);
  const toolCall = await callOf(step, objective, act);
  await step.append(root.facts.threadId, { role: 'assistant', content: null, tool_calls: [toolCall] });
  const calls = await receiveCalls(step, root, number, [toolCall]);
  step.later(root.id, { type: 'CALLED', at: step.now, calls });
}

async function callOf(step: Step, objective: Objective, act: OwnAct): Promise<ToolCall> {
  const { action } = objective;
  const call = (name: string, args: object | string): ToolCall => ({
    id: act,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  });
  if (act === 'tool') return call(action?.tool ?? '', action?.arguments ?? '{}');
  const letter = await letterOf(step, objective, action);
  const { draft } = objective;
  if (act === 'draft') return call('mail_draft', letter);
  return call('mail_send', { ...letter, ...(draft !== null && { draft: draft.messageId }) });
}

/** The arguments of a mail: a new one, or an answer on the newest linked thread. */
async function letterOf(step: Step, objective: Objective, action: PlannedAction | undefined): Promise<object> {
  const { to = [], subject, body = '' } = action ?? {};
  const account = objective.threads.at(-1)?.accountId;
  if (to.length > 0) return { to, subject, text: body, ...(account !== undefined && { accountId: account }) };
  const mail = await answered(step, objective, action?.isFollowUp === true);
  return { ...mail?.named, text: body };
}

/** Reads the answer of the act's call from the conversation, and tells the machine what follows. */
export async function readOutcome(step: Step, root: Machine, { act }: Act): Promise<void> {
  const messages = await step.runState.transcript(root.facts.threadId);
  const content = messages.findLast((message) => message.role === 'tool')?.content ?? '';
  const result = resultOf(content);
  if (act === 'tool') {
    await note(step, result.error === undefined ? 'The tool answered' : `The tool call failed: ${result.error}`);
    return acted(step, root, { result: 'done' });
  }
  if (result.error !== undefined) {
    await note(step, `${act === 'draft' ? 'The draft was not made' : 'The mail was not sent'}: ${result.error}`);
    await changeObjective(step, (objective) => ({ ...objective, refusal: result.error ?? '' }));
    // A draft that nobody wants sent from here still lies in Drafts.
    return acted(step, root, { result: act === 'send' ? 'draft' : 'done' });
  }
  return act === 'draft' ? drafted(step, root, result.value) : sent(step, root, result.value);
}

function acted(step: Step, root: Machine, event: { readonly result: string; readonly until?: number }): void {
  step.later(root.id, { type: 'ACTED', at: step.now, ...event });
}

/** The draft lies in Drafts. A thread that it begins is linked. */
async function drafted(step: Step, root: Machine, value: Readonly<Record<string, unknown>>): Promise<void> {
  const objective = await recordOf(step);
  const { action } = objective;
  const draft = isRecord(value['draft']) ? value['draft'] : {};
  const messageId = String(draft['messageId'] ?? '');
  const accountId = String(value['accountId'] ?? '');
  const mail = (action?.to?.length ?? 0) > 0 ? undefined : await answered(step, objective, action?.isFollowUp === true);
  const threadId = mail?.threadId ?? newThreadOf(value, messageId);
  const to = mail?.to ?? action?.to ?? [];
  const isFollowUp = action?.isFollowUp === true;
  await changeObjective(step, (before) => ({
    ...withLine(before, step.now, {
      kind: 'action',
      text: `A draft${to.length > 0 ? ` to ${to.join(', ')}` : ''} lies in Drafts${before.draft === null ? '' : ', in place of the one before'}`,
    }),
    ...(before.draft !== null && { withdrawn: [...(before.withdrawn ?? []), before.draft] }),
    lastActionTime: isoTime(step.now),
    draft: {
      ...{ accountId, threadId, messageId, ref: String(draft['ref'] ?? ''), to, isFollowUp },
      ...(mail === undefined && { beginsThread: true }),
      ...(action?.body !== undefined && { text: action.body }),
      at: isoTime(step.now),
    },
  }));
  if (mail === undefined) await linkThread(step, { accountId, threadId });
  const { sendDrafts } = directorOf(step, root).objective;
  const { notSendable } = value;
  if (sendDrafts !== 'never' && typeof notSendable === 'string')
    await note(step, `The mail was not sent: ${notSendable}`);
  acted(step, root, { result: sendDrafts === 'never' || notSendable !== undefined ? 'draft' : 'send' });
}

/** The mail has left. */
async function sent(step: Step, root: Machine, value: Readonly<Record<string, unknown>>): Promise<void> {
  const until = followUpDue(step.now, directorOf(step, root), step.runState.config.settings);
  const followUps = contextOf(root).followUps + (contextOf(root).isFollowUp ? 1 : 0);
  await changeObjective(step, (before) => ({
    ...withLine(before, step.now, {
      kind: 'action',
      text: `The mail was sent${before.draft === null ? '' : ` to ${before.draft.to.join(', ')}`}`,
    }),
    lastActionTime: isoTime(step.now),
    draft: null,
    ...(before.draft !== null && { withdrawn: [...(before.withdrawn ?? []), before.draft] }),
    followUp: { ...before.followUp, sent: followUps, nextAt: isoTime(until) },
  }));
  const { ref } = value;
  const accountId = String(value['accountId'] ?? '');
  const messageId = typeof value['messageId'] === 'string' ? value['messageId'] : '';
  const isNew = ((await recordOf(step)).action?.to?.length ?? 0) > 0;
  const begun = newThreadOf(value, messageId);
  if (typeof ref === 'string' && accountId !== '')
    await changeObjective(step, (before) => {
      const { threadId = '', to = [] } = before.withdrawn?.at(-1) ?? {};
      return {
        ...withSilent(before, to, isNew ? begun : threadId),
        lastSent: { accountId, threadId: isNew ? begun : threadId, ref, to },
      };
    });
  const was = (await recordOf(step)).withdrawn?.at(-1) ?? null;
  if (isNew && messageId !== '')
    await linkThread(step, { accountId, threadId: begun }, provisionalThread(was, accountId));
  acted(step, root, { result: 'sent', until });
}

/** The thread that a new mail began: as the mailbox names it, else its Message-ID. */
function newThreadOf({ threadId }: Readonly<Record<string, unknown>>, messageId: string): string {
  return typeof threadId === 'string' ? threadId : messageId;
}

function note(step: Step, text: string) {
  return changeObjective(step, (objective) => ({
    ...withLine(objective, step.now, { kind: 'action', text }),
    lastActionTime: isoTime(step.now),
  }));
}

/** What a tool message says: a value, or the message of an error. */
function resultOf(content: string): { readonly value: Readonly<Record<string, unknown>>; readonly error?: string } {
  try {
    const parsed: unknown = JSON.parse(content);
    const value = isRecord(parsed) ? parsed : {};
    const shown = isRecord(value['result']) && 'argumentsChangedTo' in value ? value['result'] : value;
    const { error } = shown;
    return { value: shown, ...(isRecord(error) && { error: String(error['message'] ?? 'it failed') }) };
  } catch {
    return { value: {} };
  }
}
