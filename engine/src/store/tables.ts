import { CONVERSATION_TABLES } from './conversation-tables.ts';
import { SEARCH_TABLES } from './search-tables.ts';

/**
 * The tables as the drivers and repositories see them: key, columns, and the type of each column. Values that queries
 * search (ids, times in integer milliseconds, states) are columns; everything else is in one JSON `body`.
 * `migrations.ts` contains the SQL that creates the tables; a test checks that both agree.
 */

/**
 * `json` and `blob` are bodies: an encrypted store seals them. `name` is a text that people or models chose, such as
 * the address that names an account: an encrypted store seals it as well, and queries search it by equality only, never
 * by order. `text` is never encrypted: an id that Callsheet generated, a keyed hash, a state, or an id or content hash
 * of config (config files are in plain text beside the data folder anyway).
 */
type ColumnType = 'text' | 'name' | 'int' | 'json' | 'blob';

interface Table {
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnType>>;
}

/** Key and columns of each table. */
export const TABLES = {
  /** Values about the store itself. */
  meta: { key: ['name'], columns: { name: 'text', body: 'json' } },

  /** Values of `${secret:NAME}`. */
  secret: { key: ['name'], columns: { name: 'text', body: 'json' } },

  /** Hosts that may get the value of a secret. */
  secretHost: { key: ['name', 'host'], columns: { name: 'text', host: 'name', body: 'json' } },

  /** Accepted config documents by content hash. */
  document: { key: ['hash'], columns: { hash: 'text', body: 'json' } },
  /** Last good hash of each document, by `kind/id`. */
  good: { key: ['name'], columns: { name: 'name', hash: 'text' } },
  /** Config revisions that a run refers to: each is a list of documents. */
  revision: { key: ['id'], columns: { id: 'text', created: 'int', body: 'json' } },

  /** Fetch state of each account: its cursor and last state. */
  account: { key: ['id'], columns: { id: 'name', body: 'json' } },
  /**
   * Mails found at accounts whose provider gives no stable ids. `name` is a keyed hash of the mail's name there.
   * `identity` is the identity of the stored mail; `''` in rows that older versions wrote.
   */
  source: { key: ['account', 'name'], columns: { account: 'name', name: 'text', body: 'json', identity: 'text' } },
  /**
   * Mails as lists show them. `identity`, `messageKey` and `threadKey` are keyed hashes. `state` is `kept` or
   * `deleted`. `rev` grows when labels change, so that only one of two processes that see the same change writes it.
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
  /** Directors that a label has started on a thread. `thread` is the `threadKey` of a mail, `label` a keyed hash. */
  labelStart: {
    key: ['thread', 'label', 'director'],
    columns: { thread: 'text', label: 'text', director: 'text', at: 'int' },
  },
  /** Headers, text and HTML of a mail. */
  mailContent: { key: ['mail'], columns: { mail: 'text', body: 'json' } },
  /** Raw MIME in pieces, by identity, so that the pieces can be written before the mail itself. */
  mailRaw: { key: ['identity', 'seq'], columns: { identity: 'text', seq: 'int', body: 'blob' } },

  /** Runs: each is one director that works on one trigger. */
  run: {
    key: ['id'],
    columns: { id: 'text', status: 'text', director: 'text', mail: 'text', body: 'json' },
  },
  /**
   * XState machines: of runs, asks and sessions. `status`: active | parked | done. `root`: the machine at the top of
   * the tree.
   */
  machine: {
    key: ['id'],
    columns: { id: 'text', kind: 'text', version: 'text', rev: 'int', root: 'text', status: 'text', body: 'json' },
  },
  timer: {
    key: ['machine', 'name'],
    columns: { machine: 'text', name: 'text', root: 'text', due: 'int', body: 'json' },
  },
  /**
   * Effects on the outside world, written before they happen. `call` is `<turn>/<call id>`; the model chose the call
   * id.
   */
  ledger: { key: ['machine', 'call'], columns: { machine: 'text', call: 'name', state: 'text', body: 'json' } },
  /** Calls that ask a person. `due`: when a pending one escalates or expires, in epoch milliseconds; 0 for never. */
  approval: { key: ['id'], columns: { id: 'text', run: 'text', status: 'text', body: 'json', due: 'int' } },

  /** Transcripts: one row per thread here, one row per message in `message`. */
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
  /** Sets of tools as they were sent to models, by hash. */
  toolset: { key: ['hash'], columns: { hash: 'text', body: 'json' } },
  /** Orchestration entries; `scope` is a run id or a fetch cycle id. */
  entry: { key: ['scope', 'seq'], columns: { scope: 'text', seq: 'int', at: 'int', body: 'json' } },

  /**
   * Audit lines without an entry: those that older versions wrote, and those whose entry was deleted. `at` is when the call was
   * answered.
   */
  audit: { key: ['id'], columns: { id: 'text', run: 'text', at: 'int', body: 'json' } },

  /**
   * Requests by api or agent in one minute, so that rate limits survive a restart. `minute` is its first millisecond.
   */
  rate: { key: ['name', 'minute'], columns: { name: 'name', minute: 'int', body: 'json' } },
  /** Usage of each run, under the UTC day on which the run ended. */
  spend: { key: ['day', 'run'], columns: { day: 'text', run: 'text', body: 'json' } },

  /**
   * Which process works on a run, if several processes share the store, and under which job of the queue (`''`: none).
   * `rev` grows with every step of the run, so that only one of two processes that do the same step can commit. `at` is
   * the time of the last step.
   */
  lease: { key: ['run'], columns: { run: 'text', worker: 'text', job: 'text', rev: 'int', at: 'int' } },
  /**
   * Duties that one process at a time has for all, such as fetching an account. `rev` grows with every heartbeat of the
   * owner.
   */
  claim: { key: ['name'], columns: { name: 'name', worker: 'text', rev: 'int', body: 'json' } },
  /** Counters over all processes: requests of an api or an agent, the budget of a day. */
  counter: { key: ['name'], columns: { name: 'name', rev: 'int', body: 'json' } },

  /** The local to-do list. `at` is when the to-do was added, `status` is `open` or `done`. */
  todo: { key: ['id'], columns: { id: 'text', status: 'text', at: 'int', body: 'json' } },

  /** Reminders. `status` is `open`, `fired` or `cancelled`; `due` is when it fires. */
  reminder: { key: ['id'], columns: { id: 'text', status: 'text', due: 'int', body: 'json' } },
  /**
   * Notifications for the user. `status` is `unread` or `read`; `delivery` is `pending` while a webhook or a mail of it has
   * to be sent, else `done`. `run` is the run that it is about, or `''`. The ledger has a row for each channel, whose
   * `machine` is the id of the notification.
   */
  notification: {
    key: ['id'],
    columns: { id: 'text', status: 'text', delivery: 'text', run: 'text', at: 'int', body: 'json' },
  },

  /** OAuth tokens of accounts; `rev` grows with every change. */
  token: { key: ['account'], columns: { account: 'name', rev: 'int', body: 'json' } },
  /**
   * Sign-ins that are not finished, by the hash of the value that the browser returns. `at` is when the sign-in
   * expires; `state` is `open`, `taken`, `done` or `failed`.
   */
  signIn: { key: ['id'], columns: { id: 'text', state: 'text', at: 'int', body: 'json' } },

  /**
   * Mails to send, by hash of the Message-ID, written before they are sent. `state` is `ready`, `sending` or `out`;
   * `at` is when that state was reached. `slot` is one of the few sends that a thread may have a day (`<keyed hash of
   * the thread>/<day>/<n>`), unique so that two processes cannot use the same one. It equals the id if there is no
   * limit.
   */
  outgoing: {
    key: ['id'],
    columns: { id: 'text', slot: 'text', state: 'text', at: 'int', body: 'json' },
  },

  /**
   * Memories. `scope` is `global`, `shared` or `local`; `director` and `agent` are `''` where the scope has none.
   * `contentKey` is unique: a keyed hash of scope and text, or the id of a forgotten memory and of one that a file
   * holds. `folder` is the director whose folder of memories holds it, or `''`. `at` is when it was added. `expires` and
   * `deleted` are times, 0 for never.
   */
  memory: {
    key: ['id'],
    columns: {
      id: 'text',
      scope: 'text',
      director: 'text',
      agent: 'text',
      contentKey: 'text',
      folder: 'text',
      at: 'int',
      expires: 'int',
      deleted: 'int',
      revision: 'int',
      body: 'json',
    },
  },

  /**
   * Vectors of memories, by id of the memory: of `revision` of its text, made by the embedding model `model`, with
   * `dimension` components of 4 bytes each (little-endian floats).
   */
  memoryVector: {
    key: ['memory'],
    columns: { memory: 'text', model: 'text', dimension: 'int', revision: 'int', body: 'blob' },
  },

  /** How people changed what runs had drafted; `id` is that of the item or of the approval. */
  draftEdit: {
    key: ['run', 'id'],
    columns: { run: 'text', id: 'text', director: 'text', at: 'int', body: 'json' },
  },
  /**
   * Tools that MCP servers have listed, by content hash. `server` is the id of its document and a hash of how it is reached;
   * `at` is when it last listed them.
   */
  toolList: { key: ['hash'], columns: { hash: 'text', server: 'text', at: 'int', body: 'json' } },

  /**
   * Changes that tools and people made to files of notebooks. `effect` is a keyed hash of the tool call, so that a call changes a
   * file once. `state` is `intended` before the file is written, then `written`. `run` owns the change: it goes with the run.
   */
  fileChange: {
    key: ['id'],
    columns: { id: 'text', effect: 'text', run: 'text', state: 'text', at: 'int', body: 'json' },
  },
  /** Files that a run wrote which had read text of strangers. `file` is a keyed hash of the path. */
  taintedFile: { key: ['file'], columns: { file: 'text', at: 'int' } },
  /** The content of a file before a change. */
  fileVersion: { key: ['change'], columns: { change: 'text', run: 'text', body: 'blob' } },

  /**
   * People who signed in with an identity provider. `identity` is a keyed hash of the provider and its id of the person; `at`
   * is the last sign-in.
   */
  person: { key: ['id'], columns: { id: 'text', identity: 'text', at: 'int', body: 'json' } },
  /**
   * Private values and their placeholders, in the order in which they were found. `conversation` is the id of the chat, the session that a
   * person opened, the conversation with a director, or the run. Rows are only added: a later one with the same kind and number counts.
   */
  entity: { key: ['conversation', 'seq'], columns: { conversation: 'text', seq: 'int', body: 'json' } },
  /** Messages as models got or wrote them, with placeholders; the body is `null` where that is the message itself. */
  redactedMessage: { key: ['thread', 'seq'], columns: { thread: 'text', seq: 'int', body: 'json' } },

  /** Objectives, by id of their run. `status` is that of the objective, `paused` 0 or 1, `at` the time of the last action. */
  objective: {
    key: ['id'],
    columns: { id: 'text', director: 'text', status: 'text', paused: 'int', at: 'int', body: 'json' },
  },
  /** Threads of mails that an objective watches, since `at`. `thread` is the `threadKey` of a mail. */
  objectiveThread: { key: ['thread', 'objective'], columns: { thread: 'text', objective: 'text', at: 'int' } },
  /**
   * Follow-ups of objectives, one row per recipient. `recipient` is a keyed hash of the address, `slot` one of the few follow-ups
   * that it may get in a day, so that two processes cannot use the same one.
   */
  followUp: {
    key: ['recipient', 'slot'],
    columns: { recipient: 'text', slot: 'int', objective: 'text', at: 'int' },
  },
  /** Steps of a plan with their results, from 1. */
  planStep: { key: ['run', 'seq'], columns: { run: 'text', seq: 'int', body: 'json' } },

  /**
   * Tasks. `due` is when one may start, in epoch milliseconds; of due ones that with the highest `priority` starts first.
   * `run` is the run that works or worked on it, `''` while there is none; `at` is when it was added.
   */
  task: {
    key: ['id'],
    columns: { id: 'text', status: 'text', due: 'int', priority: 'int', run: 'text', at: 'int', body: 'json' },
  },
  /** The next start of each director with a `schedule`; `rev` grows with every start. */
  schedule: { key: ['director'], columns: { director: 'text', due: 'int', rev: 'int', body: 'json' } },

  ...CONVERSATION_TABLES,

  /** Results that workspaces keep. */
  item: {
    key: ['workspace', 'id'],
    columns: { workspace: 'text', id: 'text', revision: 'int', deleted: 'int', body: 'json' },
  },

  ...SEARCH_TABLES,
} as const satisfies Record<string, Table>;

/** Name of a table. */
export type TableName = keyof typeof TABLES;

/** All tables, in the order of `TABLES`. */
export const TABLE_NAMES: readonly TableName[] = Object.keys(TABLES) as TableName[];
