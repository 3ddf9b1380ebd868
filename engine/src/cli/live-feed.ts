import { sleep } from '../base/abort.ts';
import { systemClock } from '../base/clock.ts';
import type { AnswerPiece } from '../trace/live-answers.ts';
import type { ApiClient } from './client.ts';

/** Pause before a broken stream is opened again. */
const RETRY_MS = 1000;

/** The live stream of a server while a command waits for runs. */
export interface LiveFeed {
  /** Resolves at the next change of a run, and when an answer is over. Never rejects. */
  changed(): Promise<void>;
  close(): void;
}

/**
 * Opens the live stream; resolves once events arrive, or cannot. `onAnswer` gets the answers of all runs while they arrive. A broken
 * stream is opened again: nothing but the answers depends on it.
 */
export async function openFeed(
  client: Pick<ApiClient, 'events'>,
  onAnswer: (piece: AnswerPiece) => void,
): Promise<LiveFeed> {
  const closing = new AbortController();
  const { signal } = closing;
  const opened = Promise.withResolvers<void>();
  let change = Promise.withResolvers<void>();
  const read = async () => {
    while (!signal.aborted) {
      const onEvent = ({ name, data }: { readonly name: string; readonly data: unknown }) => {
        opened.resolve();
        // Client and server have the same version, so the event is not validated.
        const piece = name === 'answer' ? (data as AnswerPiece) : undefined;
        if (piece !== undefined) onAnswer(piece);
        if (piece !== undefined && piece.done !== true) return;
        change.resolve();
        change = Promise.withResolvers<void>();
      };
      await client.events(onEvent, { signal }).catch(() => {});
      opened.resolve();
      await sleep(RETRY_MS, { signal, clock: systemClock }).catch(() => {});
    }
  };
  // A closed stream ends it.
  void read().catch(() => {});
  await opened.promise;
  return { changed: () => change.promise, close: () => closing.abort() };
}
