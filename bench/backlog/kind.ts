/** Kinds of sources with a backlog. */
export const KINDS = ['folder', 'imap', 'gmail', 'outlook'] as const;
/** Kind of a source. */
export type Kind = (typeof KINDS)[number];

/** How to connect to a source; empty for a folder. */
export interface Peer {
  readonly url?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
}

/** Subject of the newest mail. */
export const NEWEST = 'The newest';
