import { computed, signal } from '@preact/signals';
import type { ApprovalView } from '../http/api-types.ts';
import { route } from '../shell/route.ts';
import { offerUndo } from '../widget/undo.ts';
import { approvals, decide, type Decision } from './approvals.ts';
import { editOf, forgetEdit } from './edits.ts';

/** Milliseconds in which a decision can be taken back. */
export const HOLD_MS = 5000;

/** A decision that the server does not know yet. */
export interface Held {
  readonly approval: ApprovalView;
  readonly decision: Decision;
}

/** Ids of decisions on their way, which nobody can take back. */
const sending = new Set<string>();
/** Ends the wait of a decision, and the offer to take it back. */
const stops = new Map<string, () => void>();

/** The decisions that can be taken back, the newest at the end. */
export const held = signal<readonly Held[]>([]);

/** The pending approvals that nobody has decided here, oldest first. */
export const waiting = computed(() =>
  approvals.items.value.filter(({ id }) => !held.value.some(({ approval }) => approval.id === id)),
);

/** Number of them for the tab: `3`, `50+` when there are more pages, `''` for none. */
export const approvalCount = computed(() => {
  const { length } = waiting.value;
  return length === 0 ? '' : `${length}${approvals.nextCursor.value === null ? '' : '+'}`;
});

/** Keeps a decision for five seconds, then sends it. Its card leaves the lists at once. */
export function hold(approval: ApprovalView, decision: Decision): void {
  const { id } = approval;
  if (stops.has(id)) return;
  held.value = [...held.value, { approval, decision }];
  const timer = setTimeout(() => void send(id), HOLD_MS);
  const endUndo = offerUndo(() => undo(id));
  stops.set(id, () => {
    clearTimeout(timer);
    endUndo();
  });
}

/** Takes the newest decision back: its card is there again, with what was written on it. */
export function undoNewest(): void {
  const newest = held.value.findLast(({ approval }) => !sending.has(approval.id));
  if (newest !== undefined) undo(newest.approval.id);
}

function undo(id: string): void {
  drop(id);
  // The card is on the page after the next frame.
  requestAnimationFrame(() => document.getElementById(`approval-${id}`)?.focus());
}

/** Sends all held decisions now. */
export function sendHeld(): void {
  for (const { approval } of held.value) void send(approval.id);
}

/** Removes a decision from the held ones; undefined where it is none. */
function drop(id: string): Held | undefined {
  const found = held.value.find(({ approval }) => approval.id === id);
  stops.get(id)?.();
  stops.delete(id);
  held.value = held.value.filter((entry) => entry !== found);
  return found;
}

async function send(id: string): Promise<void> {
  const found = held.value.find(({ approval }) => approval.id === id);
  if (found === undefined || sending.has(id)) return;
  sending.add(id);
  stops.get(id)?.();
  const refusal = await decide(id, found.decision);
  sending.delete(id);
  // After a failure of the network it waits on.
  if (!approvals.items.value.some((entry) => entry.id === id)) forgetEdit(id);
  if (refusal !== undefined) {
    const edit = editOf(found.approval);
    edit.failure.value = refusal;
    edit.isOpen.value ||= edit.text.value !== edit.original;
  }
  drop(id);
}

/**
 * Sends held decisions when the page goes: another screen, a hidden or closed tab. Returns a function that stops it.
 */
export function startSendingHeld(): () => void {
  let screen = route.value.screen;
  const stopRoute = route.subscribe((place) => {
    if (place.screen !== screen) sendHeld();
    screen = place.screen;
  });
  const onHidden = () => document.hidden && sendHeld();
  addEventListener('pagehide', sendHeld);
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    stopRoute();
    removeEventListener('pagehide', sendHeld);
    document.removeEventListener('visibilitychange', onHidden);
  };
}
