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

/** What config must know of rooms to its right; handed in by `main`. */
export interface Knowledge {
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
export type Typed = { [K in Kind]: { readonly kind: K; readonly value: DocumentOf[K] } }[Kind];
