import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { MAX_WAIT_MS, type AttemptResult, waitMsFor } from '../request-retry.ts';
import type { GraphUpload } from './graph.ts';
import { type GraphProblem, isTransient } from './graph-error.ts';
import type { GraphTransport, TokenlessRequest } from './graph-transport.ts';

/** Size of a range, a multiple of 320 KiB. Small enough for a slow connection to send within the timeout. */
const RANGE_BYTES = 4 * 320 * 1024;

/** Attempts in a row without progress after which an upload stops. */
const MAX_STALLS = 4;

/** Statuses of a session that has expired or ended, or whose address is no longer accepted. */
const GONE = new Set([401, 403, 404, 409, 410, 412]);

/** State of a session after a range: the file is complete, or `next` is the first byte that is missing. */
type Progress = { readonly isComplete: true } | { readonly isComplete: false; readonly next: number | undefined };

/** Uploads a file in ranges: see `Graph.upload`, and "Attach large files to Outlook messages" in Microsoft's documentation. */
export function uploadRanges(upload: GraphUpload, transport: GraphTransport, clock: Clock): Promise<boolean> {
  return new RangeUpload(upload, transport, clock).run();
}

class RangeUpload {
  readonly #upload: GraphUpload;
  readonly #transport: GraphTransport;
  readonly #clock: Clock;
  /** Ranges in a row without progress. */
  #stalls = 0;
  #waitedMs = 0;

  constructor(upload: GraphUpload, transport: GraphTransport, clock: Clock) {
    this.#upload = upload;
    this.#transport = transport;
    this.#clock = clock;
  }

  async run(): Promise<boolean> {
    const { bytes } = this.#upload;
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(at + RANGE_BYTES, bytes.length);
      const outcome = await this.#put(at, end);
      let next: number | undefined;
      if ('problem' in outcome) next = await this.#nextAfter(outcome.problem);
      else if (outcome.value.isComplete) return end === bytes.length;
      else next = outcome.value.next ?? end;
      if (next === undefined || next > bytes.length) return false;
      this.#stalls = next > at ? 0 : this.#stalls + 1;
      if (this.#stalls >= MAX_STALLS) return false;
      at = next;
    }
    return false;
  }

  /** Sends the bytes from `at` to `end` (exclusive). */
  #put(at: number, end: number): Promise<AttemptResult<Progress, GraphProblem>> {
    const { bytes } = this.#upload;
    return this.#request({
      method: 'PUT',
      headers: {
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${at}-${end - 1}/${bytes.length}`,
      },
      bytes: new Uint8Array(bytes.subarray(at, end)),
    });
  }

  /** Asks the session after a pause from which byte to continue after a failed range; undefined where the session is gone. */
  async #nextAfter(problem: GraphProblem): Promise<number | undefined> {
    const { scopes, signal, uploadUrl } = this.#upload;
    const failed = () => this.#transport.errorOf(problem, scopes, URL.parse(uploadUrl)?.host);
    if (GONE.has(problem.status)) return undefined;
    if (problem.status !== 416 && !isTransient(problem)) throw failed();
    const waitMs = waitMsFor(problem, this.#stalls + 1);
    this.#waitedMs += waitMs;
    if (this.#stalls + 1 >= MAX_STALLS || this.#waitedMs > MAX_WAIT_MS) throw failed();
    await sleep(waitMs, { signal, clock: this.#clock });
    // The failed range may have arrived, whole or in part.
    const asked = await this.#request({ method: 'GET' });
    return 'value' in asked && !asked.value.isComplete ? asked.value.next : undefined;
  }

  #request(
    request: Pick<TokenlessRequest, 'method' | 'headers' | 'bytes'>,
  ): Promise<AttemptResult<Progress, GraphProblem>> {
    const { uploadUrl, scopes, signal } = this.#upload;
    return this.#transport.requestWithoutToken({ ...request, address: uploadUrl, scopes, signal }, progressOf);
  }
}

/** Parses the state of a session. 201: complete. `nextExpectedRanges` is `["2097152"]`, or `["0-"]` before the first range. */
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
