import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { Graph, GraphOptions, GraphPage } from './graph.ts';
import { requestInBatches } from './graph-batch.ts';
import { concurrencyOf } from './graph-concurrency.ts';
import { createTransport } from './graph-transport.ts';
import { uploadRanges } from './graph-upload.ts';

/** Limit for a JSON response. A page of a delta query has some KB, an event with a long body some MB. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;

/** Creates the client of one account. It opens no connection before the first request. */
export function createGraph(options: GraphOptions): Graph {
  const transport = createTransport(options, concurrencyOf(options.tokens, options.clock));

  const graph: Graph = {
    async json(request) {
      return transport.request(request, MAX_JSON_BYTES, jsonOf);
    },
    bytes: (request) => transport.request(request, request.maxBytes, (bytes) => bytes),
    async page(request) {
      const { value, '@odata.nextLink': nextLink, '@odata.deltaLink': deltaLink } = await graph.json(request);
      return {
        items: Array.isArray(value) ? value.filter(isRecord) : [],
        ...(typeof nextLink === 'string' && { nextLink }),
        ...(typeof deltaLink === 'string' && { deltaLink }),
      };
    },
    async *items(request) {
      for (let path: string | undefined = request.path; path !== undefined;) {
        const { items, nextLink }: GraphPage = await graph.page({ ...request, path });
        yield* items;
        path = nextLink;
      }
    },
    batch: (requests, { maxBytes = MAX_JSON_BYTES, ...abortable } = {}) =>
      requestInBatches(requests, { transport, clock: options.clock, maxBytes, ...abortable }),
    upload: (request) => uploadRanges(request, transport, options.clock),
  };
  return graph;
}

function jsonOf(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    value = undefined;
  }
  if (isRecord(value)) return value;
  throw new EngineError('ACCOUNT_FAILED', 'Microsoft Graph answered with something other than a JSON object', {
    hint: 'A proxy may answer in place of Microsoft, or `endpoints.api` is wrong.',
    retryable: true,
  });
}
