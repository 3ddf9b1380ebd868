import { isoTime } from '../../base/clock.ts';
import type { ErrorBody } from '../../base/error.ts';
import type { Taint } from '../../guard/taint.ts';
import type { Message } from '../../model/model.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Reader, Row } from '../../store/store.ts';
import { conversationOfRow, type ConversationRecord, runsOfConversation } from '../conversation.ts';
import { recordOf, type Run } from '../run.ts';
import { knownTaint, readThread } from '../thread.ts';

/** Questions in one answer, at most. */
const MAX_TURNS = 100;
/** Messages at the end of a thread among which the answer is looked for: after it come at most notes of the engine. */
const LAST_MESSAGES = 4;

/** A question of a conversation with its answer. Times are ISO 8601. */
export interface ConversationTurn {
  readonly runId: string;
  /** The transcript: `GET /api/conversations/<threadId>`. */
  readonly threadId: string;
  readonly message: string;
  /** The last text of the director; `''` where there is none yet. */
  readonly answer: string;
  readonly status: Run['status'];
  readonly waitingFor?: Run['waitingFor'];
  readonly error?: ErrorBody;
  readonly createdAt: string;
  readonly endedAt?: string;
}

/** A conversation as the API serves it. Lists leave `turns` out. */
export interface Conversation extends ConversationRecord {
  readonly kind: 'conversation';
  /** Number of its runs. */
  readonly runs: number;
  /** State of the newest run. */
  readonly status: Run['status'];
  readonly waitingFor?: Run['waitingFor'];
  readonly lastActiveAt: string;
  /** Set once it has read text that strangers may have written. */
  readonly taint?: Taint;
  /** Oldest first; the newest ones, or those before run `?before=`. */
  readonly turns?: readonly ConversationTurn[];
  /** Set where there are earlier turns: they come with `?before=` and this id. */
  readonly moreBefore?: string;
}

/** A conversation as the API serves it, without turns. */
export async function viewConversation(reader: Reader, row: Row<'conversation'>): Promise<Conversation> {
  const ids = await runsOfConversation(reader, row.id);
  const newest = ids[0] === undefined ? undefined : await readRun(reader, ids[0]);
  const thread = newest === undefined ? undefined : await readThread(reader, newest.dirThreadId);
  const taint = thread && knownTaint(thread);
  return {
    ...conversationOfRow(row),
    kind: 'conversation',
    runs: ids.length,
    status: newest?.status ?? 'completed',
    ...(newest?.waitingFor !== undefined && { waitingFor: newest.waitingFor }),
    lastActiveAt: isoTime(Math.max(row.at, newest === undefined ? 0 : Date.parse(newest.updatedAt))),
    ...(taint !== undefined && { taint }),
  };
}

/** The newest turns of a conversation, or those before a run. */
export async function readTurns(
  reader: Reader,
  id: string,
  before: string | undefined,
): Promise<Pick<Conversation, 'turns' | 'moreBefore'>> {
  const all = await runsOfConversation(reader, id);
  const ids = before === undefined ? all : all.filter((run) => run < before);
  const shown = ids.slice(0, MAX_TURNS).reverse();
  const turns = await Promise.all(shown.map((run) => turnOf(reader, run)));
  const [first] = shown;
  return {
    turns: turns.filter((turn) => turn !== undefined),
    ...(ids.length > MAX_TURNS && first !== undefined && { moreBefore: first }),
  };
}

async function turnOf(reader: Reader, runId: string): Promise<ConversationTurn | undefined> {
  const run = await readRun(reader, runId);
  if (run === undefined) return undefined;
  const { dirThreadId, trigger, status, waitingFor, error, createdAt, endedAt } = run;
  return {
    runId,
    threadId: dirThreadId,
    message: trigger.message ?? '',
    answer: await answerIn(reader, dirThreadId),
    status,
    ...(waitingFor !== undefined && { waitingFor }),
    ...(error !== undefined && { error }),
    createdAt,
    ...(endedAt !== undefined && { endedAt }),
  };
}

/** The last text of the director in its thread, if it came after the question. */
async function answerIn(reader: Reader, threadId: string): Promise<string> {
  const thread = await readThread(reader, threadId);
  const own = thread?.earlier === undefined ? 0 : thread.earlier.from + thread.earlier.count;
  const rows = await reader.list('message', {
    where: [
      ['thread', '=', threadId],
      ['seq', '>', own],
    ],
    order: [['seq', 'desc']],
    limit: LAST_MESSAGES,
  });
  const messages = rows.map((row) => bodyOf<Message>('message', row));
  return messages.find(({ role, content }) => role === 'assistant' && (content ?? '') !== '')?.content ?? '';
}

async function readRun(reader: Reader, id: string): Promise<Run | undefined> {
  const row = await reader.get('run', { id });
  return row === undefined ? undefined : recordOf(row).run;
}
