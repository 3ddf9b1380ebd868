import { join } from 'node:path';
import type { Abortable } from '../base/abort.ts';
import { EngineError } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import type { Snapshot } from '../config/config.ts';
import { folderOfSetting, overlapOf, type OwnFolders } from '../config/own-folders.ts';
import { type DocumentText, MAX_DOCUMENT_BYTES, type TextSummary } from './document.ts';
import type { FileFacts, FileRoot } from './file.ts';
import { deniedPath, quoted } from './path-text.ts';
import { readFacts, readFileBelow } from './read-file.ts';
import { resolvePath } from './resolve-path.ts';
import { readQuery } from './search/match.ts';
import type { FileHit, SearchJob, SearchResult } from './search/search-job.ts';
import { createSearchWorkers } from './search/search-workers.ts';
import { TextCache } from './text-cache.ts';
import type { TextSource } from './text/read-text.ts';
import { createTextWorkers } from './text/text-workers.ts';

/** Time of one search, without that for PDF and DOCX files. */
const SEARCH_MS = 20_000;
/** Time for the PDF and DOCX files of one search. */
const PACKED_MS = 10_000;

/** A search below `virtualRoot`. */
export interface FileSearch {
  /** Words, or a pattern of names with `*`. Empty: every file. */
  readonly query: string;
  /** Folder below the root; the root itself where it is left out. */
  readonly folder?: string | undefined;
  readonly by: SearchJob['by'];
  readonly documentsOnly?: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** One page of the files that a search has found. Paths start at the root. */
export interface FoundFiles {
  readonly files: readonly FileHit[];
  /** True where there are more. */
  readonly hasMore: boolean;
  /** False where some files could not be searched in time. */
  readonly isWhole: boolean;
}

/** A file with its text. */
export interface FileDocument {
  readonly facts: FileFacts;
  readonly document: DocumentText;
}

/** Reads and searches the files below `settings.virtualRoot`. Names that begin with a dot are not there for it. */
export interface FileService {
  /** The folder that the settings name. `FILE_DENIED` where they name none, or one that overlaps the engine's own. */
  root(): FileRoot & { readonly setting: string };
  /** Searches names and contents in worker threads. Errors as `resolvePath`. */
  search(search: FileSearch, options?: Abortable): Promise<FoundFiles>;
  /** The text of a file. Errors as `readFileBelow` and `readText`. */
  read(path: string, options?: Abortable): Promise<FileDocument>;
  /** The bytes of a file of at most `maxBytes`. Errors as `readFileBelow`. */
  bytes(path: string, options: Abortable & { readonly maxBytes: number }): ReturnType<typeof readFileBelow>;
  /** The text of bytes from elsewhere, such as an attachment. `key` names the content. Errors as `readText`. */
  textOf(key: string, source: () => Promise<TextSource>, options?: Abortable): Promise<DocumentText>;
  /** See `summarizeText`. */
  summarize(text: string, maxCharacters: number, focus: string, options?: Abortable): Promise<TextSummary>;
  /** Writes a refused access to the log. */
  reportDenied(fields: Readonly<Record<string, string>>): void;
  /** Stops the worker threads. */
  close(): Promise<void>;
}

interface Options {
  readonly config: () => Pick<Snapshot, 'settings'>;
  readonly folders: OwnFolders;
  readonly log: Logger;
}

/** Opens the service. No thread starts and no file is opened before first use. */
export function openFiles({ config, folders, log }: Options): FileService {
  const texts = createTextWorkers();
  const searches = createSearchWorkers();
  const cache = new TextCache();
  const root = () => rootOf(config().settings.virtualRoot, folders);
  const textOf: FileService['textOf'] = (key, source, options) =>
    cache.get(key, async () => texts.read(await source(), options));

  async function read(path: string, options: Abortable = {}): Promise<FileDocument> {
    const from = root();
    const facts = await readFacts(from, path, options);
    expectShown(from, facts.path);
    if (facts.kind === 'folder')
      throw new EngineError('BAD_REQUEST', `${quoted(path)} is a folder, not a file`, { hint: 'name a file in it' });
    const key = JSON.stringify(['file', from.folder, facts]);
    const source = async () => {
      const { bytes } = await readFileBelow(from, facts.path, { ...options, maxBytes: MAX_DOCUMENT_BYTES });
      return { bytes, name: facts.path };
    };
    return { facts, document: await textOf(key, source, options) };
  }

  async function searchPacked(packed: SearchResult['packed'], search: FileSearch, most: number, options: Abortable) {
    const query = readQuery(search.query);
    const hits: FileHit[] = [];
    const end = performance.now() + PACKED_MS;
    let isWhole = true;
    for (const file of packed) {
      if (hits.length >= most) break;
      if (performance.now() > end) return { hits, isWhole: false };
      options.signal?.throwIfAborted();
      // A damaged file is no reason to end a search.
      const text = await read(file.path, options).catch(() => undefined);
      options.signal?.throwIfAborted();
      isWhole &&= text !== undefined;
      const place = text === undefined ? undefined : query.findIn(text.document.text);
      if (place !== undefined) hits.push({ ...file, found: 'content', ...place });
    }
    return { hits, isWhole };
  }

  return {
    root,
    async search(search, options = {}) {
      const from = root();
      const real = await resolvePath(from, search.folder ?? '', options);
      expectShown(from, real.path);
      const { query, by, offset, limit, documentsOnly = false } = search;
      const most = offset + limit + 1;
      const job = {
        root: real.root,
        folder: real.absolute,
        query,
        by,
        documentsOnly,
        limit: most,
        timeoutMs: SEARCH_MS,
      };
      const found = await searches.search(job, options);
      const below = <File extends { readonly path: string }>(file: File): File =>
        real.path === '' ? file : { ...file, path: `${real.path}/${file.path}` };
      const packed = await searchPacked(found.packed.map(below), search, most - found.hits.length, options);
      const hits = [...found.hits.map(below), ...packed.hits];
      return {
        files: hits.slice(offset, offset + limit),
        hasMore: hits.length > offset + limit,
        isWhole: found.isWhole && packed.isWhole,
      };
    },
    read,
    async bytes(path, options) {
      const from = root();
      const { path: real } = await readFacts(from, path, options);
      expectShown(from, real);
      return readFileBelow(from, real, options);
    },
    textOf,
    summarize: (text, maxCharacters, focus, options) => texts.summarize(text, maxCharacters, focus, options),
    reportDenied: (fields) => log.warn('file access denied', fields),
    async close() {
      await Promise.all([texts.close(), searches.close()]);
    },
  };
}

function rootOf(setting: string | undefined, folders: OwnFolders): ReturnType<FileService['root']> {
  const hint = 'a person must set virtualRoot in settings.yaml';
  if (setting === undefined) throw new EngineError('FILE_DENIED', 'no folder is open to tools', { hint });
  const folder = folderOfSetting(setting, folders.config);
  // The settings were checked, but a folder may have become a link since.
  const overlap = overlapOf(folder, folders);
  if (overlap !== undefined) throw new EngineError('FILE_DENIED', `virtualRoot ${overlap}`, { hint });
  return { name: 'virtualRoot', folder: join(folder), setting };
}

function expectShown(root: FileRoot, path: string): void {
  if (path.split('/').some((name) => name.startsWith('.'))) throw deniedPath(root, path, 'hidden files are not opened');
}
