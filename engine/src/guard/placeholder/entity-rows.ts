import type { Message } from '../../model/model.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Change, Reader, Row } from '../../store/store.ts';
import { type Entity, EntityMap } from './entity-map.ts';
import type { PlaceholderKind } from './placeholder.ts';

/**
 * The map of a conversation and its rows. Rows are only added: whoever adds some after others did since they were read gets
 * `STORE_CONFLICT` and reads the map again, so that a placeholder stands for one value though several runs add to the map at once.
 */
export class StoredEntities {
  readonly map: EntityMap;
  readonly #conversation: string;
  #lastSeq: number;

  private constructor(conversation: string, rows: readonly Row<'entity'>[], kinds?: readonly PlaceholderKind[]) {
    const entities = rows.map((row) => bodyOf<Entity>('entity', row));
    this.map = new EntityMap(entities, kinds);
    this.#conversation = conversation;
    this.#lastSeq = rows.at(-1)?.seq ?? 0;
  }

  /** Reads them; `kinds` as in `EntityMap`. Empty where nothing private was found yet. `STORE_DAMAGED`. */
  static async read(reader: Reader, conversation: string, kinds?: readonly PlaceholderKind[]): Promise<StoredEntities> {
    const rows = await reader.list('entity', { where: [['conversation', '=', conversation]], order: [['seq', 'asc']] });
    return new StoredEntities(conversation, rows, kinds);
  }

  /** The changes that store what is new in the map since the last call. */
  changes(): Change[] {
    return this.map.takeChanges().map((entity) => ({
      op: 'insert',
      table: 'entity',
      row: { conversation: this.#conversation, seq: ++this.#lastSeq, body: JSON.stringify(entity) },
    }));
  }
}

/** Whether a conversation has private values. */
export async function hasEntities(reader: Reader, conversation: string): Promise<boolean> {
  const where = [['conversation', '=', conversation]] as const;
  return (await reader.list('entity', { where, limit: 1, bodies: false })).length > 0;
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
