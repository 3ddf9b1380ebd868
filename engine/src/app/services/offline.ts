import type { Agenda } from '../../agenda/agenda.ts';
import { EngineError } from '../../base/error.ts';
import type { MailService } from '../../mail/send/mail-service.ts';
import type { OpenSource } from '../../mail/source.ts';
import type { EmbeddingModels } from '../../model/embedding.ts';
import type { Deliver } from '../../notification/deliveries.ts';
import type { Store } from '../../store/store.ts';
import type { DeclaredServices } from '../../tool/declared-tool.ts';
import { McpServers } from '../../tool/mcp/mcp-servers.ts';

/** Embedding models of an app that reaches no other machine: there are none, so memories are searched by words. */
export const OFFLINE_EMBEDDINGS: EmbeddingModels = { open: () => undefined, close: async () => {} };

/** Opens no mailbox. Rejects with `ACCOUNT_FAILED`. */
export const refuseMailbox: MailService['open'] = ({ id }) =>
  Promise.reject(new EngineError('ACCOUNT_FAILED', `the mailbox of ${id} is not opened in a replay`));

/** Fetches from no account. Throws `ACCOUNT_FAILED`. */
export const refuseSource: OpenSource = ({ id }) => {
  throw new EngineError('ACCOUNT_FAILED', `no mail of ${id} is fetched in a replay`);
};

/** Opens no calendar and no list, those of this machine included. Rejects with `ACCOUNT_FAILED`. */
export function offlineAgenda(agenda: Agenda): Agenda {
  const refuse = () =>
    Promise.reject(new EngineError('ACCOUNT_FAILED', 'calendars and to-do lists are not opened in a replay'));
  return { ...agenda, calendar: refuse, todos: refuse };
}

/** Sends no notification, by no channel. Rejects with `NOTIFY_FAILED`. */
export const refuseDelivery: Deliver = (channel) =>
  Promise.reject(new EngineError('NOTIFY_FAILED', `a replay sends no notification by ${channel}`));

/** MCP servers that are never connected; lists that the store has still hold. */
export function offlineServers({ clock, log }: DeclaredServices, store: Store, version: string): McpServers {
  return new McpServers({
    ...{ store, clock, log, version },
    open: async ({ id }) => {
      throw new EngineError('TOOL_FAILED', `the server "${id}" is not connected in a replay`);
    },
  });
}
