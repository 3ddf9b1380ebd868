import type { OnText } from '../model.ts';

const THINK = '<think';
const THOUGHT = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>\s*/;
/** What may begin a tool call that the model writes as text; after it nothing is passed on. */
const CALL = /<(?:tool_call|function_call|\|)|\[TOOL_CALLS|```/;
/** The beginning of such a mark at the end of the text so far. */
const PART_OF_CALL = /(?:<[a-z_]{0,13}|\[[A-Z_]{0,10}|`{1,2})$/;

/**
 * Passes on the text of a growing answer as people see it: without the reasoning at its start, and only up to what may be a
 * tool call written as text. `readOllama` decides on the whole text.
 */
export function plainText(onText: OnText): OnText {
  /** What is not passed on yet. */
  let held = '';
  let hasBegun = false;
  let isOver = false;
  return (piece) => {
    if (isOver) return;
    held += piece;
    if (!hasBegun) {
      const begun = withoutThought(held);
      if (begun === undefined) return;
      [held, hasBegun] = [begun, true];
      isOver = /^\s*[[{]/.test(begun);
    }
    const call = isOver ? 0 : held.search(CALL);
    isOver = call >= 0;
    const end = isOver ? call : held.length - (PART_OF_CALL.exec(held)?.[0].length ?? 0);
    const text = held.slice(0, end);
    held = held.slice(end);
    if (text !== '') onText(text);
  };
}

/** A text without the reasoning at its start; undefined while more of that may follow. */
function withoutThought(text: string): string | undefined {
  const start = text.trimStart();
  if (start === '' || THINK.startsWith(start)) return undefined;
  if (!start.startsWith(THINK)) return text;
  const thought = THOUGHT.exec(text)?.[0].length ?? text.length;
  // White space after the reasoning belongs to it.
  return thought === text.length ? undefined : text.slice(thought);
}
