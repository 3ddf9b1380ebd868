import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { Change, Reader } from '../../store/store.ts';
import type { LedgerBody } from '../ledger.ts';
import { PRIORITY, wake } from '../lease.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { withAnswer, withSilent } from './silent.ts';
import { changeObjective, linkThread, readObjective } from './objective-rows.ts';
import {
  isOpenObjective,
  type Objective,
  type ObjectiveOrder,
  type OpenDraft,
  type WakeEvent,
  type WakeNote,
  withLine,
} from './objective.ts';

/** Name of the ledger rows by which nothing wakes an objective twice. No call of a model has such an id. */
const ONCE = 'wake:';

/**
 * The changes that wake an objective exactly once, whatever it does at that moment, whichever process works on it, and also after a
 * restart: a timer that is due now, and a row that makes a second wake with the same key fail with `STORE_CONFLICT`. To be committed
 * together with what wakes it. `now` in epoch milliseconds.
 */
export function wakeChanges(id: string, key: string, note: WakeNote, now: number): Change[] {
  const call = callOf(key);
  const done: LedgerBody = { callId: '', tool: 'wake', arguments: {} };
  const event: Omit<WakeEvent, 'at'> = { type: 'WAKE', why: note.why, note };
  return [
    { op: 'insert', table: 'ledger', row: { machine: id, call, state: 'done', body: JSON.stringify(done) } },
    timer(id, call, event, now),
    wake(id, 0, PRIORITY.begun),
  ];
}

/** Whether `wakeChanges` with this key were committed for an objective before. */
export async function hasWoken(reader: Reader, id: string, key: string): Promise<boolean> {
  return (await reader.get('ledger', { machine: id, call: callOf(key) })) !== undefined;
}

/** The changes by which the label of a thread pauses or resumes an objective; the last one before the next step counts. */
export function orderChanges(id: string, order: Omit<ObjectiveOrder, 'at'>, now: number): Change[] {
  return [timer(id, 'order', order, now), wake(id, 0, PRIORITY.begun)];
}

function callOf(key: string): string {
  return `${ONCE}${sha256(key).slice(0, 32)}`;
}

function timer(id: string, name: string, event: object, due: number): Change {
  return { op: 'put', table: 'timer', row: { machine: id, name, root: id, due, body: JSON.stringify(event) } };
}

/** Wakes the objective of the step's run now; for words and answers that a person sends. `NOT_FOUND`, `RUN_NOT_ACTIVE`. */
export async function wakeNow(step: Step, note: WakeNote): Promise<void> {
  const { id } = step.runState.record.run;
  expectOpen(await readObjective(step.draft, id), id);
  await step.send(id, { type: 'WAKE', at: step.now, why: note.why, note });
}

/** Pauses, resumes or finishes the objective of the step's run, as a person asks. `NOT_FOUND`, `RUN_NOT_ACTIVE`. */
export async function orderNow(step: Step, order: Omit<ObjectiveOrder, 'at'>): Promise<void> {
  const { id } = step.runState.record.run;
  expectOpen(await readObjective(step.draft, id), id);
  await step.send(id, { ...order, at: step.now });
}

/** Throws `NOT_FOUND` where a run has no objective, and `RUN_NOT_ACTIVE` where it is over. */
function expectOpen(objective: Objective | undefined, id: string): void {
  if (objective === undefined) throw new EngineError('NOT_FOUND', `there is no objective "${id}"`);
  if (isOpenObjective(objective)) return;
  throw new EngineError('RUN_NOT_ACTIVE', `objective "${id}" is ${objective.status} already`);
}

/**
 * Handler of the machine's action `noteWake`: keeps the note for the next decision and writes the line of the story. A reply, and any
 * word of the user but the answer after an outage, ends the wait for a follow-up; a draft that was sent or deleted lies in Drafts no more. The thread that it was sent
 * on is linked: the provider may have begun a new one, which then takes the place of the Message-ID of the draft.
 */
