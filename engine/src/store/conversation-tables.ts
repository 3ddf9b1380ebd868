/** Key and columns of the tables of conversations and group chats; see `tables.ts`. */
export const CONVERSATION_TABLES = {
  /** What a person and a director say to each other over several runs. `at` is the time of the last message. */
  conversation: { key: ['id'], columns: { id: 'text', director: 'text', at: 'int', body: 'json' } },
  /** The runs of a conversation, since `at`. */
  conversationRun: { key: ['conversation', 'run'], columns: { conversation: 'text', run: 'text', at: 'int' } },
  /** Files that a person attached to a question; `run` and `conversation` are `''` until the question is asked. */
  upload: {
    key: ['id'],
    columns: { id: 'text', run: 'text', conversation: 'text', at: 'int', body: 'json' },
  },
  /** The bytes of an upload in pieces. */
  uploadData: { key: ['upload', 'seq'], columns: { upload: 'text', seq: 'int', body: 'blob' } },

  /** Group chats. `status` is `open` or `archived`, or `importing…` before it is here as a whole; `at` is the time of the last change and grows with each. */
  chat: { key: ['id'], columns: { id: 'text', status: 'text', at: 'int', body: 'json' } },
  /** Messages of group chats, numbered from 1. */
  chatMessage: {
    key: ['chat', 'seq'],
    columns: { chat: 'text', seq: 'int', id: 'text', at: 'int', body: 'json' },
  },
  /**
   * Rounds in which participants of a chat speak: machine snapshots. `status` is `open` or `done`; `rev` grows with every
   * step, so that only one of two processes that do the same step can commit.
   */
  chatRound: {
    key: ['id'],
    columns: { id: 'text', chat: 'text', status: 'text', rev: 'int', at: 'int', body: 'json' },
  },
  /** Changes of files that a participant has made in its worktree. `status` is `open`, `applied`, `kept` or `dropped`. */
  chatChange: {
    key: ['id'],
    columns: { id: 'text', chat: 'text', status: 'text', at: 'int', body: 'json' },
  },
} as const;
