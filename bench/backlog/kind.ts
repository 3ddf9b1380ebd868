/** Where a backlog lies. */
export const KINDS = ['folder', 'imap', 'gmail', 'outlook'] as const;
export type Kind = (typeof KINDS)[number];

/** How to reach it; a folder needs nothing. */
export interface Peer {
  readonly url?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
}

/** The subject of the mail that came last. */
export const NEWEST = 'The newest';
