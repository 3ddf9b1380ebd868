/**
 * The tables as the drivers and repositories see them: columns, key, and which column holds what. Searched facts (ids,
 * times in integer milliseconds, states) are columns; everything else is one JSON `body`. The SQL that makes them is in
 * `migrations.ts`; a test keeps both equal.
 */

/**
 * `json` and `blob` are bodies: sealed where the store is encrypted. `name` is a text that people or models chose, such as
 * the address that an account is named by: looked up by equality only, never by order, and sealed as well. `text` is an id
 * of ours, a keyed hash, a state, or an id or content hash of config, which lies in plain text beside the data folder.
 */
type ColumnType = 'text' | 'name' | 'int' | 'json' | 'blob';

interface Table {
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnType>>;
}

export const TABLES = {
  /** Facts about the store itself. */
  meta: { key: ['name'], columns: { name: 'text', body: 'json' } },

  /** Values behind `${secret:NAME}`. */
  secret: { key: ['name'], columns: { name: 'text', body: 'json' } },

  /** Accepted config documents by content hash. */
  document: { key: ['hash'], columns: { hash: 'text', body: 'json' } },
  /** Last good hash of each document, by `kind/id`. */
  good: { key: ['name'], columns: { name: 'name', hash: 'text' } },
  /** Revisions that some run refers to: the list of documents. */
  revision: { key: ['id'], columns: { id: 'text', created: 'int', body: 'json' } },

  /** Place of each account: cursor and last state. */
  account: { key: ['id'], columns: { id: 'name', body: 'json' } },
  /**
   * What lies at the sources of accounts without provider ids, by keyed hash of its name there; `identity` is that of the mail
   * which was taken from it, `''` in rows of older versions.
   */
  source: { key: ['account', 'name'], columns: { account: 'name', name: 'text', body: 'json', identity: 'text' } },
  /**
   * Mails as lists show them. `identity`, `messageKey` and `threadKey` are keyed hashes; state is `kept` or `deleted`; `rev`
   * grows when labels change, so that of two who know of a change one writes it.
   */
  mail: {
    key: ['id'],
    columns: {
      id: 'text',
      account: 'name',
      identity: 'text',
      messageKey: 'text',
      threadKey: 'text',
      state: 'text',
      routed: 'int',
      body: 'json',
      rev: 'int',
    },
  },
  /** Directors that a label has started on a thread: `thread` is a mail's `threadKey`, `label` a keyed hash. */
  labelStart: {
    key: ['thread', 'label', 'director'],
    columns: { thread: 'text', label: 'text', director: 'text', at: 'int' },
  },
  /** Headers, text and HTML of a mail. */
  mailContent: { key: ['mail'], columns: { mail: 'text', body: 'json' } },
  /** Raw MIME in pieces, by identity, so that they can be written before the mail is taken. */
  mailRaw: { key: ['identity', 'seq'], columns: { identity: 'text', seq: 'int', body: 'blob' } },

  /** A director at work on one trigger. */
  run: {
    key: ['id'],
    columns: { id: 'text', status: 'text', director: 'text', mail: 'text', body: 'json' },
  },
  /** One XState machine: a run, an ask, a session. `status`: active | parked | done; `root`: the machine that owns the tree. */
  machine: {
    key: ['id'],
    columns: { id: 'text', kind: 'text', version: 'text', rev: 'int', root: 'text', status: 'text', body: 'json' },
  },
  timer: {
    key: ['machine', 'name'],
    columns: { machine: 'text', name: 'text', root: 'text', due: 'int', body: 'json' },
  },
  /** Effects on the world, written before they happen. `call` is `<turn>/<call id>`; the model chose the latter. */
  ledger: { key: ['machine', 'call'], columns: { machine: 'text', call: 'name', state: 'text', body: 'json' } },
  approval: { key: ['id'], columns: { id: 'text', run: 'text', status: 'text', body: 'json' } },

  /** Transcripts: one row a thread, one row a message. */
  thread: {
    key: ['id'],
    columns: {
      id: 'text',
      kind: 'text',
      run: 'text',
      director: 'text',
      agent: 'text',
      mail: 'text',
      status: 'text',
      body: 'json',
    },
  },
  message: { key: ['thread', 'seq'], columns: { thread: 'text', seq: 'int', at: 'int', body: 'json' } },

  /** Requests to models, their responses and errors. */
  event: { key: ['thread', 'seq'], columns: { thread: 'text', seq: 'int', at: 'int', body: 'json' } },
  /** Sets of tools as models were shown them, by hash. */
  toolset: { key: ['hash'], columns: { hash: 'text', body: 'json' } },
  /** Orchestration entries; `scope` is a run id or a fetch cycle id. */
  entry: { key: ['scope', 'seq'], columns: { scope: 'text', seq: 'int', at: 'int', body: 'json' } },

  /** Requests by api or agent in one minute (its first millisecond), for limits that outlive the process. */
  rate: { key: ['name', 'minute'], columns: { name: 'name', minute: 'int', body: 'json' } },
  /** What each run has used, on the UTC day on which it ended. */
  spend: { key: ['day', 'run'], columns: { day: 'text', run: 'text', body: 'json' } },

  /**
   * Where several processes share a store: which of them works a run, under which job of the queue (`''`: none). `rev` grows
   * with every step of the run, so that of two processes that step it only one can commit; `at` is the time of that step.
   */
  lease: { key: ['run'], columns: { run: 'text', worker: 'text', job: 'text', rev: 'int', at: 'int' } },
  /** What one process at a time does for all, such as fetching an account: `rev` grows with every sign of life of the holder. */
  claim: { key: ['name'], columns: { name: 'name', worker: 'text', rev: 'int', body: 'json' } },
  /** What is counted over all processes: requests of an api or an agent, the day's budget. */
  counter: { key: ['name'], columns: { name: 'name', rev: 'int', body: 'json' } },

  /** The local list of to-dos; `at` is when one was added, status `open` or `done`. */
  todo: { key: ['id'], columns: { id: 'text', status: 'text', at: 'int', body: 'json' } },

  /** What an account's provider gave to whoever signed in; `rev` grows whenever it changes. */
  token: { key: ['account'], columns: { account: 'name', rev: 'int', body: 'json' } },
  /** Sign-ins under way, by the hash of what the browser brings back; `at` is when they run out, state `open`, `taken`, `done` or `failed`. */
  signIn: { key: ['id'], columns: { id: 'text', state: 'text', at: 'int', body: 'json' } },

  /**
   * Mails that are sent, by hash of the Message-ID, written before they are: `ready`, `sending` or `out`. `slot` is one of a
   * thread's few places a day (`<keyed hash of the thread>/<day>/<n>`), so that no two processes can take the same one, or the
   * id again where nothing limits; `at` is when the state was reached.
   */
  outgoing: {
    key: ['id'],
    columns: { id: 'text', slot: 'text', state: 'text', at: 'int', body: 'json' },
  },

  /** Results. */
  item: {
    key: ['workspace', 'id'],
    columns: { workspace: 'text', id: 'text', revision: 'int', deleted: 'int', body: 'json' },
  },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof TABLES;

/** All tables, in the order of `TABLES`. */
export const TABLE_NAMES: readonly TableName[] = Object.keys(TABLES) as TableName[];

interface ValueOf {
  text: string;
  name: string;
  int: number;
  json: string;
  blob: Uint8Array;
}

/** A row of a table. Columns are never null: an absent text is `''`. */
export type Row<T extends TableName> = {
  readonly [C in keyof (typeof TABLES)[T]['columns']]: (typeof TABLES)[T]['columns'][C] extends keyof ValueOf
    ? ValueOf[(typeof TABLES)[T]['columns'][C]]
    : never;
};

/** The key columns of a row. */
export type Key<T extends TableName> = Pick<Row<T>, (typeof TABLES)[T]['key'][number] & keyof Row<T>>;
