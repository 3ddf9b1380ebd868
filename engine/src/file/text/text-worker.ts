import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import type { DocumentText, TextSummary } from '../document.ts';
import { readText, type TextSource } from './read-text.ts';
import { summarizeText } from './summary.ts';

/** Work on text that others may have written. */
export type TextJob =
  | ({ readonly kind: 'read' } & TextSource)
  | { readonly kind: 'summarize'; readonly text: string; readonly maxCharacters: number; readonly focus: string };

function work(job: TextJob): Promise<DocumentText> | TextSummary {
  return job.kind === 'read' ? readText(job) : summarizeText(job.text, job.maxCharacters, job.focus);
}

serveJobs<TextJob, DocumentText | TextSummary>(parentPort, work);
