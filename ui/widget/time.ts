import { signal } from '@preact/signals';
import { html } from 'htm/preact';

/** The time, for what changes with it; updated every 30 seconds. */
export const now = signal(Date.now());
const TICK_MS = 30_000;

/** Updates the shown ages every 30 seconds. Returns a function that stops it. */
export function startTicking(): () => void {
  const timer = setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** The time since a moment: `now`, `5m`, `3h`, `2d`; after a week the date, with the year if it is not this one. */
export function age(iso: string, nowMs: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const minutes = Math.floor((nowMs - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`;
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / 60 / 24)}d`;
  const isThisYear = new Date(at).getFullYear() === new Date(nowMs).getFullYear();
  const style = { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' as const }) } as const;
  return new Date(at).toLocaleDateString(undefined, style);
}

/** Date and time in the browser's language; `''` for an unreadable one. */
export function fullTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? '' : new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The age of something, with date and time as a tooltip. */
export function Age({ at }: { at: string }) {
  return html`<time class="age" datetime=${at} title=${fullTime(at)}>${age(at, now.value)}</time>`;
}
