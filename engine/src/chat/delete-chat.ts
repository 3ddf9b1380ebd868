import { setImmediate } from 'node:timers/promises';
import type { Dependencies } from '../run/dependencies.ts';
import { deleteRun } from '../run/lifecycle/delete.ts';
import { recordOf } from '../run/run.ts';
import { readableRows } from '../store/readable-rows.ts';
import type { Change, Reader } from '../store/store.ts';
import { deleteChat, lastSeq, messageOfRow } from './chat-rows.ts';
import { readSummary } from './summary-rows.ts';

/** Messages that are deleted in one commit. */
const BATCH = 100;

/**
 * Deletes a chat with the runs of its messages, in small commits: the messages first, oldest first, and the chat last. A process that
 * is killed meanwhile leaves a shorter chat, which can be deleted again. Nobody may be speaking, or begin to: it is archived.
 */
export async function deleteWholeChat(
  { store, live }: Pick<Dependencies, 'store' | 'live'>,
  chat: string,
): Promise<void> {
  // The run of a message that cannot be read goes when old runs are deleted.
  const readable = readableRows(store, () => {});
  const removeRun = async (runId: string) => {
    if (!(await isOf(readable, runId, chat))) return;
    // One by one: which run is the last one of a workspace depends on the deletions before.
    await store.apply(await deleteRun(store, runId));
    live.publish('run', { id: runId, deleted: true });
  };
  const last = await lastSeq(store, chat);
  for (let before = 0; before < last; before += BATCH) {
    const rows = await readable.list('chatMessage', {
      where: [
        ['chat', '=', chat],
        ['seq', '>', before],
        ['seq', '<=', before + BATCH],
      ],
    });
    for (const row of rows) {
      const { runId } = messageOfRow(row).meta;
      if (runId !== undefined) await removeRun(runId);
    }
    const seqs = Array.from({ length: BATCH }, (_, n) => before + n + 1);
    await store.apply(seqs.map((seq): Change => ({ op: 'delete', table: 'chatMessage', where: { chat, seq } })));
    await setImmediate();
  }
  const { record } = await readSummary(store, chat);
  for (const runId of record.runs) await removeRun(runId);
  await store.apply(deleteChat(chat));
}

/** Whether a run is a turn of this chat: what was imported may name any run. */
async function isOf(reader: Reader, runId: string, chat: string): Promise<boolean> {
  const row = await reader.get('run', { id: runId });
  return row !== undefined && Reflect.get(recordOf(row).run.trigger, 'chatId') === chat;
}
