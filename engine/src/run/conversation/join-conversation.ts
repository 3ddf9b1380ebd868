import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Change, Reader } from '../../store/store.ts';
import { addRun, conversationOfRow, insertConversation, runsOfConversation } from '../conversation.ts';
import type { Dependencies } from '../dependencies.ts';
import { OPEN_STATUSES, summarise } from '../run.ts';

/** The conversation that a new run begins or goes on with. */
export interface JoinedConversation {
  readonly id: string;
  /** The changes that add the run; `STORE_CONFLICT` where another run was added meanwhile. */
  changes(runId: string): Change[];
}

/** A message to a director. */
export interface ConversationMessage {
  /** Absent for the first question of a conversation. */
  readonly conversationId?: string | undefined;
  readonly directorId: string;
  readonly directorName: string;
  readonly message: string;
  readonly startedBy: string;
}

/**
 * Finds the conversation of a question, or begins one. `NOT_FOUND`; `BAD_REQUEST` where it is one with another director;
 * `CONFLICT` while its last run is not over, since an answer builds on those before it.
 */
export async function joinConversation(deps: Dependencies, question: ConversationMessage): Promise<JoinedConversation> {
  const { store, clock } = deps;
  const { conversationId, directorId } = question;
  if (conversationId === undefined) return newConversation(deps, question);
  const row = await store.get('conversation', { id: conversationId });
  if (row === undefined)
    throw new EngineError('NOT_FOUND', `there is no conversation "${conversationId}"`, {
      hint: 'GET /api/conversations?kind=conversation lists them; leave conversationId out to begin one',
    });
  if (row.director !== directorId)
    throw new EngineError('BAD_REQUEST', `conversation "${conversationId}" is one with director "${row.director}"`, {
      hint: `ask director "${row.director}", or leave conversationId out to begin a conversation with "${directorId}"`,
    });
  await expectRest(store, conversationId);
  conversationOfRow(row);
  return { id: conversationId, changes: (runId) => addRun(row, runId, clock.now()) };
}

function newConversation({ ids, clock, redactor }: Dependencies, question: ConversationMessage): JoinedConversation {
  const { directorId, directorName, message, startedBy } = question;
  const id = ids.next('conv');
  const now = clock.now();
  const title = redactor.text(summarise(message));
  const record = { id, directorId, directorName, startedBy, title, createdAt: isoTime(now) };
  return { id, changes: (runId) => insertConversation(record, runId, now) };
}

async function expectRest(reader: Reader, conversationId: string): Promise<void> {
  const [newest] = await runsOfConversation(reader, conversationId);
  const [run] = newest === undefined ? [] : await reader.list('run', { where: [['id', '=', newest]], bodies: false });
  if (run === undefined || !OPEN_STATUSES.some((open) => open === run.status)) return;
  throw new EngineError('CONFLICT', `run "${run.id}" of this conversation is not over yet (${run.status})`, {
    hint: 'wait for it, answer what it waits for, or cancel it',
    retryable: true,
  });
}
