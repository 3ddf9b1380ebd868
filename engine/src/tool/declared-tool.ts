import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { DeclaredTool } from '../config/config.ts';
import type { ResolveReference } from '../config/reference.ts';
import type { Tool } from './tool.ts';

/** An address of a host. */
export interface ResolvedAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Resolves a host name to all its addresses. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** What declared tools work with. */
export interface DeclaredServices {
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  /** Absolute path of the folder that contains `config/`: relative paths in documents start there. */
  readonly baseDir: string;
  /** Absolute paths that no program in a sandbox sees: config, data, and the file with the keys. Default: none. */
  readonly ownPaths?: readonly string[];
  /** Looks up references at each call. `SECRET_NEW_HOST`. */
  readonly resolve: ResolveReference;
  /** The environment of this process. */
  readonly env: (name: string) => string | undefined;
  /** Resolves host names for HTTP tools. Default: the operating system. */
  readonly resolveHost?: ResolveHost | undefined;
}

/** A kind of declared tool: one row of the registry. */
export interface DeclaredKind<TDocument extends DeclaredTool = DeclaredTool> {
  /**
   * The tools of a document. Called once per version of the document; it opens and waits for nothing. The family of each tool is the
   * id of the document.
   */
  readonly tools: (document: TDocument, services: DeclaredServices) => readonly Tool[];
}
