import { timingSafeEqual } from 'node:crypto';
import { isoTime } from '../base/clock.ts';
import type { Clock } from '../base/clock.ts';
import type { Snapshot } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import { type ApprovalRecord, readApproval } from './approval.ts';

/** Time for which a link answers. */
const VALID_MS = 3 * 24 * 3_600_000;
/** Path of the page; the token follows. */
export const ANSWER_PATH = '/api/approvals/link/';

/** An approval that somebody may answer who has a link to it. */
export interface LinkedApproval {
  readonly approval: ApprovalRecord;
  /** Address to which the link was sent. */
  readonly to: string;
}

/** Links to a page that answers one approval without a sign-in. */
export interface AnswerLinks {
  /** The link for one who is told of an approval at `at` (ISO 8601); undefined where it no longer waits. */
  linkFor(told: {
    readonly approvalId: string;
    readonly at: string;
    readonly to: string;
  }): Promise<{ readonly address: string; readonly expiresAt: string } | undefined>;
  /** What a token stands for; undefined for one that this store has not signed, and for one that has expired. */
  read(token: string): Promise<LinkedApproval | undefined>;
  /** Sets the port of this server, for links to this machine. */
  listensOn(port: number): void;
}

/**
 * Creates the links of a store. A token names the approval, the address that got it, and its end; its signature also covers what the
 * approval is bound to. Every process of the store can read it. It is used up with the answer, since an approval is answered once.
 */
export function createAnswerLinks(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: () => Pick<Snapshot, 'settings'>;
}): AnswerLinks {
  const { store, clock, config } = deps;
  let ownPort: number | undefined;
  const origin = () => {
    const { publicUrl, port } = config().settings.server;
    return publicUrl === undefined ? `http://127.0.0.1:${ownPort ?? port}` : new URL(publicUrl).origin;
  };
  const sign = (head: string, { hash = '' }: ApprovalRecord) => store.lookupKey(`approval link\0${head}\0${hash}`);
  return {
    async linkFor({ approvalId, at, to }) {
      const approval = await readApproval(store, approvalId);
      if (approval?.status !== 'pending') return undefined;
      const endsAt = Date.parse(at) + VALID_MS;
      const head = Buffer.from(JSON.stringify([approvalId, to, endsAt])).toString('base64url');
      const address = `${origin()}${ANSWER_PATH}${head}.${sign(head, approval)}`;
      return { address, expiresAt: isoTime(endsAt) };
    },
    async read(token) {
      const [head = '', signature = '', ...rest] = token.split('.');
      const named = parseHead(head);
      if (named === undefined || rest.length > 0) return undefined;
      const approval = await readApproval(store, named.approvalId);
      if (approval === undefined || !isSame(signature, sign(head, approval))) return undefined;
      return named.endsAt > clock.now() ? { approval, to: named.to } : undefined;
    },
    listensOn(port) {
      ownPort = port;
    },
  };
}

function parseHead(head: string): { approvalId: string; to: string; endsAt: number } | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(head, 'base64url').toString());
    const [approvalId, to, endsAt] = Array.isArray(value) ? (value as unknown[]) : [];
    if (typeof approvalId !== 'string' || typeof to !== 'string' || typeof endsAt !== 'number') return undefined;
    return { approvalId, to, endsAt };
  } catch {
    return undefined;
  }
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
