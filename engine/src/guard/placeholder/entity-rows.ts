import type { Message } from '../../model/model.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Change, Reader } from '../../store/store.ts';
import { type Entity, EntityMap } from './entity-map.ts';

/** The map of a conversation; empty where nothing private was found yet. `STORE_DAMAGED`. */
export async function readEntityMap(reader: Reader, conversation: string): Promise<EntityMap> {
  const rows = await reader.list('entity', { where: [['conversation', '=', conversation]], order: [['seq', 'asc']] });
  return new EntityMap(rows.map((row) => bodyOf<Entity>('entity', row)));
}

/** The changes that store what is new in a map. */
export function entityChanges(map: EntityMap, conversation: string): Change[] {
  return map.takeChanges().map(({ at, entity }) => ({
    op: 'put',
    table: 'entity',
    row: { conversation, seq: at + 1, body: JSON.stringify(entity) },
  }));
}

/** Messages of a thread as models got or wrote them, by their number; null where that is the message itself. */
export async function readRedacted(reader: Reader, thread: string): Promise<Map<number, Message | null>> {
  const rows = await reader.list('redactedMessage', { where: [['thread', '=', thread]] });
  return new Map(rows.map((row) => [row.seq, bodyOf<Message | null>('redactedMessage', row)]));
}

/** The change that stores a message as a model got or wrote it. */
export function redactedChange(thread: string, seq: number, message: Message | null): Change {
  return { op: 'put', table: 'redactedMessage', row: { thread, seq, body: JSON.stringify(message) } };
}

/** The changes that delete the map of a conversation. */
export function deleteEntities(conversation: string): Change[] {
  return [{ op: 'delete', table: 'entity', where: { conversation } }];
}
