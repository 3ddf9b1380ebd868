import { signal } from '@preact/signals';
import type { ApprovalDecision } from '../../engine/src/run/turn/decide-approval.ts';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { createPagedList } from '../http/list.ts';
import { ApiError, path, request } from '../http/request.ts';
import type { AlwaysChanges, ApprovalView, CallDraft } from '../http/api-types.ts';
import { attempt, showToast } from '../widget/toast.ts';

/** The pending approvals, oldest first. */
export const approvals = createPagedList<ApprovalView>('/api/approvals', () => ({ status: 'pending', limit: '50' }));

/** The approvals that were answered, lapsed or expired, newest first. */
export const ended = createPagedList<ApprovalView>('/api/approvals', () => ({ status: 'ended', limit: '20' }));

/** Whether the list of ended approvals is on the page, and so has to stay up to date. */
export const showsEnded = signal(false);

/** Fetches what the page shows. */
export async function loadApprovals(): Promise<void> {
  await Promise.all([approvals.load(), showsEnded.value ? ended.load() : undefined]);
}

/** A person's decision as the API takes it. */
export type Decision = Omit<ApprovalDecision, 'by' | 'remember'> & {
  readonly remember?: 'run' | 'always';
  readonly pattern?: string;
  readonly seen?: string;
};

/** Says that nothing can be decided any more: somebody else did, or the call lapsed or expired. */
const OVER: ReadonlySet<string> = new Set([
  'APPROVAL_DECIDED',
  'APPROVAL_LAPSED',
  'APPROVAL_EXPIRED',
  'RUN_NOT_ACTIVE',
]);

/**
 * Sends a person's decision. The server accepts only the first one. Resolves to the error where the approval still waits, such
 * as that of edited arguments; undefined where it is decided.
 */
export async function decide(id: string, decision: Decision): Promise<ErrorBody | undefined> {
  let refusal: ErrorBody | undefined;
  await attempt(async () => {
    try {
      await request('POST', path`/api/approvals/${id}`, { body: decision, outlivesPage: true });
      showToast(SAID[decision.decision === 'deny' ? 'deny' : (decision.remember ?? 'allow')]);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status === 0 || thrown.status >= 500) throw thrown;
      if (!OVER.has(thrown.body.code)) {
        refusal = thrown.body;
        return;
      }
      // Somebody decided it in another tab, or there is nothing to decide any more: it leaves this list too.
      showToast(thrown.message, 'warn');
    }
    approvals.items.value = approvals.items.value.filter((entry) => entry.id !== id);
  });
  if (showsEnded.value) void ended.load();
  return refusal;
}

const SAID = {
  allow: 'Allowed.',
  deny: 'Denied.',
  run: 'Allowed, and the same for the rest of this run.',
  always: 'Allowed, and the config allows the same from now on.',
} as const;

/** The call with these arguments, or with its own: checked by the server, with its preview. Rejects with `ApiError`. */
export function draftCall(id: string, args: unknown, signal: AbortSignal): Promise<CallDraft> {
  const body = args === undefined ? {} : { arguments: args };
  return request('POST', path`/api/approvals/${id}/preview`, { body, signal });
}

/** What "Always allow" would change, for a pattern of one's own or for the suggested one. Rejects with `ApiError`. */
export function alwaysChange(id: string, pattern: string | undefined, signal: AbortSignal): Promise<AlwaysChanges> {
  const query = pattern === undefined ? '' : `?${new URLSearchParams({ pattern })}`;
  return request('GET', path`/api/approvals/${id}/always` + query, { signal });
}

/** One approval, pending or ended. Rejects with `ApiError`. */
export function fetchApproval(id: string, signal: AbortSignal): Promise<ApprovalView> {
  return request('GET', path`/api/approvals/${id}`, { signal });
}
