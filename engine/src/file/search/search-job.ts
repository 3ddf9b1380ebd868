import type { WalkedFile } from './walk.ts';
import { walkFiles } from './walk.ts';
import { decodeText } from '../text/decode.ts';
import { isDocumentName, isPackedName } from '../text/form.ts';
import { readQuery } from './match.ts';

/** Largest file of text whose content is searched. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Most PDF and DOCX files of one search. */
const MAX_PACKED = 500;

/** A search below a folder, for a worker thread. */
export interface SearchJob {
  /** Real paths of the root and of a folder in it. */
  readonly root: string;
  readonly folder: string;
  readonly query: string;
  /** Where the query is looked for. */
  readonly by: 'name' | 'content' | 'both';
  /** Only files with the ending of a document. */
  readonly documentsOnly: boolean;
  /** Most hits. */
  readonly limit: number;
  /** Time after which the search ends with what it has found. */
  readonly timeoutMs: number;
}

/** A file that a search has found. */
export interface FileHit {
  /** Path below the folder of the search. */
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly found: 'name' | 'content';
  /** The first line with the words, from 1, and the text around them. */
  readonly line?: number;
  readonly excerpt?: string;
}

/** What a search has found. */
export interface SearchResult {
  /** Names first, then contents, each in the order of the paths. */
  readonly hits: readonly FileHit[];
  /** PDF and DOCX files whose content was not searched, since that needs a worker of its own. */
  readonly packed: readonly Omit<FileHit, 'found'>[];
  /** False where the time was over, a folder could not be opened, or there are more such files than `packed` lists. */
  readonly isWhole: boolean;
}

/** Searches names, then contents. Synchronous: for a worker thread. */
export function searchFiles(job: SearchJob): SearchResult {
  const end = performance.now() + job.timeoutMs;
  const query = readQuery(job.query);
  const hits: FileHit[] = [];
  const packed: Omit<FileHit, 'found'>[] = [];
  let isWhole = true;
  const isOver = () => hits.length >= job.limit;
  const walk = (visit: (file: WalkedFile) => void) => {
    if (isOver()) return;
    const saw = walkFiles(job, (file) => {
      if (performance.now() > end) return false;
      if (!job.documentsOnly || isDocumentName(file.name)) visit(file);
      return !isOver();
    });
    isWhole &&= saw || isOver();
  };
  const add = (file: WalkedFile, found: FileHit['found'], place: object = {}) => {
    const facts = file.facts();
    if (facts !== undefined) hits.push({ path: file.path, ...facts, found, ...place });
  };
  if (job.by !== 'content')
    walk((file) => {
      if (query.hasName(file.path)) add(file, 'name');
    });
  if (job.by !== 'name' && !job.query.includes('*'))
    walk((file) => {
      if (job.by === 'both' && query.hasName(file.path)) return;
      if (isPackedName(file.name)) {
        if (packed.length >= MAX_PACKED) isWhole = false;
        else {
          const facts = file.facts();
          if (facts !== undefined) packed.push({ path: file.path, ...facts });
        }
        return;
      }
      const text = textOf(file);
      const place = text === undefined ? undefined : query.findIn(text);
      if (place !== undefined) add(file, 'content', place);
    });
  return { hits, packed, isWhole };
}

function textOf(file: WalkedFile): string | undefined {
  const bytes = file.read(MAX_BYTES);
  return bytes === undefined ? undefined : decodeText(bytes)?.text;
}
