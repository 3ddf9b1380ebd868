import type { TextStage } from '../../base/redact.ts';
import { findLookalikes, finishedLength } from './placeholder.ts';
import type { Restorer } from './restore-answer.ts';

/** A run of blanks and signs that no answer needs; a placeholder could be spread over it. */
const ENDLESS = /[\s_\-\\\u00ad\u2010-\u2015\u200b-\u200d\u2060\ufeff]{100}/;

/**
 * Restores the placeholders of a text that arrives in pieces. What may be a part of a placeholder is held back until the rest of it
 * is there. A placeholder that stands for nothing ends the text: nobody sees a raw one.
 */
export function restoreGrowing(restorer: Restorer): TextStage {
  let held = '';
  let isOver = false;
  return (piece) => {
    if (isOver) return '';
    held += piece;
    isOver = ENDLESS.test(held);
    if (isOver) return '';
    const ready = held.slice(0, finishedLength(held));
    held = held.slice(ready.length);
    const unknown = findLookalikes(ready).find(
      ({ start, end }) => restorer.restore(ready.slice(start, end)).faults.length > 0,
    );
    isOver = unknown !== undefined;
    return restorer.restore(ready.slice(0, unknown?.start)).text;
  };
}
