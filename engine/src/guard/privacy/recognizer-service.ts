import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { isLoopback } from '../../base/network-host.ts';
import type { HttpFetch } from '../../model/http/keep-alive-fetch.ts';
import type { PrivateKind, PrivateSpan } from './private-span.ts';

/** A recogniser service on this machine (`privacy.recognizer`). */
export interface RecognizerSettings {
  /** Address of the service's `analyze`, on a loopback address. */
  readonly url: string;
  /** Languages that the service is asked for, one request each. */
  readonly languages: readonly string[];
}

/** Options of `askRecognizer`. */
export interface AskOptions extends Abortable {
  readonly fetch: HttpFetch;
  /** Time limit of one request. */
  readonly timeoutMs: number;
}

/** Longest text of one request, in UTF-16 units. A longer one is sent in pieces, cut between two lines or words. */
const MAX_TEXT = 100_000;

/** Presidio's names of our kinds. A national type, such as `TR_PHONE_NUMBER`, counts as its kind. Other types are not redacted. */
const TYPES: readonly (readonly [RegExp, PrivateKind])[] = [
  [/^PER(?:SON)?$/, 'person'],
  [/(?:^|_)(?:PHONE|MOBILE)(?:_NUMBER)?$/, 'phone'],
  [/^EMAIL(?:_ADDRESS)?$/, 'email'],
  [/^IBAN(?:_CODE)?$/, 'iban'],
  [/^CREDIT_CARD$/, 'card'],
];

/**
 * Asks a recogniser service for the private values of a text, in the shape of Presidio's `analyze`: `{ text, language }` →
 * `[{ entity_type, start, end, score }]`, offsets in Unicode code points. Rejects with a retryable `PRIVACY_UNAVAILABLE` where it
 * does not answer in time, or not in this shape. Abort rejects with the signal's reason.
 */
export async function askRecognizer(
  { url, languages }: RecognizerSettings,
  text: string,
  options: AskOptions,
): Promise<PrivateSpan[]> {
  if (!isLoopback(new URL(url).hostname)) throw unavailable(url, 'is not on this machine');
  const spans: PrivateSpan[] = [];
  for (const { start, part } of piecesOf(text))
    for (const language of languages) {
      const found = await ask(url, { text: part, language }, options);
      spans.push(...found.map((span) => ({ ...span, start: start + span.start, end: start + span.end })));
    }
  return spans;
}

function piecesOf(text: string): { start: number; part: string }[] {
  const pieces: { start: number; part: string }[] = [];
  for (let start = 0; start < text.length;) {
    const part = text.slice(start, start + MAX_TEXT);
    const cut = start + part.length === text.length ? -1 : Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' '));
    const end = cut > 0 ? cut + 1 : part.length;
    pieces.push({ start, part: part.slice(0, end) });
    start += end;
  }
  return pieces;
}

async function ask(
  url: string,
  body: { readonly text: string; readonly language: string },
  { fetch, timeoutMs, signal }: AskOptions,
): Promise<PrivateSpan[]> {
  signal?.throwIfAborted();
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept': 'application/json' },
      body: JSON.stringify(body),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const answer = await response.text();
    if (!response.ok) throw unavailable(url, `answered ${response.status}`);
    return spansOf(url, body.text, answer);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof EngineError) throw cause;
    throw unavailable(url, limit.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached', cause);
  }
}

/** The error never holds what was asked or answered. */
function unavailable(url: string, what: string, cause?: unknown): EngineError {
  return new EngineError('PRIVACY_UNAVAILABLE', `the recogniser at ${url} ${what}`, {
    hint: 'Start the service that `privacy.recognizer` names, or take the key out.',
    retryable: true,
    cause,
  });
}

function spansOf(url: string, text: string, answer: string): PrivateSpan[] {
  const list = parsed(answer);
  if (!Array.isArray(list)) throw unavailable(url, 'did not answer with a list');
  const offsetOf = codePointOffsets(text);
  return list.flatMap((entry: unknown): PrivateSpan[] => {
    const { entity_type: type, start, end } = isRecord(entry) ? entry : {};
    const [from, to] = [offsetOf(start), offsetOf(end)];
    if (typeof type !== 'string' || from === undefined || to === undefined || from >= to)
      throw unavailable(url, 'answered with an entry that has no `entity_type`, `start` and `end` in the text');
    const kind = TYPES.find(([pattern]) => pattern.test(type))?.[1];
    return kind === undefined ? [] : [{ start: from, end: to, kind, text: text.slice(from, to) }];
  });
}

/** Turns offsets in code points, as Python counts, into offsets in UTF-16 units; undefined for one outside the text. */
function codePointOffsets(text: string): (offset: unknown) => number | undefined {
  const pairs = [...text.matchAll(/[\u{10000}-\u{10ffff}]/gu)].map(({ index }, before) => index - before);
  return (offset) => {
    if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0) return undefined;
    let [low, high] = [0, pairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low <= text.length ? offset + low : undefined;
  };
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
