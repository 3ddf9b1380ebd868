/**
 * The schema, as numbered steps that only go forward. A released step never changes: add a new one. The SQL is the
 * subset that SQLite and PostgreSQL share, except for `WITHOUT ROWID`, which the PostgreSQL driver strips. Tables with
 * large rows keep their rowid: that writes 10 to 20 % less and costs 25 % less CPU (docs/decisions). There are few
 * indexes and no partial ones, because a query with a bound value does not use a partial index. No index is on a column
 * that a turn changes.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE meta (name TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE document (hash TEXT PRIMARY KEY, body BLOB NOT NULL)`,
    `CREATE TABLE good (name TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE revision (id TEXT PRIMARY KEY, created BIGINT NOT NULL, body BLOB NOT NULL)`,
    `CREATE TABLE account (id TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE source (account TEXT NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (account, name)) WITHOUT ROWID`,
    `CREATE TABLE mail (id TEXT PRIMARY KEY, account TEXT NOT NULL, identity TEXT NOT NULL, messageKey TEXT NOT NULL,
       threadKey TEXT NOT NULL, state TEXT NOT NULL, routed BIGINT NOT NULL, body BLOB NOT NULL)`,
    `CREATE UNIQUE INDEX mail_identity ON mail (identity)`,
    `CREATE INDEX mail_message ON mail (messageKey)`,
    `CREATE INDEX mail_thread ON mail (threadKey)`,
    `CREATE TABLE mailContent (mail TEXT PRIMARY KEY, body BLOB NOT NULL)`,
    `CREATE TABLE mailRaw (identity TEXT NOT NULL, seq BIGINT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (identity, seq))`,
    `CREATE TABLE run (id TEXT PRIMARY KEY, status TEXT NOT NULL, director TEXT NOT NULL, mail TEXT NOT NULL, body BLOB NOT NULL)`,
    `CREATE INDEX run_status ON run (status, id)`,
    `CREATE INDEX run_mail ON run (mail, id)`,
    `CREATE TABLE machine (id TEXT PRIMARY KEY, kind TEXT NOT NULL, version TEXT NOT NULL, rev BIGINT NOT NULL,
       root TEXT NOT NULL, status TEXT NOT NULL, body BLOB NOT NULL)`,
    `CREATE INDEX machine_root ON machine (root)`,
    `CREATE TABLE timer (machine TEXT NOT NULL, name TEXT NOT NULL, root TEXT NOT NULL, due BIGINT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (machine, name)) WITHOUT ROWID`,
    `CREATE INDEX timer_due ON timer (due)`,
    `CREATE TABLE ledger (machine TEXT NOT NULL, call TEXT NOT NULL, state TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (machine, call))`,
    `CREATE TABLE approval (id TEXT PRIMARY KEY, run TEXT NOT NULL, status TEXT NOT NULL, body BLOB NOT NULL)`,
    `CREATE INDEX approval_run ON approval (run)`,
    `CREATE INDEX approval_status ON approval (status, id)`,
    `CREATE TABLE thread (id TEXT PRIMARY KEY, kind TEXT NOT NULL, run TEXT NOT NULL, director TEXT NOT NULL, agent TEXT NOT NULL,
       mail TEXT NOT NULL, status TEXT NOT NULL, body BLOB NOT NULL)`,
    `CREATE INDEX thread_run ON thread (run)`,
    `CREATE INDEX thread_mail ON thread (mail)`,
    `CREATE TABLE message (thread TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (thread, seq))`,
    `CREATE TABLE event (thread TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (thread, seq))`,
    `CREATE TABLE toolset (hash TEXT PRIMARY KEY, body BLOB NOT NULL)`,
    `CREATE TABLE entry (scope TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (scope, seq))`,
    `CREATE TABLE item (workspace TEXT NOT NULL, id TEXT NOT NULL, revision BIGINT NOT NULL, deleted BIGINT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (workspace, id))`,
  ],
  [
    // Keys of an encrypted store, progress of a change of keys, and marks of a move. Not a table of `tables.ts`.
    `CREATE TABLE keyring (name TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE secret (name TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE rate (name TEXT NOT NULL, minute BIGINT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, minute)) WITHOUT ROWID`,
    `CREATE INDEX rate_minute ON rate (minute)`,
    `CREATE TABLE spend (day TEXT NOT NULL, run TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (day, run)) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE lease (run TEXT PRIMARY KEY, worker TEXT NOT NULL, job TEXT NOT NULL, rev BIGINT NOT NULL, at BIGINT NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE claim (name TEXT PRIMARY KEY, worker TEXT NOT NULL, rev BIGINT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE counter (name TEXT PRIMARY KEY, rev BIGINT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE todo (id TEXT PRIMARY KEY, status TEXT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE token (account TEXT PRIMARY KEY, rev BIGINT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE signIn (id TEXT PRIMARY KEY, state TEXT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE outgoing (id TEXT PRIMARY KEY, slot TEXT NOT NULL, state TEXT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID`,
    `CREATE UNIQUE INDEX outgoing_slot ON outgoing (slot)`,
  ],
  [
    `CREATE TABLE labelStart (thread TEXT NOT NULL, label TEXT NOT NULL, director TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (thread, label, director)) WITHOUT ROWID`,
    `ALTER TABLE mail ADD COLUMN rev BIGINT NOT NULL DEFAULT 0`,
    `ALTER TABLE source ADD COLUMN identity TEXT NOT NULL DEFAULT ''`,
    `CREATE INDEX source_identity ON source (identity)`,
  ],
  [
    `CREATE TABLE secretHost (name TEXT NOT NULL, host TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, host)) WITHOUT ROWID`,
  ],
  // Tools and memory.
  [
    `CREATE TABLE memory (id TEXT PRIMARY KEY, scope TEXT NOT NULL, director TEXT NOT NULL, agent TEXT NOT NULL,
       contentKey TEXT NOT NULL, folder TEXT NOT NULL, at BIGINT NOT NULL, expires BIGINT NOT NULL, deleted BIGINT NOT NULL,
       revision BIGINT NOT NULL, body BLOB NOT NULL)`,
    `CREATE UNIQUE INDEX memory_content ON memory (contentKey)`,
    `CREATE INDEX memory_at ON memory (at, id)`,
    `CREATE TABLE memoryVector (memory TEXT PRIMARY KEY, model TEXT NOT NULL, dimension BIGINT NOT NULL, revision BIGINT NOT NULL, body BLOB NOT NULL)`,
    `CREATE TABLE draftEdit (run TEXT NOT NULL, id TEXT NOT NULL, director TEXT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (run, id))`,
    `CREATE INDEX draftEdit_at ON draftEdit (at, id)`,
    `CREATE TABLE reminder (id TEXT PRIMARY KEY, status TEXT NOT NULL, due BIGINT NOT NULL, body BLOB NOT NULL)`,
    `CREATE INDEX reminder_due ON reminder (status, due)`,
    `CREATE TABLE notification (id TEXT PRIMARY KEY, status TEXT NOT NULL, delivery TEXT NOT NULL, run TEXT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL)`,
    `CREATE INDEX notification_at ON notification (at, id)`,
    `CREATE INDEX notification_delivery ON notification (delivery, at)`,
    `CREATE INDEX notification_run ON notification (run)`,
    `CREATE TABLE toolList (hash TEXT PRIMARY KEY, server TEXT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL)`,
    `CREATE INDEX toolList_server ON toolList (server, at)`,
    `CREATE TABLE fileChange (id TEXT PRIMARY KEY, effect TEXT NOT NULL, run TEXT NOT NULL, state TEXT NOT NULL, at BIGINT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID`,
    `CREATE UNIQUE INDEX fileChange_effect ON fileChange (effect)`,
    `CREATE INDEX fileChange_run ON fileChange (run)`,
    `CREATE INDEX fileChange_at ON fileChange (at, id)`,
    `CREATE TABLE fileVersion (change TEXT PRIMARY KEY, run TEXT NOT NULL, body BLOB NOT NULL)`,
    `CREATE INDEX fileVersion_run ON fileVersion (run)`,
  ],
];
