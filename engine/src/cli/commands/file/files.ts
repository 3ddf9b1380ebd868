import type { Page } from '../../../api/http/paging.ts';
import type { FileChange } from '../../../file/notebook/change-rows.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findId } from '../../find-id.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { formatTable, oneLine, plain } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { withApi, withRows } from '../../with-api.ts';

/** Largest page of the API. */
const MAX_PAGE = 200;

/** `files list`: prints the changes of files, newest first. */
export async function listFileChanges(context: CommandContext, { run }: { readonly run?: string }): Promise<number> {
  const page = await withRows(context, async (client) => {
    const runId = run === undefined ? undefined : await findId(client, 'run', run);
    const query = new URLSearchParams({ limit: String(MAX_PAGE), ...(runId !== undefined && { run: runId }) });
    return client.request<Page<FileChange>>('GET', `/api/files/changes?${query}`);
  });
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no changes of files');
  else context.terminal.out(formatChanges(page.items, widthOf(context.terminal)));
  if (!context.isJson && page.nextCursor !== null) context.say(`only the newest ${MAX_PAGE} are listed`);
  return EXIT.fine;
}

function formatChanges(changes: readonly FileChange[], width: number): string {
  const ids = shortIds(changes.map(({ id }) => id));
  const runs = shortIds(changes.map(({ runId }) => runId));
  const rows = changes.map((change) => [
    ids.get(change.id) ?? change.id,
    change.at.slice(0, 16).replace('T', ' '),
    statusOf(change),
    runs.get(change.runId) ?? change.runId,
    authorOf(change),
    oneLine(`${change.notebook}:${change.path}`),
  ]);
  return formatTable(['EFFECT', 'AT', 'CHANGE', 'RUN', 'BY', { head: 'FILE', cut: 1, min: 20 }], rows, width);
}

function statusOf({ operation, undoes, undoneBy, state }: FileChange): string {
  if (state === 'intended') return `${operation} (unfinished)`;
  if (undoes !== undefined) return undoneBy === undefined ? 'undo' : 'undo (undone)';
  return undoneBy === undefined ? operation : `${operation} (undone)`;
}

function authorOf({ author }: FileChange): string {
  if (author.by === 'user') return 'you';
  return author.by === 'agent' ? (author.agentId ?? '') : author.directorId;
}

/** `files show <effect>`: prints the difference that a change made. */
export async function showFileChange(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const change = await withApi(context, { isDriving: false }, async (client) =>
    client.request<FileChange & { readonly diff?: string }>(
      'GET',
      path`/api/files/changes/${await findId(client, 'change', given)}`,
    ),
  );
  if (context.isJson) context.print(change);
  else if (change.diff === undefined) context.say(`${oneLine(change.path)} was changed since: its diff is not known`);
  else context.terminal.out(plain(change.diff));
  return EXIT.fine;
}

/** `files undo <effect>`: brings back the file as it was before a change. `FILE_CHANGED` if it was changed since. */
export async function undoFileChange(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const undo = await withApi(context, { isDriving: false }, async (client) =>
    client.request<FileChange>('POST', path`/api/files/changes/${await findId(client, 'change', given)}/undo`),
  );
  if (context.isJson) context.print(undo);
  else {
    const done = undo.after === null ? 'deleted' : 'restored';
    context.say(`${done} ${oneLine(`${undo.notebook}:${undo.path}`)}; callsheet files undo ${undo.id} takes it back`);
  }
  return EXIT.fine;
}
