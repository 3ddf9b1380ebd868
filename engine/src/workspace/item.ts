/** Origin of a result, as every item and orchestration entry contains it (seed 000, 3.2.0a). */
export interface Origin {
  readonly email?: { readonly id: string; readonly subject: string; readonly from: string; readonly date: string };
  readonly director: { readonly id: string; readonly name: string };
  readonly agent?: { readonly id: string; readonly name: string };
}

/** Encoding of an item's data. */
export type Encoding = 'utf8' | 'base64' | 'binary';

/** A result (seed 000, 3.2.0a). Times are ISO 8601; `data` is text, or base64 where `encoding` says so. */
export interface WorkspaceItem {
  readonly id: string;
  readonly label?: string;
  readonly description?: string;
  readonly mimeType: string;
  readonly encoding: Encoding;
  readonly data?: string;
  readonly tags?: readonly string[];
  readonly created: string;
  readonly updated: string;
  /** Starts at 1 and grows by 1 with each change. */
  readonly revision: number;
  readonly deleted: boolean;
  readonly context: Origin & {
    readonly createdBy: 'director' | 'agent' | 'tool' | 'user';
    readonly agentId?: string;
    readonly tool?: string;
    /** The api and the model that made it; absent where a person did, and in items that older versions stored. */
    readonly apiId?: string;
    readonly model?: string;
    /** The thread that created the item. */
    readonly conversationId?: string;
    /** True once a run has written it that had read text of strangers. */
    readonly isTainted?: true;
    /** The run that wrote the present content; absent in items that older versions stored. */
    readonly runId?: string;
  };
}

/** The fields that callers may set. */
export interface ItemInput {
  readonly label?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly encoding?: Encoding;
  readonly data?: string;
  readonly tags?: readonly string[];
}
