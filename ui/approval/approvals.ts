import { computed, signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { ApiError, errorOfThrown, path, request } from '../http/request.ts';
import type { Approval, Page } from '../http/shapes.ts';
import { attempt, showToast } from '../widget/toast.ts';

const PAGE_SIZE = 50;

/** What waits for a person, oldest first as the server lists it. */
export const approvals = signal<readonly Approval[]>([]);
/** Where the next page starts; null where there is none. */
export const approvalsCursor = signal<string | null>(null);
/** How many wait, for the tab: `3`, `50+` where there are more pages, `''` for none. */
export const approvalCount = computed(() =>
  approvals.value.length === 0 ? '' : `${approvals.value.length}${approvalsCursor.value === null ? '' : '+'}`,
);
/** Why the last fetch failed, if it did. */
export const approvalsError = signal<ErrorBody | undefined>(undefined);

/** Fetches the pending ones: the first page, or one more. */
export async function refreshApprovals({ more = false } = {}): Promise<void> {
  const query = new URLSearchParams({
    status: 'pending',
    limit: String(PAGE_SIZE),
    ...(more && approvalsCursor.value !== null && { cursor: approvalsCursor.value }),
  });
  try {
    const page = await request<Page<Approval>>('GET', `/api/approvals?${query}`);
    const pending = page.items.filter((entry) => entry.status === 'pending');
    approvals.value = more ? [...approvals.value, ...pending] : pending;
    approvalsCursor.value = page.nextCursor;
    approvalsError.value = undefined;
  } catch (thrown) {
    approvalsError.value = errorOfThrown(thrown);
  }
}

/** What a person decides. */
export interface Answer {
  readonly decision: 'allow' | 'deny';
  /** Only where a person changed them; the server checks them again. */
  readonly arguments?: unknown;
  readonly reason?: string;
}

/** Sends a person's answer. The server takes the first one only. */
export async function decide(id: string, answer: Answer): Promise<void> {
  await attempt(async () => {
    try {
      await request('POST', path`/api/approvals/${id}`, { body: answer });
      showToast(answer.decision === 'allow' ? 'Allowed.' : 'Denied.');
    } catch (thrown) {
      // Answered elsewhere: it goes from the list all the same.
      if (!(thrown instanceof ApiError) || thrown.status !== 409) throw thrown;
      showToast(thrown.message, 'warn');
    }
    approvals.value = approvals.value.filter((entry) => entry.id !== id);
  });
}
