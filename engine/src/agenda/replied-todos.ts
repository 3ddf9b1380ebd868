import type { Logger } from '../base/log.ts';
import { errorBody } from '../base/error.ts';
import { type AwaitingTodo, editMail, mailOf, readMailRow } from '../mail/mail-store.ts';
import type { Store } from '../store/store.ts';
import type { Agenda, TodoList } from './agenda.ts';

/** Longest time for one to-do of an account, in milliseconds: a person waits for the answer to their reply. */
const CLOSE_MS = 10_000;

/** A list of an account that notes on the mail which of its to-dos a reply closes. */
export function noteAwaiting(list: TodoList, store: Store): TodoList {
  const { accountId } = list;
  if (accountId === undefined) return list;
  return {
    ...list,
    async add(todo, options) {
      const added = await list.add(todo, options);
      const { emailId, closesOnReply } = todo;
      if (emailId === undefined || closesOnReply !== true) return added;
      await editMail(store, emailId, (mail) => {
        const { awaitingReply = [] } = mail;
        const isNoted = awaitingReply.some(({ id }) => id === added.id);
        return isNoted ? mail : { ...mail, awaitingReply: [...awaitingReply, { accountId, id: added.id }] };
      });
      return added;
    },
  };
}

/**
 * Closes the to-dos in the lists of accounts that asked for a reply to this mail. An account that does not answer is
 * logged, and its to-do is closed by the next reply.
 */
export async function closeAwaiting(
  { agenda, store, log }: { readonly agenda: Pick<Agenda, 'todos'>; readonly store: Store; readonly log: Logger },
  mailId: string,
): Promise<void> {
  const row = await readMailRow(store, mailId);
  const awaiting = row === undefined ? [] : (mailOf(row).awaitingReply ?? []);
  for (const todo of awaiting) {
    if (!(await close(agenda, todo, log))) continue;
    await editMail(store, mailId, ({ awaitingReply = [], ...mail }) => {
      const left = awaitingReply.filter(({ id }) => id !== todo.id);
      return { ...mail, ...(left.length > 0 && { awaitingReply: left }) };
    });
  }
}

/** Whether a to-do is closed, or gone. */
async function close(agenda: Pick<Agenda, 'todos'>, { accountId, id }: AwaitingTodo, log: Logger): Promise<boolean> {
  try {
    const list = await agenda.todos({ accountId });
    await list.close(id, { signal: AbortSignal.timeout(CLOSE_MS) });
    return true;
  } catch (error) {
    if (errorBody(error).code === 'NOT_FOUND') return true;
    log.warn('the to-do of a sent reply could not be closed', { account: accountId, ...errorBody(error) });
    return false;
  }
}
