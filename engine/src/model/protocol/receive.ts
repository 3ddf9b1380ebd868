import { isRecord } from '../../base/json.ts';
import { type ModelTarget, badAnswer, quote } from './classify-error.ts';
import { splitEvents, splitLines, type StreamSplitter } from '../http/event-stream.ts';
import type { AnswerBody, StreamFold } from './protocol.ts';
import type { HeaderReader } from '../http/retry-after.ts';
import { readBodyParts } from '../http/streamed-response.ts';

/** An answer whose text is there. */
export interface Received {
  readonly text: string;
  readonly headers: HeaderReader;
}

const EVENTS = /text\/event-stream/;
const LINES = /(ndjson|jsonl|json-seq)\b/;

/**
 * Reads a server's answer to the end: piece by piece where it is a stream, so that it can be left as soon as the server
 * says that it is over, and at once where it is not. `onStream` is told of the stream, for the count of what it used up
 * when it is cut short. Rejects with `MODEL_BAD_ANSWER`, or with the error of the connection; one that comes after all
 * that an answer needs is passed over.
 */
export async function receive(
  response: Response,
  { fold, target, onStream }: { fold: () => StreamFold; target: ModelTarget; onStream: (stream: StreamFold) => void },
): Promise<AnswerBody> {
  const { headers } = response;
  const type = headers.get('content-type') ?? '';
  const isEvents = EVENTS.test(type);
  if (!isEvents && !LINES.test(type)) return parseBody({ text: await response.text(), headers }, fold, target);
  const stream = fold();
  onStream(stream);
  const add = addTo(stream, target);
  const splitter = isEvents ? splitEvents(add) : splitLines(add);
  try {
    await readBodyParts(response, (text) => {
      splitter.push(text);
      return stream.isOver;
    });
  } catch (error) {
    if (!stream.isWhole) throw error;
  }
  endOf(splitter);
  return bodyOf(stream, headers, target);
}

/** A whole text as a body: JSON, or a stream though none was asked for or announced. */
export function parseBody({ text, headers }: Received, fold: () => StreamFold, target: ModelTarget): AnswerBody {
  const start = text.trimStart();
  if (start === '') throw badAnswer('answered with nothing', target, { retryable: true });
  if (start.startsWith('<')) {
    const hint =
      'A web page answered, not a model server. Check baseUrl, and whether a proxy or a login stands in between.';
    throw badAnswer(`answered with a web page: ${quote(start, target)}`, target, { retryable: false, hint });
  }
  if (EVENTS.test(headers.get('content-type') ?? '') || /^(data|event|id|retry)?:/.test(start)) {
    const stream = fold();
    const splitter = splitEvents(addTo(stream, target));
    splitter.push(text);
    endOf(splitter);
    return bodyOf(stream, headers, target);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw brokenJson(start, target, cause);
  }
  if (isRecord(json)) return { json, raw: text, headers };
  throw badAnswer(`answered with JSON that is no completion: ${quote(start, target)}`, target, { retryable: false });
}

function addTo(stream: StreamFold, target: ModelTarget): (data: string) => void {
  return (data) => {
    if (data === '' || stream.isOver) return;
    try {
      stream.add(data);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      throw brokenJson(data, target, cause);
    }
  };
}

/** What is left when a stream ends is a last event, or the beginning of one that never came. */
function endOf(splitter: StreamSplitter): void {
  try {
    splitter.end();
  } catch (error) {
    if (!(error instanceof Error && error.cause instanceof SyntaxError)) throw error;
  }
}

function bodyOf(stream: StreamFold, headers: HeaderReader, target: ModelTarget): AnswerBody {
  const json = stream.json();
  if (json === undefined || !stream.isWhole)
    throw badAnswer('broke off in the middle of its answer', target, { retryable: true });
  return { json, raw: JSON.stringify(json), headers };
}

function brokenJson(text: string, target: ModelTarget, cause: unknown): Error {
  const what = `answered with broken JSON (${text.length} characters): ${quote(text, target)}`;
  return badAnswer(what, target, { retryable: true, cause });
}
