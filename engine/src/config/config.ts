import type {
  Account,
  Agent,
  Api,
  ChatPreset,
  DeclaredTool,
  Director,
  Filter,
  Prompt,
  Settings,
} from './documents.gen.ts';
import type { FileOperation } from './permissions.ts';

export type {
  Account,
  Agent,
  Api,
  ChatPreset,
  DeclaredTool,
  Director,
  Filter,
  Prompt,
  Settings,
} from './documents.gen.ts';

/** The kinds of documents and the folder of each below `config/`. Settings are one file in the root. */
export const KINDS = {
  settings: '',
  api: 'apis',
  account: 'accounts',
  filter: 'filters',
  director: 'directors',
  agent: 'agents',
  prompt: 'prompts',
  tool: 'tools',
  chat: 'chats',
} as const;

/** Kind of a document. */
export type Kind = keyof typeof KINDS;

/** Document type by kind. */
export interface DocumentOf {
  settings: Settings;
  api: Api;
  account: Account;
  filter: Filter;
  director: Director;
  agent: Agent;
  prompt: Prompt;
  tool: DeclaredTool;
  chat: ChatPreset;
}

/** An error or a warning, with its position in a file. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** Path from the parent of the config folder, with `/`: `config/agents/reply.yaml`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON Pointer into the document; `''` for the whole document. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
  /** Name of the document (`apis/main`) whose errors cause this problem, if they are not reported beside it. */
  readonly causedBy?: string;
  /** Names of the documents that do not run because of this problem, without the document itself. */
  readonly stops?: readonly string[];
  /** Of `CONFIG_SECRET_NEW_HOST`: the secret, and the host that waits for a person. */
  readonly secretHost?: { readonly name: string; readonly host: string } | undefined;
}

/** Result of `validateConfig`. */
export interface Validation {
  /** Revision of the documents whose links are intact; of the first folder if `paths` are in several. */
  readonly revision: string;
  readonly problems: readonly Problem[];
}

/** State of one document: which version of it runs. */
export interface DocumentState {
  readonly kind: Kind;
  readonly id: string;
  readonly file: string;
  /** Hash of the running version; `''` if none runs. */
  readonly hash: string;
  /** live: the file runs as it is; stale: an earlier version runs; invalid: no version runs. */
  readonly state: 'live' | 'stale' | 'invalid';
}

/** A document names another one. */
export interface DocumentLink {
  /** Folder and id of the document that names the other: `directors/boss`. */
  readonly from: string;
  readonly to: string;
  /** JSON Pointer to the name. */
  readonly path: string;
}

/** The frozen, linked config of one revision. Every id that a document names exists. Disabled documents are left out. */
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
  /** Declared tools; the built-in ones are not config. */
  readonly tools: ReadonlyMap<string, DeclaredTool>;
  /** Presets of group chats. */
  readonly chats: ReadonlyMap<string, ChatPreset>;
  /** Content hash of each document by folder and id: `directors/boss`, `settings`. */
  readonly documents: ReadonlyMap<string, string>;
}

/** An applied change of the config; also sent if only the problems changed. */
export interface ConfigChange {
  readonly snapshot: Snapshot;
  readonly previous: Snapshot;
  /** Names (`agents/reply`) of documents whose running version changed or is gone. */
  readonly changed: readonly string[];
}

/** A document for an editor. */
export interface ReadDocument {
  /** The file as it is. */
  readonly text: string;
  /** Value with defaults: of the file if it is valid, else of the running version; undefined if there is neither. */
  readonly value: TypedDocument['value'] | undefined;
  readonly state: DocumentState;
}

/** What a change of a document would do to its file. */
export interface DraftDocument {
  /** As people read it: `config/directors/boss.yaml`. */
  readonly file: string;
  /** Hash of the file as it is, for `expectedHash`. */
  readonly hash: string;
  readonly before: string;
  readonly after: string;
}

/** An edit of a document that is not saved: its keys as `Writer.write` takes them, or for a new one as `Writer.create` does. */
export interface DocumentEdit {
  readonly kind: Kind;
  readonly id: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Whether the document is not there yet. Default false. */
  readonly isNew?: boolean;
}

/** Writes documents. Each change is validated like an edit by hand and is applied when the promise resolves. */
export interface Writer {
  /** Throws `NOT_FOUND` if there is no such document. */
  read(kind: Kind, id: string): ReadDocument;
  /**
   * Changes the file of a document to `value`, and keeps comments, order and omitted defaults. Creates the settings file if
   * it is missing. Rejects with `CONFIG_INVALID` if the document, or a document that names it, would become invalid;
   * `NOT_FOUND`; `CONFLICT` if the hash of the file differs from `expectedHash`; `CONFIG_READ_ONLY`.
   */
  write(
    kind: Kind,
    id: string,
    value: Readonly<Record<string, unknown>>,
    options?: { expectedHash?: string },
  ): Promise<ReadDocument>;
  /**
   * The changes of files that these edits would make together; writes nothing. Rejects as `write` and `create` do, and with `BAD_REQUEST`
   * for two edits of one document; edits may be valid only together.
   */
  draft(edits: readonly DocumentEdit[]): Promise<readonly DraftDocument[]>;
  /** Creates a YAML file. Rejects with `CONFLICT` if the id exists, and as `write` does. */
  create(kind: Kind, id: string, value: Readonly<Record<string, unknown>>): Promise<ReadDocument>;
  /** Deletes the file. Rejects with `CONFLICT` if another document names it; `NOT_FOUND`; `CONFIG_READ_ONLY`. */
  remove(kind: Kind, id: string): Promise<void>;
  /** Writes `order` 10, 20, 30 … into the documents of a kind: first those of `ids`, then the others. `NOT_FOUND`. */
  reorder(kind: Kind, ids: readonly string[]): Promise<void>;
  /** Runs `work`, which changes files of the folder itself, while nobody else edits them here, and applies what it changed. */
  editFiles<T>(work: () => Promise<T>): Promise<T>;
}

