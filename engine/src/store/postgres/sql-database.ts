/** What a statement gave: its rows by column name, and how many rows it touched. */
export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly touched: number;
}

/**
 * Something that runs one statement with `$1` placeholders; without values also several, whose rows come one after the other,
 * and an error leaves no transaction open that they began. Integers come as numbers, bytes as `Uint8Array`.
 */
export interface SqlConnection {
  query(text: string, values?: readonly unknown[]): Promise<SqlResult>;
}

/** A subscription; `close` ends it. */
export interface Subscription {
  close(): Promise<void>;
}

/** Something that a session holds, such as an advisory lock; `close` lets go of it. */
export interface HeldLock extends Subscription {
  /** What the statement gave that took it. */
  readonly rows: SqlResult['rows'];
}

/**
 * A PostgreSQL database that several processes share. Errors of the server and of the network reject as they are; the
 * Postgres store gives them our codes.
 */
export interface SqlDatabase extends SqlConnection {
  /** All of `work` or nothing of it, on one connection; an error of `work` rolls back and rejects. */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /**
   * Hears what is sent on a channel, on a connection of its own that comes back by itself; `onGap` after each time it was
   * away, since what was sent meanwhile is lost.
   */
  listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<Subscription>;
  /**
   * Takes something for as long as the connection that listens is there, by the statement `take`, which is run again after
   * each time it was away, before `onGap`; `drop` gives it back.
   */
  holdLock(take: string, drop: string, onGap: () => void): Promise<HeldLock>;
  /** Sends to every process that listens, this one included; at most 7,900 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}
