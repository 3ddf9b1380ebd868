/** Who can read a memory: everyone, one director and one of its agents, or one director or agent. */
export type MemoryScope = 'global' | 'shared' | 'local';

/** All scopes, in the order in which a lookup reads them (seed 000, 3.2.4). */
export const SCOPES = ['local', 'shared', 'global'] as const satisfies readonly MemoryScope[];

/**
 * The space of a memory. `directorId` and `agentId` are `''` where the scope has none: global memories have neither,
 * shared ones have both, local ones have one of them.
 */
export interface MemorySpace {
  readonly scope: MemoryScope;
  readonly directorId: string;
  readonly agentId: string;
}

/** Whether the text of a memory may come from a stranger: a model wrote it after it had read a mail. */
export type MemoryTrust = 'trusted' | 'untrusted';

/** Where the text of a memory came from. A memory that was added several times has one for each time. */
export interface MemoryProvenance {
  readonly writtenBy: 'person' | 'director' | 'agent' | 'engine';
  /** Id of the director or agent that wrote it. */
  readonly actorId?: string;
  readonly runId?: string;
  readonly emailId?: string;
  readonly trust: MemoryTrust;
  /** ISO 8601. */
  readonly at: string;
}

/** A private value that stands in the text of a memory, such as a name: what models of a director with `privacy` do not see. */
export interface Mention {
  /** `person`, `phone`, `email`, `iban` or `card`. */
  readonly kind: string;
  /** As it is written in the text. */
  readonly text: string;
}

/** A memory. Times are ISO 8601. */
export interface Memory extends MemorySpace {
  readonly id: string;
  readonly text: string;
  /** Id of the director or agent that the memory belongs to, `user` for a person's, `engine` for our own. */
  readonly owner: string;
  readonly tags: readonly string[];
  /** The oldest first; never empty. */
  readonly provenance: readonly MemoryProvenance[];
  /** `untrusted` if any of the texts that were joined is, unless a person wrote the same text. */
  readonly trust: MemoryTrust;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** From then on no lookup finds it, and retention deletes it. */
  readonly expiresAt?: string;
  /** When it was forgotten; a person can bring it back until retention deletes it. */
  readonly deletedAt?: string;
  /** Starts at 1 and grows by 1 with each change. */
  readonly revision: number;
  /** A run with `locality: local` wrote it: no api of another machine may see it. */
  readonly isLocal?: true;
  /** The private values of the text, where a run with `privacy` wrote it. */
  readonly mentions?: readonly Mention[];
  /** Id of the director whose folder of memories holds it; such a memory changes only with its file. */
  readonly folder?: string;
}

/** Fields that callers may set. */
export interface MemoryInput {
  readonly text: string;
  readonly tags?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
  readonly isLocal?: true | undefined;
  /** Set by a run with `privacy`. */
  readonly mentions?: readonly Mention[] | undefined;
}
