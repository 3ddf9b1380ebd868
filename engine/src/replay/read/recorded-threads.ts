import type { Message } from '../../model/model.ts';
import type { Run } from '../../run/run.ts';
import { threadOf } from '../../run/thread.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Reader } from '../../store/store.ts';
import { type StoredEvent, storedEvents } from '../../trace/provider-events.ts';

/** A message of a stored thread. */
export interface RecordedMessage {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly message: Message;
  /** The message as models got or wrote it, with placeholders; absent where that is the message itself. */
  readonly redacted?: Message;
}

/** A stored thread: its messages with their times, and its provider events. */
export interface RecordedThread {
  readonly id: string;
  /** `''` for the director's thread. */
  readonly agentId: string;
  readonly messages: readonly RecordedMessage[];
  readonly events: readonly StoredEvent[];
}

/** The threads of a run: the director's first, then those of its agents in the order in which they were opened. */
export async function readThreads(reader: Reader, run: Run): Promise<RecordedThread[]> {
  const rows = await reader.list('thread', { where: [['run', '=', run.id]], order: [['id', 'asc']] });
  const own = run.sessionId === undefined ? undefined : await reader.get('thread', { id: run.sessionId });
  const all = own === undefined || rows.some(({ id }) => id === own.id) ? rows : [own, ...rows];
  const threads: RecordedThread[] = [];
  for (const { id, agentId = '' } of all.map(threadOf)) {
    const messages = await reader.list('message', { where: [['thread', '=', id]], order: [['seq', 'asc']] });
    const redacted = await reader.list('redactedMessage', { where: [['thread', '=', id]] });
    const sent = new Map(redacted.map((row) => [row.seq, bodyOf<Message | null>('redactedMessage', row)]));
    threads.push({
      ...{ id, agentId },
      messages: messages.map((row) => {
        const other = sent.get(row.seq) ?? undefined;
        return {
          at: row.at,
          message: bodyOf<Message>('message', row),
          ...(other !== undefined && { redacted: other }),
        };
      }),
      events: await storedEvents(reader, id, Number.MAX_SAFE_INTEGER),
    });
  }
  return [...threads.filter(({ agentId }) => agentId === ''), ...threads.filter(({ agentId }) => agentId !== '')];
}
