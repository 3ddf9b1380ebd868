import type { Bound } from '../codec.ts';
import type { Sql } from '../sql.ts';
import type { Durability } from './connection.ts';

/** The changes of one commit, as they are passed to the thread that writes them: the text of each statement once. */
export interface PackedCommit extends Durability {
  readonly file: string;
  /** Inode of the database that the process has open. */
  readonly inode: number;
  readonly texts: readonly Omit<Sql, 'values'>[];
  /** Number of its text, and values, of each statement. */
  readonly changes: readonly (readonly [text: number, values: Bound[]])[];
}

/** Packs the changes of a commit. */
export function packChanges(changes: readonly Sql[]): Pick<PackedCommit, 'texts' | 'changes'> {
  const texts: Omit<Sql, 'values'>[] = [];
  const numbers = new Map<string, number>();
  const numberOf = ({ text, mustTouch }: Sql): number => {
    let number = numbers.get(text);
    if (number === undefined) {
      numbers.set(text, (number = texts.length));
      texts.push(mustTouch === undefined ? { text } : { text, mustTouch });
    }
    return number;
  };
  return { changes: changes.map((sql) => [numberOf(sql), sql.values.map(alone)]), texts };
}

/** A value without the rest of its buffer, which would be copied to the thread with it: a piece of a mail is a view of the whole mail. */
function alone(value: Bound): Bound {
  return value instanceof Uint8Array && value.byteLength < value.buffer.byteLength ? new Uint8Array(value) : value;
}

/** The changes of a job. */
export function unpackChanges({ texts, changes }: Pick<PackedCommit, 'texts' | 'changes'>): Sql[] {
  return changes.map(([number, values]) => ({ ...texts[number]!, values }));
}
