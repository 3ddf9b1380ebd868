import { isRecord } from '../../base/json.ts';
import { checkAnswerDepth, checkAnswerSize, checkEventSize } from './answer-size.ts';
import { type ModelTarget, badAnswer, quote } from './classify-error.ts';
import { splitEvents, splitLines, type StreamSplitter } from '../http/event-stream.ts';
import type { AnswerBody, StreamFold } from './protocol.ts';
import type { HeaderReader } from '../http/retry-after.ts';
import { readBodyParts } from '../http/streamed-response.ts';

/** An answer that was read as one text. */
export interface Received {
  readonly text: string;
  readonly headers: HeaderReader;
}

const EVENTS = /text\/event-stream/;
const LINES = /(ndjson|jsonl|json-seq)\b/;

/**
 * Reads a server's answer to the end. It reads a stream piece by piece and stops as soon as the server announces the end;
 * it reads any other answer at once. `onStream` receives the stream, for the usage of an answer that is cut short. Rejects
 * with `MODEL_BAD_ANSWER` or with the error of the connection. Ignores a connection error after a complete answer.
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
  endSplitter(splitter);
  return bodyOf(stream, headers, target);
}

/** Parses a whole text: JSON, or a stream that was neither requested nor announced. */
export function parseBody({ text, headers }: Received, fold: () => StreamFold, target: ModelTarget): AnswerBody {
  const start = text.trimStart();
  if (start === '') throw badAnswer('sent an empty answer', target, { retryable: true });
  if (start.startsWith('<')) {
    const hint =
      'A web page answered instead of a model server. Check baseUrl, and whether a proxy or a login page answers for it.';
    throw badAnswer(`answered with a web page: ${quote(start, target)}`, target, { retryable: false, hint });
  }
  if (EVENTS.test(headers.get('content-type') ?? '') || /^(data|event|id|retry)?:/.test(start)) {
    const stream = fold();
    const splitter = splitEvents(addTo(stream, target));
    splitter.push(text);
    endSplitter(splitter);
    return bodyOf(stream, headers, target);
  }
  checkAnswerDepth(text, target);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw brokenJson(start, target, cause);
  }
  if (isRecord(json)) {
    checkAnswerSize(json, target);
    return { json, raw: text, headers };
  }
  throw badAnswer(`answered with JSON that is not a completion: ${quote(start, target)}`, target, { retryable: false });
}

function addTo(stream: StreamFold, target: ModelTarget): (data: string) => void {
  return (data) => {
    if (data === '' || stream.isOver) return;
    checkEventSize(data, target);
    checkAnswerDepth(data, target);
    try {
      stream.add(data);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      throw brokenJson(data, target, cause);
    }
  };
}

/** Passes on a last event without an end mark. Ignores the beginning of an event that was cut off. */
function endSplitter(splitter: StreamSplitter): void {
  try {
    splitter.end();
  } catch (error) {
    if (!(error instanceof Error && error.cause instanceof SyntaxError)) throw error;
  }
}

function bodyOf(stream: StreamFold, headers: HeaderReader, target: ModelTarget): AnswerBody {
  const json = stream.json();
  if (json === undefined || !stream.isWhole)
    throw badAnswer('ended the connection in the middle of its answer', target, { retryable: true });
  checkAnswerSize(json, target);
  return { json, raw: JSON.stringify(json), headers };
}

function brokenJson(text: string, target: ModelTarget, cause: unknown): Error {
  const what = `answered with broken JSON (${text.length} characters): ${quote(text, target)}`;
  return badAnswer(what, target, { retryable: true, cause });
}
