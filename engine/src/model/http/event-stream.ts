/** Takes a stream's text as it arrives and hands on what it holds, piece by whole piece. */
export interface StreamSplitter {
  push(text: string): void;
  /** The stream has ended: what is left without its end mark is handed on, too. */
  end(): void;
}

/**
 * Server-sent events (WHATWG HTML 9.2): `onData` gets the data of each. Lines end in LF, CR or both, wherever the pieces
 * of the text are cut. By the standard a last event without an empty line after it does not count; servers that forget
 * the line are many, so it is handed on.
 */
export function splitEvents(onData: (data: string) => void): StreamSplitter {
  let data: string[] = [];
  const flush = () => {
    const event = data.join('\n');
    const isEvent = data.length > 0;
    data = [];
    if (isEvent) onData(event);
  };
  const lines = splitLines((line) => {
    if (line === '') flush();
    else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      flush();
    },
  };
}

/** The lines of a text, without their ends. A byte order mark in front of the first is dropped. */
export function splitLines(onLine: (line: string) => void): StreamSplitter {
  let rest = '';
  let isFirst = true;
  let hasCr = false;
  return {
    push(text) {
      if (text === '') return;
      // The LF of a CR LF that was cut in two.
      let start = hasCr && text.startsWith('\n') ? 1 : 0;
      if (isFirst && text.startsWith('\uFEFF')) start = 1;
      isFirst = false;
      hasCr = false;
      const ends = /\r\n|\n|\r/g;
      ends.lastIndex = start;
      for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
        const line = rest + text.slice(start, found.index);
        rest = '';
        start = ends.lastIndex;
        hasCr = found[0] === '\r' && start === text.length;
        onLine(line);
      }
      rest += text.slice(start);
    },
    end() {
      const line = rest;
      rest = '';
      if (line !== '') onLine(line);
    },
  };
}
