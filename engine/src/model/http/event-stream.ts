/** Splits the text of a stream into complete pieces and passes each to a callback. */
export interface StreamSplitter {
  /** Adds text as it arrives. */
  push(text: string): void;
  /** Ends the stream and passes on a last piece that has no end mark. */
  end(): void;
}

/**
 * Splits server-sent events (WHATWG HTML 9.2) and passes the data of each to `onData`. Lines end in LF, CR or CR LF; a
 * text may be cut anywhere. The standard drops a last event without an empty line after it. Many servers omit that line,
 * so the event is passed on.
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

/** Splits a text into lines without their ends. Drops a byte order mark before the first line. */
export function splitLines(onLine: (line: string) => void): StreamSplitter {
  let rest = '';
  let isFirst = true;
  let hasCr = false;
  return {
    push(text) {
      if (text === '') return;
      // Skip the LF of a CR LF that was cut in two.
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