export async function noteWake(step: Step, _machine: Machine, { note }: { readonly note: WakeNote }): Promise<void> {
  const { id, outage } = step.runState.record.run;
  const sent = (await readObjective(step.draft, id))?.draft ?? null;
  await changeObjective(step, (objective) => {
    // Nothing has happened: it goes on with what it has not looked at yet.
    if (note.why === 'again') return withLine(objective, step.now, { kind: 'order', text: lineOf(note) });
    const { nextAt } = objective.followUp;
    // The user was only asked since no model answered: the follow-up that was due then still is.
    const goesOn = note.why === 'answer' && outage !== undefined && nextAt !== null && Date.parse(nextAt) <= step.now;
    const isFollowUpOver = note.why !== 'date' && note.why !== 'label' && !goesOn;
    const hasLeft = note.why === 'sent' && objective.draft?.isFollowUp === true;
    const isDraftOver = note.why === 'sent' || note.why === 'draftDeleted';
    const { accountId, threadId, ref } = note;
    const isKnown = note.why === 'sent' && accountId !== undefined && ref !== undefined;
    const noted: Objective = {
      ...objective,
      unread: [...objective.unread, note],
      followUp: {
        ...objective.followUp,
        ...(isFollowUpOver && { nextAt: null }),
        ...(hasLeft && { sent: objective.followUp.sent + 1 }),
      },
      ...(isDraftOver && { draft: null }),
      ...(isKnown && { lastSent: { accountId, threadId: threadId ?? '', ref, to: objective.draft?.to ?? [] } }),
    };
    const told = withLine(noted, step.now, { kind: 'wake', text: lineOf(note) });
    if (note.why === 'sent') return withSilent(told, objective.draft?.to ?? [], threadId ?? '');
    return note.why === 'reply' ? withAnswer(told, { threadId, from: note.from }) : told;
  });
  const { why, accountId, threadId } = note;
  if (why === 'sent' && accountId !== undefined && threadId !== undefined)
    await linkThread(step, { accountId, threadId }, provisionalThread(sent, accountId));
}

/** The Message-ID that stands for the thread of a draft, where the mailbox had no name for the thread that it begins. */
export function provisionalThread(draft: OpenDraft | null, accountId: string): string | undefined {
  const isOwn = draft?.beginsThread === true && draft.accountId === accountId && draft.threadId === draft.messageId;
  return isOwn ? draft.messageId : undefined;
}

/** Takes what woke the objective out of the record, for a decision. Oldest first. */
export async function consumeWakes(step: Step): Promise<readonly WakeNote[]> {
  let unread: readonly WakeNote[] = [];
  await changeObjective(step, (objective) => {
    unread = objective.unread;
    return unread.length === 0 ? objective : { ...objective, unread: [] };
  });
  return unread;
}

/** Most characters of a text in one line of the story. */
const MAX_TEXT = 300;

/** What a wake adds to the story. */
function lineOf({ why, text = '', from, by = 'a person' }: WakeNote): string {
  const said = cut(text);
  switch (why) {
    case 'reply':
      return `A reply${from === undefined ? '' : ` of ${from}`} arrived${said === '' ? '' : `: ${said}`}`;
    case 'words':
      return `The user said: ${said}`;
    case 'answer':
      return `The user answered: ${said}`;
    case 'sent':
      return said === '' ? 'The user sent the draft' : `The user changed the draft and sent it: ${said}`;
    case 'draftDeleted':
      return 'The user deleted the draft without sending it';
    case 'label':
      return 'The label was put on the thread again';
    case 'date':
      return 'The time came that the objective waited for';
    case 'again':
      return `Goes on after the outage of its models, as ordered by ${by}; the question was withdrawn`;
    default:
      return why satisfies never;
  }
}

function cut(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return folded.length > MAX_TEXT ? `${folded.slice(0, MAX_TEXT - 1)}…` : folded;
}
