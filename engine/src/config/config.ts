import type { Account, Agent, Api, Director, Filter, Prompt, Settings } from './documents.gen.ts';

export type { Account, Agent, Api, Director, Filter, Prompt, Settings } from './documents.gen.ts';

/** The kinds of documents, and the folder below `config/` of each (settings is one file at its root). */
export const KINDS = {
  settings: '',
  api: 'apis',
  account: 'accounts',
  filter: 'filters',
  director: 'directors',
  agent: 'agents',
  prompt: 'prompts',
} as const;

export type Kind = keyof typeof KINDS;

export interface DocumentOf {
  settings: Settings;
  api: Api;
  account: Account;
  filter: Filter;
  director: Director;
  agent: Agent;
  prompt: Prompt;
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** Relative to the folder that holds the config folder, with `/`: `config/agents/reply.yaml`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON Pointer into the document, `''` for the whole. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

/** What `validate` found in a folder. */
export interface Validation {
  /** Of the documents that link; of the first folder where `paths` lie in several. */
  readonly revision: string;
  readonly problems: readonly Problem[];
}

export interface DocumentState {
  readonly kind: Kind;
  readonly id: string;
  readonly file: string;
  /** Hash of what runs; `''` where nothing does. */
  readonly hash: string;
  /** live: the file as it is runs; stale: an earlier version runs; invalid: nothing runs. */
  readonly state: 'live' | 'stale' | 'invalid';
}

/** The frozen, linked config of one revision. Every id that a document names is there. Disabled documents are left out. */
export interface Snapshot {
  readonly revision: string;
  readonly settings: Settings;
  readonly apis: ReadonlyMap<string, Api>;
  readonly accounts: ReadonlyMap<string, Account>;
  /** By `order`, then id. */
  readonly filters: readonly Filter[];
  readonly directors: ReadonlyMap<string, Director>;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly prompts: ReadonlyMap<string, Prompt>;
  /** Content hash of each document by folder and id: `directors/boss`, `settings`. */
  readonly documents: ReadonlyMap<string, string>;
}

/** What listeners are told after a change was applied, a change of problems alone included. */
export interface ConfigChange {
  readonly snapshot: Snapshot;
  readonly previous: Snapshot;
  /** Names (`agents/reply`) whose running version is another, or gone. */
  readonly changed: readonly string[];
}

/** A document as an editor sees it. */
export interface ReadDocument {
  /** The file as it is. */
  readonly text: string;
  /** With defaults: of the file where it is valid, else of what runs; undefined where neither is. */
  readonly value: TypedDocument['value'] | undefined;
  readonly state: DocumentState;
}

/** Changes of files, judged as edits by hand are, and applied when the promise resolves. */
export interface Writer {
  /** `NOT_FOUND` where there is no such document. */
  read(kind: Kind, id: string): ReadDocument;
  /**
   * Makes the document say `value`, in its file, with comments and order kept; the settings file is created if need be.
   * Defaults that the file does not spell out stay unspelt. `CONFIG_INVALID` where it, or a document that names it, would
   * not be valid; `NOT_FOUND`; `CONFLICT` where the file is not the one of `expectedHash`; `CONFIG_READ_ONLY`.
   */
  write(
    kind: Kind,
    id: string,
    value: Readonly<Record<string, unknown>>,
    options?: { expectedHash?: string },
  ): Promise<ReadDocument>;
  /** A new YAML file; `CONFLICT` where the id is taken, else as `write`. */
  create(kind: Kind, id: string, value: Readonly<Record<string, unknown>>): Promise<ReadDocument>;
  /** Deletes the file; `CONFLICT` where another document names it; `NOT_FOUND`; `CONFIG_READ_ONLY`. */
  remove(kind: Kind, id: string): Promise<void>;
  /** Writes `order` 10, 20, 30 … into the documents of a kind: those of `ids` first, the others behind them. `NOT_FOUND`. */
  reorder(kind: Kind, ids: readonly string[]): Promise<void>;
}

/** The running config. Reads are of the last applied change; writes are applied when their promise resolves. */
export interface ConfigService extends Writer {
  /** Absolute path of the config folder. */
  readonly dir: string;
  /** Absolute path of the folder that holds it: relative paths in documents count from here. */
  readonly baseDir: string;
  current(): Snapshot;
  documents(): readonly DocumentState[];
  /** Sorted by file, line and column. */
  problems(): readonly Problem[];
  /** `listener` is called after each change; the returned function ends that. */
  onChange(listener: (change: ConfigChange) => void): () => void;
  /**
   * The snapshot of a revision. `NOT_FOUND`; `CONFIG_TOO_NEW` where a newer version of the engine made it and this one cannot
   * use it, so that its runs are for others; `CONFIG_INVALID` where no version from this one on can.
   */
  revision(id: string): Promise<Snapshot>;
  /** The documents of the current or a recent revision, to be stored with a run; `NOT_FOUND` otherwise. */
  sources(revisionId: string): ReadonlyMap<string, StoredDocument>;
  /** The commit that was checked out where the newest revision was decided; undefined where that is no git checkout. */
  gitCommit(): string | undefined;
  /** Looks at every file again, now; where others decide, at what they have decided. */
  refresh(): Promise<void>;
  /** Resolves once the watcher is in place; at once where there is none. */
  watching(): Promise<void>;
  /** Ends watching; resolves once the last good set is saved. */
  close(): Promise<void>;
}

/** What config must know of rooms to its right; handed in by `main`. */
export interface ToolCatalog {
  /** Every tool by name. Per-agent tools (`agent__x`) and discovery are not listed here. */
  readonly tools: ReadonlyMap<
    string,
    {
      readonly family: string;
      readonly effects: 'none' | 'read' | 'write';
      /** `private`: what it reads is the user's own. `outward`: what it is given reaches others. */
      readonly reach?: 'private' | 'outward' | undefined;
    }
  >;
  /** Other names that documents may use for tools, and the names that models see. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Names that are always there for directors: `list_agents`, `list_tools`, `describe_tool`. */
  readonly discovery: readonly string[];
}

/** Where revisions outlive the process. `hash` is of a document's text. Implemented in `store/`. */
export interface RevisionSource {
  /** The last good set: name (`agents/reply`) to file, hash and text. */
  loadGood(): Promise<ReadonlyMap<string, StoredDocument>>;
  /** A revision that is kept, or undefined. Documents that the caller `has` are left out. */
  loadRevision(id: string, has: (name: string, hash: string) => boolean): Promise<StoredRevision | undefined>;
}

/** Where one process keeps the config of a store that it has to itself. */
export interface LastGoodStore extends RevisionSource {
  /** Replaces entries of the last good set; null removes one. Texts that a kept revision needs stay. */
  saveGood(changes: ReadonlyMap<string, StoredDocument | null>): Promise<void>;
}

/** A revision as it is kept. */
export interface StoredRevision {
  /** Of the Callsheet that accepted it; `''` where that is not known. */
  readonly version: string;
  /** Hash of each document by name. */
  readonly hashes: ReadonlyMap<string, string>;
  /** By name, without those that the caller has. */
  readonly documents: ReadonlyMap<string, StoredDocument>;
}

export interface StoredDocument {
  readonly file: string;
  readonly hash: string;
  readonly text: string;
}

/** A document with its kind; a union, so that a look at `kind` tells the type of `value`. */
export type TypedDocument = { [K in Kind]: { readonly kind: K; readonly value: DocumentOf[K] } }[Kind];
