import { errorBody } from '../../base/error.ts';
import type { OnText } from '../../model/model.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ModelEffect } from '../step/effect.ts';
import type { Step } from '../step/step.ts';

/** Pieces that arrive within this time, in milliseconds, are shown together. */
const GATHER_MS = 50;
/** Longest text that is shown while it arrives, in characters; the rest comes with the message. */
const MAX_LENGTH = 100_000;

/** An answer while it arrives. */
export interface LiveAnswer {
  readonly onText: OnText;
  /**
   * Ends it with the text of the stored message. Without one, what was shown is taken back, unless `isKept`: then a message with it
   * comes later.
   */
  end(stored: string | undefined, isKept: boolean): void;
}

/** Records an answer by `settle`, and returns the text that the thread got for it; undefined where it got none. */
export async function storedText(
  step: Step,
  { answer }: Pick<ModelEffect, 'answer'>,
  settle: () => Promise<void>,
): Promise<string | undefined> {
  if (answer === undefined) return settle().then(() => undefined);
  const messages = await step.runState.transcript(answer.threadId);
  const before = messages.length;
  await settle();
  return messages.slice(before).find(({ role }) => role === 'assistant')?.content ?? undefined;
}

/** Shows the answer to a model request while it arrives; undefined where nobody reads it. */
export function openLiveAnswer(
  { live, clock, log }: Pick<Dependencies, 'live' | 'clock' | 'log'>,
  { answer, turn }: Pick<ModelEffect, 'answer' | 'turn'>,
): LiveAnswer | undefined {
  if (answer === undefined) return undefined;
  const { runId, threadId } = answer;
  const stage = answer.stage();
  let waiting = '';
  let shown = '';
  let isOver = false;
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel = undefined;
    try {
      // A character may be cut in two.
      const whole = /[\ud800-\udbff]$/.test(waiting) ? waiting.slice(0, -1) : waiting;
      waiting = waiting.slice(whole.length);
      const text = stage(whole);
      isOver = shown.length + text.length > MAX_LENGTH;
      if (text === '' || isOver) return;
      live.answers.publish({ runId, threadId, turn, at: shown.length, text });
      shown += text;
    } catch (error) {
      isOver = true;
      log.warn('an answer could not be shown while it arrives', { run: runId, ...errorBody(error) });
    }
  };
  return {
    onText(piece) {
      if (isOver) return;
      waiting += piece;
      cancel ??= clock.delay(flush, GATHER_MS);
    },
    end(stored, isKept) {
      cancel?.();
      isOver = true;
      const whole = stored ?? (isKept ? shown : '');
      if (shown === '' && whole === '') return;
      const at = whole.startsWith(shown) ? shown.length : 0;
      const text = whole.length > MAX_LENGTH ? '' : whole.slice(at);
      live.answers.publish({ runId, threadId, turn, at, text, done: true });
    },
  };
}
