import type { Abortable } from '../../base/abort.ts';
import { createYielder } from '../../base/yielding.ts';
import { createPool } from '../../base/worker-pool.ts';
import type { FindJob, SpanNumbers } from './recognise-worker.ts';
import type { KnownPerson } from './known-names.ts';
import { createKeepAliveFetch } from '../../model/http/keep-alive-fetch.ts';
import { askRecognizer, type RecognizerSettings } from './recognizer-service.ts';
import { joinSpans, type KeptKind, PRIVATE_KINDS, type PrivateKind, type PrivateSpan } from './private-span.ts';

/** Options of `Recogniser.recognise`. */
export interface RecogniseOptions extends Abortable {
  /** People of the thread's headers, known contacts, and people found before in this conversation. */
  readonly known: readonly KnownPerson[];
  /** Kinds to find. Default: all. */
  readonly kinds?: readonly PrivateKind[] | undefined;
  /** Kinds of words that stay although they look like a name or a number. Default: all. */
  readonly keep?: readonly KeptKind[] | undefined;
  /** True for what the user wrote to the director or agent: there a bare number of phone length is a phone. */
  readonly isUserWords: boolean;
  /** Services that are asked as well; their spans are joined to the ones found here. */
  readonly recognizers?: readonly RecognizerSettings[] | undefined;
}

/** Finds private data in texts, in worker threads. */
export interface Recogniser {
  /**
   * The private values of a text, in order and without overlaps. Rejects with `PRIVACY_UNAVAILABLE` where they could not be
   * found (the service does not answer, or a text takes too long): the text must then go nowhere. The result of an aborted
   * call is dropped.
   */
  recognise(text: string, options: RecogniseOptions): Promise<readonly PrivateSpan[]>;
  close(): Promise<void>;
}

/** Options of `createRecogniser`. */
export interface RecogniserOptions {
  /** Time limit of one request to a service. Default 10,000. */
  readonly timeoutMs?: number;
}

/** Largest answer of a service. */
const MAX_ANSWER = 16 * 1024 * 1024;

/** Creates a recogniser. A thread starts with the first text and ends when idle. */
export function createRecogniser({ timeoutMs = 10_000 }: RecogniserOptions = {}): Recogniser {
  const connections = createKeepAliveFetch({ maxBytes: MAX_ANSWER });
  const pool = createPool<FindJob, SpanNumbers>({
    entry: new URL('./recognise-worker.ts', import.meta.url),
    size: 2,
    timeoutMs: 120_000,
    maxHeapMb: 512,
    idleMs: 300_000,
    tooCostly: 'PRIVACY_UNAVAILABLE',
  });
  return {
    async recognise(text, { known, kinds, keep, isUserWords, recognizers = [], signal }) {
      const options = { fetch: connections.fetch, timeoutMs, signal };
      const [numbers, ...lists] = await Promise.all([
        pool.run({ text, options: { known, kinds, keep, isUserWords } }, { signal }),
        ...recognizers.map((settings) => askRecognizer(settings, text, options)),
      ]);
      const wanted = lists.map((list) => list.filter(({ kind }) => kinds?.includes(kind) !== false));
      const found = await spansOf(text, numbers);
      return wanted.length === 0 ? found : joinSpans(text, [found, ...wanted]);
    },
    async close() {
      connections.close();
      await pool.close();
    },
  };
}

/** Spans that are built between two looks at the clock. */
const BATCH = 500;

async function spansOf(text: string, numbers: SpanNumbers): Promise<PrivateSpan[]> {
  const spans: PrivateSpan[] = [];
  const breathe = createYielder();
  for (let at = 0; at < numbers.length; at += 3) {
    if (at % (3 * BATCH) === 0) await breathe();
    const [start = 0, end = 0, kind = 0] = numbers.subarray(at, at + 3);
    spans.push({ start, end, kind: PRIVATE_KINDS[kind] ?? 'person', text: text.slice(start, end) });
  }
  return spans;
}
