import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import { type SearchJob, type SearchResult, searchFiles } from './search-job.ts';

serveJobs<SearchJob, SearchResult>(parentPort, searchFiles);
