/** Result of a statement: its rows by column name, and how many rows it affected. */
export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly touched: number;
}

/**
 * Runs statements. With values: one statement with `$1` placeholders. Without values: one statement or several; the
 * result contains the rows of all, and after an error a transaction that they began is rolled back. Integers are
 * returned as numbers, bytes as `Uint8Array`.
 */
export interface SqlConnection {
  query(text: string, values?: readonly unknown[]): Promise<SqlResult>;
}

/** A subscription; `close` ends it. */
export interface Subscription {
  close(): Promise<void>;
}

/** A lock that a session holds, such as an advisory lock; `close` releases it. */
export interface HeldLock extends Subscription {
  /** Rows of the statement that acquired the lock. */
  readonly rows: SqlResult['rows'];
}

/**
 * A PostgreSQL database that several processes share. Methods reject with the original errors of the server and the
 * network; the store converts them to error codes with `asPgError`.
 */
export interface SqlDatabase extends SqlConnection {
  /** Runs `work` in one transaction on one connection; if `work` rejects, the transaction is rolled back. */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /**
   * Receives the notifications of a channel, on the session connection, which reconnects by itself. Notifications that
   * were sent while it was disconnected are lost; `onGap` is called after each reconnection.
   */
  listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<Subscription>;
  /**
   * Acquires a lock on the session connection with the statement `acquireSql`. After a lost connection the statement
   * runs again, before `onGap` is called. `close` of the result runs `releaseSql`.
   */
  holdLock(acquireSql: string, releaseSql: string, onGap: () => void): Promise<HeldLock>;
  /** Sends a notification to every process that listens, including this one; at most 7,900 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}
