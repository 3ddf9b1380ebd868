import { EngineError } from '../../../base/error.ts';
import { readExportedChat, readExportedMessage } from '../../../chat/export/exported-chat.ts';
import { beginImport, endImport, importMessages } from '../../../chat/export/import-chat.ts';
import type { AddRoutes } from '../../api.ts';
import { type Field, flag, object, optional, readBody, text } from '../../http/body.ts';

/**
 * `POST /api/chats/import`: `{ chat }` begins, `{ id, messages }` adds the next messages, `{ id, isComplete: true }` ends and answers with the
 * chat, which no list shows before that.
 */
export const importChatRoutes: AddRoutes = (router, { deps }) => {
  router.post('/chats/import', async (ctx) => {
    const given = readBody(ctx, {
      chat: optional(object),
      id: optional(text),
      messages: optional(list),
      isComplete: optional(flag),
    });
    const chat = given.chat === undefined ? undefined : readExportedChat(given.chat);
    const messages = (given.messages ?? []).map(readExportedMessage);
    const id = chat?.id ?? given.id;
    if (id === undefined) throw new EngineError('BAD_REQUEST', '"chat" or "id" is missing');
    if (chat !== undefined) await beginImport(deps, chat);
    if (messages.length > 0) await importMessages(deps, id, messages);
    ctx.status = 201;
    ctx.body = given.isComplete === true ? await endImport(deps, id) : { id };
  });
};

const list: Field<readonly unknown[]> = (value, key) => {
  if (Array.isArray(value)) return value;
  throw new EngineError('BAD_REQUEST', `"${key}" must be a list`);
};
