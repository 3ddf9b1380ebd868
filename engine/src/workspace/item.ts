/** Where a result came from, as every item and orchestration entry names it (seed 000, 3.2.0a). */
export interface Origin {
  readonly email?: { readonly id: string; readonly subject: string; readonly from: string; readonly date: string };
  readonly director: { readonly id: string; readonly name: string };
  readonly agent?: { readonly id: string; readonly name: string };
}

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
  /** Starts at 1; each change adds 1. */
  readonly revision: number;
  readonly deleted: boolean;
  readonly context: Origin & {
    readonly createdBy: 'director' | 'agent' | 'tool' | 'user';
    readonly agentId?: string;
    readonly tool?: string;
    /** The thread that made it. */
    readonly conversationId?: string;
  };
}

/** What a caller may set. */
export interface ItemInput {
  readonly label?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly encoding?: Encoding;
  readonly data?: string;
  readonly tags?: readonly string[];
}
