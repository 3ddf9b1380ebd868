import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { MAX_WAIT_MS, waitMsFor } from '../request-retry.ts';
import type { BatchAnswer, BatchRequest } from './graph.ts';
import { type GraphProblem, isTransient, problemOfAnswer } from './graph-error.ts';
import { type GraphTransport, IMMUTABLE_IDS } from './graph-transport.ts';

interface BatchOptions extends Abortable {
  readonly transport: GraphTransport;
  readonly clock: Clock;
  readonly maxBytes: number;
}

/** Largest number of requests in one batch of Graph. */
const MAX_REQUESTS = 20;

/** Concurrency slots of a batch: Outlook runs four of its requests at a time. */
const SLOTS = 4;

const MAX_TRIES = 4;

/** Sends requests in batches; the answers are in the order of `requests`. Throws as `Graph.json` where a whole batch fails. */
export async function requestInBatches(
  requests: readonly BatchRequest[],
  options: BatchOptions,
): Promise<readonly BatchAnswer[]> {
  const answers: BatchAnswer[] = [];
  for (let n = 0; n < requests.length; n += MAX_REQUESTS)
    answers.push(...(await sendBatch(requests.slice(n, n + MAX_REQUESTS), options)));
  return answers;
}

async function sendBatch(requests: readonly BatchRequest[], options: BatchOptions): Promise<readonly BatchAnswer[]> {
  const { transport, clock, signal } = options;
  const answers = new Map<number, BatchAnswer>();
  let left = requests.map((_, n) => n);
  let waitedMs = 0;
  for (let tries = 1; left.length > 0; tries++) {
    const outcomes = await sendOnce(requests, left, options);
    const again: number[] = [];
    let waitMs = 0;
    for (const n of left) {
      const request = requests[n];
      const outcome = outcomes.get(n) ?? LOST;
      if (request === undefined) continue;
      if ('problem' in outcome) {
        const { problem } = outcome;
        answers.set(n, { ok: false, error: transport.errorOf(problem, request.scopes) });
        if (!mayRepeat(request, problem)) continue;
        again.push(n);
        waitMs = Math.max(waitMs, waitMsFor(problem, tries));
      } else answers.set(n, { ok: true, ...outcome });
    }
    left = again;
    if (left.length > 0) transport.pause(waitMs);
    if (left.length === 0 || tries >= MAX_TRIES || waitedMs + waitMs > MAX_WAIT_MS) break;
    waitedMs += waitMs;
    await sleep(waitMs, { signal, clock });
  }
  return requests.map((_, n) => answers.get(n) ?? { ok: false, error: transport.errorOf(LOST.problem, []) });
}

type Outcome = { readonly problem: GraphProblem } | { readonly status: number; readonly body: unknown };

/** The problem of a request without an answer in the batch response. */
const LOST: { readonly problem: GraphProblem } = {
  problem: { status: 0, code: '', message: 'the response of the batch has no answer to this request' },
};

function mayRepeat({ method = 'GET', isRepeatable = method !== 'POST' }: BatchRequest, problem: GraphProblem): boolean {
  return problem.status === 429 || (isRepeatable && (isTransient(problem) || problem === LOST.problem));
}

async function sendOnce(
  requests: readonly BatchRequest[],
  numbers: readonly number[],
  { transport, clock, maxBytes, signal }: BatchOptions,
): Promise<ReadonlyMap<number, Outcome>> {
  const parts = numbers.flatMap((n) => {
    const request = requests[n];
    return request === undefined ? [] : [partOf(String(n), request)];
  });
  const scopes = [...new Set(numbers.flatMap((n) => requests[n]?.scopes ?? []))];
  // The whole batch may be repeated only where each of its requests may.
  const isRepeatable = numbers.every((n) => requests[n]?.isRepeatable ?? (requests[n]?.method ?? 'GET') !== 'POST');
  const answer = await transport.request(
    { method: 'POST', path: '/$batch', body: { requests: parts }, scopes, signal, isRepeatable, slots: SLOTS },
    maxBytes,
    parse,
  );
  const outcomes = new Map<number, Outcome>();
  for (const part of Array.isArray(answer) ? answer.filter(isRecord) : []) {
    const { id, status, body, headers } = part;
    if (typeof status !== 'number') continue;
    const header = (name: string) => headerOf(headers, name);
    outcomes.set(
      Number(id),
      status < 300 ? { status, body } : { problem: problemOfAnswer(status, header, body, clock.now()) },
    );
  }
  return outcomes;
}

function partOf(id: string, { method = 'GET', path, body, prefer = [] }: BatchRequest) {
  if (!path.startsWith('/'))
    throw new EngineError('INTERNAL', 'a request of a batch must have a path, not a whole URL');
  return {
    ...{ id, method, url: path },
    headers: {
      Prefer: [IMMUTABLE_IDS, ...prefer].join(', '),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  };
}

function parse(bytes: Uint8Array): unknown {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isRecord(value) ? value['responses'] : undefined;
}

/** Finds a header by its lower-case name; the case of names in a batch response varies. */
function headerOf(headers: unknown, name: string): string | undefined {
  const found = isRecord(headers) ? Object.entries(headers).find(([key]) => key.toLowerCase() === name) : undefined;
  return typeof found?.[1] === 'string' || typeof found?.[1] === 'number' ? String(found[1]) : undefined;
}
