import type { Page } from '../../../api/http/paging.ts';
import type { MemoryView } from '../../../memory/memory-view.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findId } from '../../find-id.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';

/** Largest page of the API. */
const MAX_PAGE = 200;

/** Options that select memories. */
export interface MemoryFilterOptions {
  readonly scope?: string;
  readonly director?: string;
  readonly agent?: string;
  readonly tag?: string;
  readonly untrusted?: boolean;
}

/** The options as query parameters of `GET /api/memory`. */
export function filterQuery({ untrusted = false, scope, director, agent, tag }: MemoryFilterOptions): URLSearchParams {
  const given = Object.entries({ scope, director, agent, tag }).filter(([, value]) => value !== undefined);
  return new URLSearchParams({ ...Object.fromEntries(given), ...(untrusted && { trust: 'untrusted' }) });
}

/** `memory search <words...>`: prints the best matches first. */
export async function searchMemories(
  context: CommandContext,
  { limit = '20', ...filter }: MemoryFilterOptions & { readonly limit?: string },
  words: readonly string[],
): Promise<number> {
  const query = filterQuery(filter);
  query.set('query', words.join(' '));
  query.set('limit', limit);
  const page = await withApi(context, { isDriving: false }, (client) =>
    client.request<Page<MemoryView> & { by: string; model?: string }>('GET', `/api/memory?${query}`),
  );
  show(context, page);
  const { by, model } = page;
  if (!context.isJson) context.say(`searched by ${by === 'words' ? 'words' : `words and vectors (${model ?? ''})`}`);
  return EXIT.fine;
}

/** `memory list`: prints memories, newest first. */
export async function listMemories(
  context: CommandContext,
  { forgotten = false, ...filter }: MemoryFilterOptions & { readonly forgotten?: boolean },
): Promise<number> {
  const query = filterQuery(filter);
  query.set('limit', String(MAX_PAGE));
  if (forgotten) query.set('includeDeleted', 'true');
  const page = await withApi(context, { isDriving: false }, (client) =>
    client.request<Page<MemoryView>>('GET', `/api/memory?${query}`),
  );
  show(context, page);
  if (!context.isJson && page.nextCursor !== null) context.say(`only the newest ${MAX_PAGE} are listed`);
  return EXIT.fine;
}

function show(context: CommandContext, page: Page<MemoryView>): void {
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no memories');
  else context.terminal.out(format(page.items, widthOf(context.terminal)));
}

function format(memories: readonly MemoryView[], width: number): string {
  const ids = shortIds(memories.map(({ id }) => id));
  const rows = memories.map((memory) => [
    ids.get(memory.id) ?? memory.id,
    memory.scope,
    [memory.directorId, memory.agentId].filter((id) => id !== '').join('+'),
    memory.timestamp.slice(0, 10),
    memory.deletedAt === undefined ? memory.trust : 'forgotten',
    oneLine(memory.content),
  ]);
  return formatTable(['ID', 'SCOPE', 'OF', 'DATE', 'TRUST', { head: 'CONTENT', cut: 1, min: 20 }], rows, width);
}

/** `memory forget <id>`: forgets a memory; with `--hard` for good. */
export async function forget(
  context: CommandContext,
  { hard = false }: { readonly hard?: boolean },
  [given = '']: readonly string[],
): Promise<number> {
  const id = await withApi(context, { isDriving: false }, async (client) => {
    const found = await findId(client, 'memory', given);
    await client.request('DELETE', `${path`/api/memory/${found}`}?hard=${hard}`);
    return found;
  });
  if (context.isJson) context.print({ forgotten: id, hard });
  else
    context.say(hard ? `deleted ${oneLine(id)}` : `forgotten: ${oneLine(id)}; callsheet memory restore brings it back`);
  return EXIT.fine;
}

/** `memory restore <id>`: brings back a forgotten memory. */
export async function restore(
  context: CommandContext,
  _options: object,
  [id = '']: readonly string[],
): Promise<number> {
  const memory = await withApi(context, { isDriving: false }, (client) =>
    client.request<MemoryView>('POST', path`/api/memory/${id}/restore`),
  );
  if (context.isJson) context.print(memory);
  else context.say(`restored: ${oneLine(memory.content)}`);
  return EXIT.fine;
}
