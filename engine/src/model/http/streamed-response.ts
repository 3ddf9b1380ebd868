import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Milliseconds to wait for the end of an answer that needs no more reading, before its connection is closed. */
const MAX_LINGER_MS = 1000;

/**
 * Calls `onText` with the text of an answer as it arrives, until the answer ends or `onText` returns true. After that the
 * rest of the answer is not awaited. Rejects with an error that `onText` throws and with the error of a lost connection.
 */
export async function readBodyParts(response: Response, onText: (text: string) => boolean): Promise<void> {
  // A character may be cut in two.
  const decoder = new TextDecoder();
  const decode = (part: Uint8Array) => onText(decoder.decode(part, { stream: true }));
  if (response instanceof StreamedResponse) return await response.read(decode);
  for await (const part of response.body ?? []) if (decode(part)) return;
}

/** A server that has sent everything ends its answer at once, and the connection is kept; else the connection is closed. */
function endSoon(message: IncomingMessage): void {
  const timer = setTimeout(() => message.destroy(), MAX_LINGER_MS).unref();
  for (const event of ['end', 'close']) message.once(event, () => clearTimeout(timer));
}

/** Longest answer that is read as one text, in bytes: a longer one would block the event loop while it is parsed. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

class AnswerTooLong extends Error {
  readonly code = 'ERR_ANSWER_TOO_LONG';

  constructor(maxBytes: number) {
    super(`sent an answer of more than ${maxBytes} bytes`);
  }
}

/** The part of `Response` that the official clients read, over an answer of `node:http`. */
export class StreamedResponse {
  readonly url: string;
  readonly status: number;
  readonly ok: boolean;
  readonly headers: ResponseHeaders;
  /** The answer as it arrives. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly #message: IncomingMessage;
  readonly #maxBytes: number;

  constructor(url: string, message: IncomingMessage, maxBytes: number) {
    this.url = url;
    this.status = message.statusCode ?? 0;
    this.ok = this.status >= 200 && this.status < 300;
    this.headers = new ResponseHeaders(message.headers);
    this.body = message;
    this.#message = message;
    this.#maxBytes = maxBytes;
  }

  async text(): Promise<string> {
    const parts: Buffer[] = [];
    let bytes = 0;
    const maxBytes = Math.min(this.#maxBytes, MAX_TEXT_BYTES);
    await this.read((part) => {
      bytes += part.length;
      if (bytes > maxBytes) throw new AnswerTooLong(maxBytes);
      parts.push(part);
      return false;
    });
    return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString();
  }

  /** Calls `onPart` with each part, until the answer ends or `onPart` returns true. See `readBodyParts`. */
  read(onPart: (part: Buffer) => boolean): Promise<void> {
    const message = this.#message;
    return new Promise((resolve, reject) => {
      let bytes = 0;
      let isEnough = false;
      message.on('data', (part: Buffer) => {
        if (isEnough) return;
        bytes += part.length;
        if (bytes > this.#maxBytes) return message.destroy(new AnswerTooLong(this.#maxBytes));
        try {
          isEnough = onPart(part);
        } catch (error) {
          isEnough = true;
          reject(error);
          message.destroy();
        }
        if (!isEnough || message.destroyed) return;
        resolve();
        endSoon(message);
      });
      message.once('end', resolve);
      message.once('error', reject);
    });
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

/** The part of `Headers` that the official clients read. */
class ResponseHeaders {
  readonly #fields: IncomingHttpHeaders;

  constructor(fields: IncomingHttpHeaders) {
    this.#fields = fields;
  }

  get(name: string): string | null {
    const value = this.#fields[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  entries(): IterableIterator<[string, string]> {
    return Object.keys(this.#fields)
      .map((name): [string, string] => [name, this.get(name) ?? ''])
      .values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
