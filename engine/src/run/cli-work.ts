import type { Abortable } from '../base/abort.ts';
import type { Api } from '../config/config.ts';
import type { PermissionRules } from '../config/permissions.ts';
import type { Change } from '../store/store.ts';
import type { Run } from './run.ts';

/** A model request to a command-line agent that begins now. */
export interface CliRequest {
  readonly run: Run;
  readonly machine: string;
  readonly turn: number;
  /** The api that answers; of provider `cli`. */
  readonly api: Api;
}

/** The work of a command-line agent in a folder, for one request. */
export interface CliWork {
  /** The copy of the folder in which it works, and how freely. */
  readonly dir: string;
  readonly mode: 'safe' | 'yolo';
  /** Whether bubblewrap confines it. */
  readonly isSandboxed: boolean;
  /** The rules that judge its permission requests: those of its begin, and the newest ones. The strictest answer counts. */
  rules(): Promise<readonly (PermissionRules | undefined)[]>;
  /** The changes to store together with the answer. */
  finished(): Promise<readonly Change[]>;
  /** The error to report in place of the one with which the request failed: work that may not be repeated is not. */
  failed(error: unknown): Promise<unknown>;
  /** Removes the copy. Never rejects. */
  end(): Promise<void>;
}

/** The session of a command-line agent that outlives its turn. */
export interface CliSessionWork {
  /** The empty folder that the session belongs to. */
  readonly dir: string;
  /** The session to go on in: its id, and a hash of what it has read. Missing: a fresh one, and why. */
  readonly kept?: { readonly id: string; readonly seen: string };
  readonly whyFresh?: string | undefined;
  /** The changes to store together with the answer of a turn in this session. */
  finished(session: { readonly id: string; readonly seen: string; readonly upTo: number }): readonly Change[];
  /** Removes the folder. Never rejects. */
  end(): Promise<void>;
}

/** Lets command-line agents work in folders. */
export interface CliTurns {
  /** Folders and files of Callsheet itself, which a sandbox hides. Absolute. */
  readonly hidden: readonly string[];
  /**
   * Prepares the work of a request; undefined where the agent gets no folder. `ROAMING_UNCONFIRMED` where nobody has confirmed it as it
   * is now, `ROAMING_INTERRUPTED` where the request was begun before and must not be repeated, `FILE_DENIED`, `FILE_UNREADABLE`,
   * `TOO_LARGE`.
   */
  begin(request: CliRequest, options: Abortable): Promise<CliWork | undefined>;
  /** Takes the session for a request without a folder; undefined where none is kept. Missing: none ever is. */
  session?(request: CliRequest): Promise<CliSessionWork | undefined>;
}
