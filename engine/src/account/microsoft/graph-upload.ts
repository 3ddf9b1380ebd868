import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { MOST_WAIT_MS, type AttemptResult, waitOf } from '../request-retry.ts';
import type { GraphUpload } from './graph.ts';
import { type GraphProblem, isBrief } from './graph-error.ts';
import type { GraphTransport, TokenlessRequest } from './graph-transport.ts';

/** Ranges are multiples of 320 KiB. Small enough for a slow line to send one before it counts as silent. */
const RANGE_BYTES = 4 * 320 * 1024;

/** So often in a row nothing of a file gets further. */
const MOST_STOPS = 4;

/** The session has run out, is over, or its address is not taken any more. */
const GONE = new Set([401, 403, 404, 409, 410, 412]);

/** What a session says to a range: that the file is complete, or from which byte on it is to go on. */
type Progress = { readonly isComplete: true } | { readonly isComplete: false; readonly next: number | undefined };

/** See `Graph.upload`, and "Attach large files to Outlook messages" in Microsoft's documentation. */
export async function uploadRanges(
  { uploadUrl, bytes, scopes, signal }: GraphUpload,
  link: GraphTransport,
  clock: Clock,
): Promise<boolean> {
  const ask = (
    request: Pick<TokenlessRequest, 'method' | 'headers' | 'bytes'>,
  ): Promise<AttemptResult<Progress, GraphProblem>> =>
    link.askOpen({ ...request, address: uploadUrl, scopes, signal }, progressOf);
  const failed = (problem: GraphProblem) => link.errorOf(problem, scopes, URL.parse(uploadUrl)?.host);

  let at = 0;
  let stops = 0;
  let waitedMs = 0;
  while (at < bytes.length) {
    const end = Math.min(at + RANGE_BYTES, bytes.length);
    const outcome = await ask({
      method: 'PUT',
      headers: {
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${at}-${end - 1}/${bytes.length}`,
      },
      bytes: new Uint8Array(bytes.subarray(at, end)),
    });
    let next: number | undefined;
    if ('value' in outcome) {
      if (outcome.value.isComplete) return end === bytes.length;
      next = outcome.value.next ?? end;
    } else {
      const { problem } = outcome;
      if (GONE.has(problem.status)) return false;
      if (problem.status !== 416 && !isBrief(problem)) throw failed(problem);
      const waitMs = waitOf(problem, stops + 1);
      waitedMs += waitMs;
      if (stops + 1 >= MOST_STOPS || waitedMs > MOST_WAIT_MS) throw failed(problem);
      await sleep(waitMs, { signal, clock });
      // What was under way may have arrived, whole or in part.
      const asked = await ask({ method: 'GET' });
      next = 'value' in asked && !asked.value.isComplete ? asked.value.next : undefined;
    }
    if (next === undefined || next > bytes.length) return false;
    stops = next > at ? 0 : stops + 1;
    if (stops >= MOST_STOPS) return false;
    at = next;
  }
  return false;
}

/** 201 ends it. `nextExpectedRanges` is `["2097152"]`, or `["0-"]` of a session that nothing was sent to. */
function progressOf(bytes: Uint8Array, status: number): Progress {
  if (status === 201) return { isComplete: true };
  const [first] = rangesOf(bytes);
  const start = typeof first === 'string' ? /^(\d+)(-\d*)?$/.exec(first)?.[1] : undefined;
  return { isComplete: false, next: start === undefined ? undefined : Number(start) };
}

function rangesOf(bytes: Uint8Array): readonly unknown[] {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const ranges = isRecord(body) ? (body['nextExpectedRanges'] ?? body['NextExpectedRanges']) : undefined;
    return Array.isArray(ranges) ? ranges : [];
  } catch {
    return [];
  }
}
