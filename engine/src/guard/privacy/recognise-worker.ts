import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import { type FindOptions, findPrivate } from './recognise.ts';
import { PRIVATE_KINDS } from './private-span.ts';

/** A job of the worker thread. */
export interface FindJob {
  readonly text: string;
  readonly options: FindOptions;
}

/** Start, end and kind (its place in `PRIVATE_KINDS`) of each span: ten thousand objects would take the main thread longer. */
export type SpanNumbers = Uint32Array<ArrayBuffer>;

async function work({ text, options }: FindJob): Promise<SpanNumbers> {
  const spans = await findPrivate(text, options);
  return Uint32Array.from(spans.flatMap(({ start, end, kind }) => [start, end, PRIVATE_KINDS.indexOf(kind)]));
}

serveJobs(parentPort, work, ({ buffer }) => [buffer]);
