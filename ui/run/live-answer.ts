import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AnswerPiece } from '../../engine/src/trace/live-answers.ts';
import { Shown } from '../widget/visible.ts';

/** An answer that arrives, or has arrived and is not among the fetched messages yet. */
interface Arriving {
  readonly runId: string;
  readonly turn: number;
  readonly text: string;
  readonly isOver: boolean;
}

/** By thread. */
const arriving = signal<ReadonlyMap<string, Arriving>>(new Map());

/** Most answers that are over and were fetched with no message yet: most are of runs that nobody looks at. */
const MAX_OVER = 50;

/** Adds a piece of an answer. Where an earlier piece is missing, the answer appears with its message. */
export function addPiece({ runId, threadId, turn, at, text, done }: AnswerPiece): void {
  const isOver = done === true;
  const next = new Map(arriving.value);
  const known = next.get(threadId);
  const before = known?.turn === turn ? known.text : '';
  if (at > before.length || (isOver && at === 0 && text === '')) next.delete(threadId);
  else next.set(threadId, { runId, turn, text: before.slice(0, at) + text, isOver });
  const over = isOver ? [...next].filter(([, answer]) => answer.isOver) : [];
  for (const [id] of over.slice(0, -MAX_OVER)) next.delete(id);
  arriving.value = next;
}

/** The answer of a thread that is over by now: the messages fetched from now on contain it. */
export function endedAnswer(threadId: string): Arriving | undefined {
  const known = arriving.value.get(threadId);
  return known?.isOver === true ? known : undefined;
}

/** Removes an answer once its message is shown, unless the next one has begun. */
export function dropAnswer(threadId: string, ended: Arriving | undefined): void {
  if (ended === undefined || arriving.value.get(threadId) !== ended) return;
  arriving.value = new Map([...arriving.value].filter(([id]) => id !== threadId));
}

/** Removes all answers: the server sends those that arrive once more. */
export function dropAnswers(): void {
  arriving.value = new Map();
}

/** Distance from the end of the pane, in pixels, within which somebody reads along. */
const NEAR_PX = 160;

/** The answer of a thread while it arrives. The pane follows it for whoever is at its end. */
export function LiveAnswer({ threadId }: { readonly threadId: string }) {
  const answer = arriving.value.get(threadId);
  const line = useRef<HTMLLIElement>(null);
  const text = answer?.text ?? '';
  useLayoutEffect(() => {
    const pane = line.current?.closest('.body');
    if (pane && pane.scrollHeight - pane.scrollTop - pane.clientHeight < NEAR_PX) pane.scrollTop = pane.scrollHeight;
  }, [text]);
  if (answer === undefined || text === '') return null;
  return html`<li ref=${line} class=${`assistant${answer.isOver ? '' : ' arriving'}`} aria-busy=${!answer.isOver}>
    <pre class="said"><${Shown} text=${text} /></pre>
  </li>`;
}

/** Whether a thread has text that arrives. */
export function hasLiveAnswer(threadId: string): boolean {
  return (arriving.value.get(threadId)?.text ?? '') !== '';
}

/** The text of a run that arrives, or has arrived and is in no fetched message yet; `''` for none. */
export function liveTextOf(runId: string): string {
  return [...arriving.value.values()].find((answer) => answer.runId === runId)?.text ?? '';
}

/** Removes the answers of runs whose messages are shown. */
export function dropAnswersOf(runIds: ReadonlySet<string>): void {
  if (![...arriving.value.values()].some(({ runId }) => runIds.has(runId))) return;
  arriving.value = new Map([...arriving.value].filter(([, { runId }]) => !runIds.has(runId)));
}
