import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { redactValue } from '../../base/redact.ts';
import { threadKey } from '../../mail/mail-store.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Change, Reader, Row, Store } from '../../store/store.ts';
import type { Step } from '../step/step.ts';
import { type LinkedThread, type NewObjective, newObjective, type Objective, OPEN_OBJECTIVES } from './objective.ts';

type Thread = Pick<LinkedThread, 'accountId' | 'threadId'>;

/** The changes that store a new objective and link its threads. To be committed together with its run. `now` in epoch milliseconds. */
export function insertObjective(store: Store, from: NewObjective, now: number): Change[] {
  const objective = newObjective(from, now);
  return [
    { op: 'insert', table: 'objective', row: rowOf(objective) },
    ...objective.threads.map((thread) => threadLink(store, objective.id, thread, now)),
  ];
}

/** The objective of a run, or undefined. `STORE_DAMAGED` where its row cannot be read. */
export async function readObjective(reader: Reader, id: string): Promise<Objective | undefined> {
  const row = await reader.get('objective', { id });
  return row === undefined ? undefined : objectiveOf(row);
}

/** The objective of a row. `STORE_DAMAGED`. */
export function objectiveOf(row: Row<'objective'>): Objective {
  return bodyOf<Objective>('objective', row);
}

/**
 * Changes the objective of the step's run within the step, and returns it as it is then. Only steps of the run change it, so that no
 * change is lost. `NOT_FOUND` where the run has none.
 */
export async function changeObjective(step: Step, edit: (objective: Objective) => Objective): Promise<Objective> {
  const { id } = step.runState.record.run;
  const before = await readObjective(step.draft, id);
  if (before === undefined) throw new EngineError('NOT_FOUND', `run "${id}" has no objective`);
  const edited = edit(before);
  if (edited === before) return before;
  const after = redactValue(step.deps.redactor, { ...edited, updatedAt: isoTime(step.now) });
  const { id: _id, ...set } = rowOf(after);
  await step.draft.add({ op: 'update', table: 'objective', key: { id }, set });
  step.notice('objective', { id, status: after.status, paused: after.paused });
  return after;
}

/**
 * Links one more thread: a reply on it wakes the objective from then on. Does nothing where it is linked already. `inPlaceOf` is a
 * thread of the account that is linked no more: the Message-ID of a draft, where the mailbox named its thread only once it was sent.
 */
export async function linkThread(step: Step, { accountId, threadId }: Thread, inPlaceOf?: string): Promise<void> {
  const { id } = step.runState.record.run;
  const { store } = step.deps;
  const isNamed = (thread: Thread, name: string | undefined) =>
    thread.accountId === accountId && thread.threadId === name;
  await changeObjective(step, (objective) => {
    const kept = objective.threads.filter((thread) => threadId === inPlaceOf || !isNamed(thread, inPlaceOf));
    const isLinked = kept.some((thread) => isNamed(thread, threadId));
    if (isLinked && kept.length === objective.threads.length) return objective;
    const own = isLinked ? [] : [{ accountId, threadId, linkedAt: isoTime(step.now) }];
    return { ...objective, threads: [...kept, ...own] };
  });
  if (inPlaceOf !== undefined && inPlaceOf !== threadId) {
    const thread = threadKey(store, accountId, inPlaceOf);
    await step.draft.add({ op: 'delete', table: 'objectiveThread', where: { thread, objective: id } });
  }
  await step.draft.add(threadLink(store, id, { accountId, threadId }, step.now));
}

/** Ids of the objectives that are linked to a thread, by the `threadKey` of its mails; oldest first. */
export async function objectivesOn(reader: Reader, thread: string): Promise<Row<'objective'>[]> {
  const links = await reader.list('objectiveThread', { where: [['thread', '=', thread]] });
  if (links.length === 0) return [];
  const ids = links.map(({ objective }) => objective);
  return reader.list('objective', { where: [['id', 'in', ids]], order: [['id', 'asc']] });
}

/** Whether the objective of a row is not over. */
export function isOpenRow({ status }: Pick<Row<'objective'>, 'status'>): boolean {
  return OPEN_OBJECTIVES.some((open) => open === status);
}

/** A change that lets a commit fail with `STORE_CONFLICT` where the objective has another status by then, as where it is over. */
export function ifStill({ id, status }: Pick<Row<'objective'>, 'id' | 'status'>): Change {
  return { op: 'update', table: 'objective', key: { id }, set: { status }, expect: { status } };
}

function threadLink(store: Store, objective: string, { accountId, threadId }: Thread, at: number): Change {
  const thread = threadKey(store, accountId, threadId);
  return { op: 'put', table: 'objectiveThread', row: { thread, objective, at } };
}

function rowOf(objective: Objective): Row<'objective'> {
  const { id, directorId: director, status, paused, lastActionTime, createdAt } = objective;
  const at = Date.parse(lastActionTime ?? createdAt);
  return { id, director, status, paused: paused ? 1 : 0, at, body: JSON.stringify(objective) };
}
