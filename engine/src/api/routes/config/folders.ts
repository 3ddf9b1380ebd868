import { listFolder } from '../../../file/list-folder.ts';
import { isHidden } from '../../../file/notebook/scope-check.ts';
import type { AddRoutes } from '../../api.ts';
import { queryText } from '../../http/query.ts';

/** Most entries of a folder that are read. */
const MAX_ENTRIES = 2000;

/** The folders of one folder of a notebook; without a notebook, the notebooks. */
export interface NotebookFolderList {
  readonly notebook: string | null;
  /** From the root of the notebook: `/clients`; `/` is the root. */
  readonly path: string;
  readonly folders: readonly string[];
  readonly isTruncated: boolean;
}

/**
 * `GET /api/folders`: the notebooks (`roots` of the settings) · `GET /api/folders?notebook=&path=`: the folders in one folder of a notebook, to
 * choose those of a `scope`. Follows no link, and leaves out names with a dot at the start. `NOT_FOUND`, `FILE_DENIED`.
 */
export const folderRoutes: AddRoutes = (router, { notebooks }) => {
  router.get('/folders', async (ctx) => {
    const notebook = queryText(ctx, 'notebook');
    if (notebook === undefined) {
      ctx.body = { notebook: null, path: '/', folders: notebooks.names(), isTruncated: false };
      return;
    }
    const gone = new AbortController();
    ctx.res.once('close', () => gone.abort());
    const options = { absolute: 'root', limit: MAX_ENTRIES, signal: gone.signal } as const;
    const found = await listFolder(notebooks.root(notebook), queryText(ctx, 'path') ?? '/', options);
    const folders = found.entries.filter(({ kind, path }) => kind === 'folder' && !isHidden(path));
    ctx.body = {
      notebook,
      path: `/${found.path}`,
      folders: folders.map(({ path }) => `/${path}`),
      isTruncated: found.isTruncated,
    } satisfies NotebookFolderList;
  });
};
