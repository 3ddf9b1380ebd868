import type { Store } from '../../store/store.ts';

/** Rounds deleted in one commit. */
const BATCH = 100;

/** Deletes the rounds of chats that were over before this time, in epoch milliseconds. Their messages stay with the chat. */
export async function deleteOldRounds(store: Store, before: number): Promise<void> {
  for (;;) {
    const rows = await store.list('chatRound', {
      where: [
        ['status', '=', 'done'],
        ['at', '<', before],
      ],
      limit: BATCH,
      bodies: false,
    });
    if (rows.length === 0) return;
    await store.apply(rows.map(({ id }) => ({ op: 'delete', table: 'chatRound', where: { id } })));
  }
}
