import { createInterface, type Interface } from 'node:readline';
import type { WriteStream } from 'node:tty';

/** What came next: a line without its end, Ctrl-C on an empty line, or the end of the input. */
export type Input =
  { readonly kind: 'line'; readonly text: string } | { readonly kind: 'interrupt' } | { readonly kind: 'end' };

/** Reads lines that a person types, with editing and history, or that a program pipes. */
export interface LineReader {
  /** Whether a person types. */
  readonly isInteractive: boolean;
  /** The next line. A person sees `prompt`; a pipe is only read. One call at a time. */
  next(prompt: string, options?: LineOptions): Promise<Input>;
  close(): void;
}

/** How a person is asked for a line. */
interface LineOptions {
  /** Text to change. Default: none. */
  readonly initial?: string;
  /** The line is no message: it does not go into the history. */
  readonly isPrivate?: boolean;
  /** What was typed before the prompt is there is dropped: it cannot be meant as an answer. */
  readonly isFresh?: boolean;
}

const MAX_HISTORY = 100;
/** Time in which what was typed before arrives, in milliseconds. */
const DROP_MS = 50;

type TypedStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean | undefined;
  setRawMode?(mode: boolean): unknown;
};

/** Opens a stream as lines. Prompts and echo go to `output`, if both are terminals. */
export function openLines(
  input: TypedStream,
  output: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY'>>,
): LineReader {
  return input.isTTY === true && output.isTTY === true ? openTyped(input, output) : openPiped(input);
}

/**
 * The line editor is there only while a line is read: at other times Ctrl-C reaches the process as a signal, and output does not
 * meet what somebody types.
 */
function openTyped(input: TypedStream, output: NodeJS.WritableStream): LineReader {
  let history: string[] = [];
  let editor: Interface | undefined;
  /** What came in one piece with the last line, such as the rest of a text that was pasted. */
  const ahead: Input[] = [];
  /** The beginning of a line, after them. */
  let begun = '';
  return {
    isInteractive: true,
    async next(prompt, { initial = '', isPrivate = false, isFresh = false } = {}) {
      if (isFresh) {
        ahead.length = 0;
        begun = '';
        await dropTyped(input);
      }
      const known = ahead.shift();
      if (known !== undefined) return known;
      const { promise, resolve } = Promise.withResolvers<Input>();
      const current = createInterface({
        input,
        output,
        terminal: true,
        history: [...history],
        historySize: MAX_HISTORY,
      });
      editor = current;
      let isEnded = false;
      const end = (result: Input) => {
        if (isEnded) return void ahead.push(result);
        isEnded = true;
        // After the other keys of this piece of the input.
        queueMicrotask(() => {
          editor = undefined;
          if (result.kind === 'line') begun = current.line;
          current.close();
          resolve(result);
        });
      };
      current.on('history', (lines) => {
        if (!isPrivate) history = [...lines];
      });
      current.on('line', (text) => end({ kind: 'line', text }));
      current.on('SIGINT', () => {
        output.write('^C\n');
        if (current.line === '') return end({ kind: 'interrupt' });
        current.write(null, { ctrl: true, name: 'e' });
        current.write(null, { ctrl: true, name: 'u' });
      });
      current.on('close', () => {
        if (editor !== current) return;
        output.write('\n');
        end({ kind: 'end' });
      });
      current.setPrompt(prompt);
      current.prompt();
      const text = begun + initial;
      begun = '';
      if (text !== '') current.write(text);
      return promise;
    },
    close: () => editor?.close(),
  };
}

/** Drops what was typed and not read yet. */
async function dropTyped(input: TypedStream): Promise<void> {
  const drop = () => {};
  input.setRawMode?.(true);
  input.on('data', drop);
  input.resume();
  await new Promise((resolve) => setTimeout(resolve, DROP_MS));
  input.off('data', drop);
  input.pause();
  input.setRawMode?.(false);
}

function openPiped(input: NodeJS.ReadableStream): LineReader {
  const lines: string[] = [];
  let isOver = false;
  let waiting: ((result: Input) => void) | undefined;
  const editor = createInterface({ input, terminal: false });
  const give = () => {
    if (waiting === undefined || (lines.length === 0 && !isOver)) return;
    const text = lines.shift();
    waiting(text === undefined ? { kind: 'end' } : { kind: 'line', text });
    waiting = undefined;
  };
  editor.on('line', (text) => {
    lines.push(text);
    give();
  });
  editor.on('close', () => {
    isOver = true;
    give();
  });
  return {
    isInteractive: false,
    next() {
      const { promise, resolve } = Promise.withResolvers<Input>();
      waiting = resolve;
      give();
      return promise;
    },
    close: () => editor.close(),
  };
}
