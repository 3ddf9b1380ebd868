import { parentPort, threadId, workerData } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import { openIndexDatabase } from './index-database.ts';
import type { IndexRequest, IndexReply, IndexJob } from './index-jobs.ts';
import { MemoryIndex } from './memory-index.ts';

// The worker thread that has the index. It opens the index with the first job.
let index: { readonly file: string; readonly open: MemoryIndex; transact<T>(work: () => T): T } | undefined;

function openAt(file: string): NonNullable<typeof index> {
  if (index?.file === file) return index;
  index?.open.close();
  const db = openIndexDatabase(file);
  const transact = <T>(work: () => T): T => {
    db.exec('BEGIN');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  };
  return (index = { file, open: new MemoryIndex(db), transact });
}

function work(open: MemoryIndex, job: IndexJob): unknown {
  switch (job.kind) {
    case 'begin':
      return open.begin(job.model);
    case 'compare':
      return open.compare(job.stored);
    case 'end':
      open.end();
      return open.vectors;
    case 'put':
      for (const id of job.gone) open.delete(id);
      for (const memory of job.memories) open.put(memory);
      return open.vectors;
    case 'search':
      return open.search(job.query);
    case 'missing':
      return open.missing(job.after, job.limit);
    case 'counts':
      return open.counts();
    case 'close':
      open.close();
      index = undefined;
      return undefined;
    default:
      return job satisfies never;
  }
}

if (workerData !== null)
  serveJobs(parentPort, ({ file, job }: IndexRequest): IndexReply => {
    const { open, transact } = openAt(file);
    const isRead = job.kind === 'search' || job.kind === 'missing' || job.kind === 'counts' || job.kind === 'close';
    return { thread: threadId, value: isRead ? work(open, job) : transact(() => work(open, job)) };
  });