/** The running config. Reads return the last applied state; writes are applied when their promise resolves. */
export interface ConfigService extends Writer {
  /** Absolute path of the config folder. */
  readonly dir: string;
  /** Absolute path of the parent folder, the base of relative paths in documents. */
  readonly baseDir: string;
  current(): Snapshot;
  documents(): readonly DocumentState[];
  /** The links between the documents that run. */
  links(): readonly DocumentLink[];
  /** Sorted by file, line and column. */
  problems(): readonly Problem[];
  /** Calls `listener` after each change. Returns a function that removes it. */
  onChange(listener: (change: ConfigChange) => void): () => void;
  /**
   * The snapshot of a revision. Rejects with `NOT_FOUND`; `CONFIG_TOO_NEW` if a newer version of the engine made it and
   * this version cannot read it, so other processes must continue its runs; `CONFIG_INVALID` if no later version can.
   */
  revision(id: string): Promise<Snapshot>;
  /** The documents of the current or a recent revision, to store with a run. Throws `NOT_FOUND` for other revisions. */
  sources(revisionId: string): ReadonlyMap<string, StoredDocument>;
  /** The git commit of the config folder at the newest revision; undefined if the folder is not in a git checkout. */
  gitCommit(): string | undefined;
  /** Reads every file again; where another process decides, reads the newest published config. */
  refresh(): Promise<void>;
  /** Checks the documents again, after variables or secrets changed; where another process decides, does nothing. */
  recheck(): Promise<void>;
  /** Resolves once the watcher is ready; at once if there is none. */
  watching(): Promise<void>;
  /** Stops watching. Resolves once the last good set is saved. */
  close(): Promise<void>;
}

/** The built-in tools that documents may name. `app/` passes it in, since the tool room is to the right of config. */
export interface ToolCatalog {
  /** Every tool by name, without the tools of agents (`agent__x`) and without discovery. */
  readonly tools: ReadonlyMap<
    string,
    {
      readonly family: string;
      readonly effects: 'none' | 'read' | 'write';
      /** `private`: reads the user's private data. `outward`: sends its arguments to other people. */
      readonly reach?: 'private' | 'outward' | undefined;
      /** Whether its results may have text of strangers; see `Tool`. */
      readonly trust?: 'trusted' | 'untrusted' | 'told' | undefined;
      /** True if a call asks a person unless a rule names the tool, whatever its effects. */
      readonly asks?: boolean | undefined;
      /** What it does with the files of notebooks; `scope` must permit it. */
      readonly operation?: FileOperation | undefined;
      /** Names of its arguments; undefined where they are not known. */
      readonly arguments?: readonly string[] | undefined;
      /** Those of them that hold mail addresses. */
      readonly recipients?: readonly string[] | undefined;
    }
  >;
  /** Alternative tool names that documents may use, mapped to the names that models see. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Tools that every director has: `DISCOVERY_TOOLS` of `permissions.ts`. */
  readonly discovery: readonly string[];
}

/** Called for each document of the last good set that cannot be read. */
export type OnDamagedDocument = (name: string, reason: string) => void;

/** Reads stored revisions. `hash` is the hash of a document's text. */
export interface RevisionSource {
  /** The last good version of each document, by name (`agents/reply`). */
  loadGood(onDamaged?: OnDamagedDocument): Promise<ReadonlyMap<string, StoredDocument>>;
  /** A stored revision, or undefined. Leaves out documents that the caller `has`. */
  loadRevision(id: string, has: (name: string, hash: string) => boolean): Promise<StoredRevision | undefined>;
}

/** Stores the last good set, for a process that does not share its store. */
export interface LastGoodStore extends RevisionSource {
  /** Replaces entries of the last good set; null removes an entry. Texts that a stored revision needs stay. */
  saveGood(changes: ReadonlyMap<string, StoredDocument | null>): Promise<void>;
}

/** A revision as stored. */
export interface StoredRevision {
  /** Version of the Callsheet that accepted it; `''` if unknown. */
  readonly version: string;
  /** Hash of each document by name. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Documents by name, without those that the caller has. */
  readonly documents: ReadonlyMap<string, StoredDocument>;
}

/** A document as stored: path, hash of the text, and text. */
export interface StoredDocument {
  readonly file: string;
  readonly hash: string;
  readonly text: string;
}

/** A document with its kind: a union discriminated by `kind`. */
export type TypedDocument = { [K in Kind]: { readonly kind: K; readonly value: DocumentOf[K] } }[Kind];
