import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { quoted } from '../../file/path-text.ts';
import type { FileService, FoundFiles } from '../../file/open-files.ts';
import { trustOfFiles } from '../../file/tainted-files.ts';
import { defineTool } from '../define-tool.ts';
import { parameters } from '../parameters.ts';
import type { WorldTool } from '../tool.ts';
import type { ToolFamily, ToolServices } from '../tool-family.ts';
import { aboutText, LIST_PAGE, pageOf, TEXT_PAGE, withAccessLog } from './file-access.ts';

/** Largest file that is returned as base64. */
const MAX_BASE64_BYTES = 96 * 1024;

const VIRTUAL_ROOT = {
  type: 'string',
  maxLength: 4096,
  description:
    'The folder that you may open, as the settings write it, such as ./documents. Every other one is refused.',
} as const;

/** The file tools of seed 000, over `settings.virtualRoot`. */
export const filesystemFamily: ToolFamily = {
  name: 'filesystem',
  tools: ({ files, notebooks }) => [searchTool({ files, notebooks }), retrieveTool({ files, notebooks })],
};

type Services = Pick<ToolServices, 'files' | 'notebooks'>;

function searchTool({ files, notebooks }: Services): WorldTool {
  return defineTool({
    name: 'filesystem_search',
    trust: 'told',
    family: 'filesystem',
    reach: 'private',
    effects: 'read',
    repeat: 'free',
    description:
      'Finds files in the folder that you may open: first those whose path has all words of the query, then those whose text has them, also in PDF and DOCX files.',
    parameters: parameters(
      {
        virtualRoot: VIRTUAL_ROOT,
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'Words, in any order; or a pattern of a file name, such as *.pdf.',
        },
        by: { type: 'string', enum: ['name', 'content', 'both'], description: 'What has the words. Default both.' },
        folder: { type: 'string', maxLength: 4096, description: 'Only below this folder, such as contracts/2026.' },
        ...LIST_PAGE,
      },
      ['virtualRoot', 'query'],
    ),
    async run({ virtualRoot, folder, query, by = 'both', offset = 0, limit = 50 }, { caller, signal }) {
      signal?.throwIfAborted();
      const access = { tool: 'filesystem_search', path: folder ?? virtualRoot, caller };
      return withAccessLog(files(), access, async () => {
        expectRoot(files(), virtualRoot);
        const found = await files().search({ query, folder, by, offset, limit }, { signal });
        const paths = found.files.map(({ path }) => path);
        const trust = await trustOfFiles(notebooks().store, files().root(), paths);
        return { virtualRoot, files: found.files.map(listedFile), ...marksOf(found, offset + limit), ...trust };
      });
    },
  });
}

function retrieveTool({ files, notebooks }: Services): WorldTool {
  return defineTool({
    name: 'filesystem_retrieve',
    trust: 'told',
    family: 'filesystem',
    reach: 'private',
    effects: 'read',
    repeat: 'free',
    description: `Reads a file: its text, a page at a time, also of PDF, DOCX, HTML and CSV files. Another file is returned as base64, up to ${MAX_BASE64_BYTES / 1024} KB.`,
    parameters: parameters(
      {
        virtualRoot: VIRTUAL_ROOT,
        filePath: {
          type: 'string',
          minLength: 1,
          maxLength: 4096,
          description: 'Path below that folder, as filesystem_search returns it.',
        },
        ...TEXT_PAGE,
        as: {
          type: 'string',
          enum: ['text', 'base64'],
          description: 'base64: the bytes of the file also where it has text. Default text.',
        },
      },
      ['virtualRoot', 'filePath'],
    ),
    async run({ virtualRoot, filePath, as = 'text', ...page }, { caller, signal }) {
      signal?.throwIfAborted();
      return withAccessLog(files(), { tool: 'filesystem_retrieve', path: filePath, caller }, async () => {
        expectRoot(files(), virtualRoot);
        const read = as === 'base64' ? undefined : await textOrNothing(files(), filePath, signal);
        const { store } = notebooks();
        if (read === undefined) {
          const bytes = await bytesOf(files(), filePath, signal);
          return { ...bytes, ...(await trustOfFiles(store, files().root(), [bytes.path])) };
        }
        const { facts, document } = read;
        const trust = await trustOfFiles(store, files().root(), [facts.path]);
        return { ...factsOf(facts), ...aboutText(document), ...pageOf(document, page), ...trust };
      });
    },
  });
}

/** The text of a file; undefined for a file that has none. */
async function textOrNothing(files: FileService, path: string, signal: AbortSignal | undefined) {
  return files.read(path, { signal }).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'FILE_UNREADABLE') return undefined;
    throw error;
  });
}

async function bytesOf(files: FileService, path: string, signal: AbortSignal | undefined) {
  const { mimeTypeOf } = await import('../../file/text/form.ts');
  const { bytes, ...facts } = await files.bytes(path, { maxBytes: MAX_BASE64_BYTES, signal });
  return {
    ...factsOf(facts),
    mimeType: mimeTypeOf(facts.path),
    encoding: 'base64',
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  };
}

/** Refuses every root but the one of the settings (seed 000: the parameter is required and has no default). */
function expectRoot(files: FileService, virtualRoot: string): void {
  const { setting, folder } = files.root();
  const plain = (path: string) => path.replace(/^\.\//, '').replace(/\/+$/, '');
  if (virtualRoot === folder || plain(virtualRoot) === plain(setting)) return;
  throw new EngineError('FILE_DENIED', `the virtualRoot ${quoted(virtualRoot)} is refused: the settings name another`, {
    hint: `write virtualRoot: ${JSON.stringify(setting)}`,
  });
}

/** A file as lists of tools show it. */
export function listedFile({ found, line, excerpt, ...facts }: FoundFiles['files'][number]) {
  return { ...factsOf(facts), found, ...(line !== undefined && { line, excerpt }) };
}

/** Marks of a list that is not complete. */
export function marksOf({ hasMore, isWhole }: FoundFiles, nextOffset: number) {
  const note = 'some files were not searched: the time was over, or they are damaged; name a folder, or search by name';
  return { ...(hasMore && { truncated: true, nextOffset }), ...(!isWhole && { note }) };
}

function factsOf({ path, size, modifiedAt }: { path: string; size: number; modifiedAt: number }) {
  return { path, size, modified: isoTime(modifiedAt) };
}
