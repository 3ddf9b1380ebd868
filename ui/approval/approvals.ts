import { computed } from '@preact/signals';
import type { ApprovalDecision } from '../../engine/src/run/turn/decide-approval.ts';
import { createPagedList } from '../http/list.ts';
import { ApiError, path, request } from '../http/request.ts';
import type { ApprovalView } from '../http/api-types.ts';
import { attempt, showToast } from '../widget/toast.ts';

/** The pending approvals, oldest first. */
export const approvals = createPagedList<ApprovalView>('/api/approvals', () => ({ status: 'pending', limit: '50' }));

/** Number of pending approvals for the tab: `3`, `50+` when there are more pages, `''` for none. */
export const approvalCount = computed(() => {
  const { length } = approvals.items.value;
  return length === 0 ? '' : `${length}${approvals.nextCursor.value === null ? '' : '+'}`;
});

/** Sends a person's decision. The server accepts only the first one. */
export async function decide(id: string, decision: Omit<ApprovalDecision, 'by'>): Promise<void> {
  await attempt(async () => {
    try {
      await request('POST', path`/api/approvals/${id}`, { body: decision });
      showToast(decision.decision === 'allow' ? 'Allowed.' : 'Denied.');
    } catch (thrown) {
      // Somebody decided it in another tab: it leaves this list too.
      if (!(thrown instanceof ApiError) || thrown.status !== 409) throw thrown;
      showToast(thrown.message, 'warn');
    }
    approvals.items.value = approvals.items.value.filter((entry) => entry.id !== id);
  });
}
