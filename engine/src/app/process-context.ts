import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';

/** The folders, the environment and the log of one process. */
export interface ProcessContext {
  readonly configDir: string;
  readonly dataDir: string;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly redactor: Redactor;
}
