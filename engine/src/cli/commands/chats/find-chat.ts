import type { Page } from '../../../api/http/paging.ts';
import { EngineError } from '../../../base/error.ts';
import type { Chat } from '../../../chat/chat.ts';
import { type ApiClient, path } from '../../client.ts';
import { oneLine } from '../../terminal/table.ts';

/**
 * The chat that a text stands for: an id, the beginning of one with or without `c_`, or `last` for the open one that changed last.
 * `NOT_FOUND`; `USAGE` with the candidates if there are several.
 */
export async function findChat(client: Pick<ApiClient, 'request'>, text: string): Promise<Chat> {
  const begin = `c_${text.replace(/^c_/i, '').toUpperCase()}`;
  if (text !== 'last' && begin.length === 28) return client.request<Chat>('GET', path`/api/chats/${begin}`);
  const query = text === 'last' ? 'limit=1' : `limit=6&idPrefix=${encodeURIComponent(begin)}`;
  const lists = text === 'last' ? ['false'] : ['false', 'true'];
  const found: Chat[] = [];
  for (const archived of lists)
    found.push(...(await client.request<Page<Chat>>('GET', `/api/chats?archived=${archived}&${query}`)).items);
  const [first, second] = found;
  if (first === undefined && text === 'last') throw await noLast(client);
  if (first === undefined)
    throw new EngineError('NOT_FOUND', `no chat has an id that begins with "${text}"`, {
      hint: 'callsheet chats list shows them',
    });
  if (second === undefined) return client.request<Chat>('GET', path`/api/chats/${first.id}`);
  throw new EngineError('USAGE', `"${text}" is the beginning of several ids`, {
    hint: ['write more of one of these:', ...found.map(({ id, title }) => `${id}  ${oneLine(title)}`)].join('\n'),
  });
}

/** Why there is no last chat. */
async function noLast(client: Pick<ApiClient, 'request'>): Promise<EngineError> {
  return (await hasArchived(client))
    ? new EngineError('NOT_FOUND', 'all chats are archived', { hint: ARCHIVED_HINT })
    : new EngineError('NOT_FOUND', 'there are no chats yet', { hint: 'begin one: callsheet chat @PRESET' });
}

/** How archived chats are listed. */
export const ARCHIVED_HINT = 'callsheet chats list --archived shows them';

/** Whether there are archived chats. */
export async function hasArchived(client: Pick<ApiClient, 'request'>): Promise<boolean> {
  return (await client.request<Page<Chat>>('GET', '/api/chats?archived=true&limit=1')).items.length > 0;
}
