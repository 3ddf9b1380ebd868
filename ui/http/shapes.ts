import type { DocumentState, Problem } from '../../engine/src/config/config.ts';
import type { Decision } from '../../engine/src/filter/filter.ts';
import type { Mail, MailSummary } from '../../engine/src/mail/mail.ts';
import type { Message } from '../../engine/src/model/model.ts';
import type { ErrorBody } from '../../engine/src/base/error.ts';

/** What lists answer with; `nextCursor` is null on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** An item as the tree shows it: without its data. */
export interface ItemSummary {
  readonly id: string;
  readonly label?: string;
  readonly mimeType?: string;
  readonly revision?: number;
  readonly createdBy: 'director' | 'agent' | 'tool' | 'user';
  readonly agentName?: string;
  readonly updated: string;
}

/** A run as the tree shows it. */
export interface RunSummary {
  readonly id: string;
  readonly directorId: string;
  readonly directorName?: string;
  readonly status: RunStatus;
  readonly waitingFor?: string;
  readonly workspaceId: string;
  /** A scripted api answered: no AI was asked. */
  readonly scripted: boolean;
  readonly items: readonly ItemSummary[];
  readonly error?: ErrorBody;
  readonly summary: string;
}

interface Expansion {
  readonly routed: boolean;
  /** Why it went where it went, if the server says so. */
  readonly routing?: Pick<Decision, 'passedOver'>;
  readonly runs: readonly RunSummary[];
}

/** `GET /api/emails?expand=runs`. */
export type MailEntry = MailSummary & Expansion;
/** `GET /api/emails/:id`. */
export type FullMail = Omit<Mail, 'bodyText'> & Partial<Pick<Mail, 'bodyText'> & Expansion>;

/** `GET /api/runs/:id`; lists carry the same without `apis`. */
export interface Run {
  readonly id: string;
  readonly mode: string;
  readonly status: RunStatus;
  readonly waitingFor?: string;
  readonly startedBy: string;
  readonly trigger: { readonly kind: string; readonly emailId?: string; readonly message?: string };
  readonly emailId?: string;
  readonly directorId: string;
  readonly directorName?: string;
  readonly workspaceId: string;
  readonly dirThreadId: string;
  readonly revision: string;
  readonly usage: {
    readonly turns: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cost: number | null;
  };
  readonly error?: ErrorBody;
  readonly summary: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
  readonly scripted?: boolean;
  readonly apis?: readonly { readonly id: string; readonly provider: string; readonly model?: string }[];
}

/** A result (seed 000, 3.2.0a). */
export interface Item {
  readonly id: string;
  readonly label?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly encoding?: 'utf8' | 'base64' | 'binary';
  readonly data?: string;
  readonly tags?: readonly string[];
  readonly created: string;
  readonly updated: string;
  readonly revision?: number;
  readonly deleted?: boolean;
  readonly context: {
    readonly director: { readonly id: string; readonly name?: string };
    readonly agent?: { readonly id?: string; readonly name?: string };
    readonly createdBy: 'director' | 'agent' | 'tool' | 'user';
    readonly tool?: string;
  };
}

export interface Thread {
  readonly id: string;
  readonly kind: 'director' | 'agent' | 'chat';
  readonly agentId?: string;
  readonly directorId?: string;
  readonly status: 'ongoing' | 'completed' | 'failed' | 'expired';
  readonly messages: readonly Message[];
}

export interface Approval {
  readonly id: string;
  readonly runId: string;
  readonly threadId: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly preview?: { readonly mimeType: string; readonly data: string };
  readonly requestedBy: string;
  readonly reason: string;
  readonly status: 'pending' | 'allowed' | 'denied' | 'lapsed' | 'expired';
  readonly decidedBy?: string;
  readonly createdAt: string;
  readonly decidedAt?: string;
}

export interface ConfigState {
  readonly revision: string;
  readonly documents: readonly DocumentState[];
  readonly problems: readonly Problem[];
  /** Absolute path of the folder that file names count from; only where the server shares it. */
  readonly root?: string;
}

export interface FetcherState {
  readonly state?: string;
  readonly running?: boolean;
  readonly lastFetchAt?: string;
  readonly error?: ErrorBody | string;
}
