import type { AddRoutes } from '../api.ts';
import { loginRoutes } from '../auth/login.ts';
import { oauthRoutes } from '../auth/oauth.ts';
import { mcpRoutes } from './client/mcp.ts';
import { configTryRoutes } from './config/config-try.ts';
import { toolCatalogRoutes } from './config/tool-catalog.ts';
import { documentRoutes } from './config/documents.ts';
import { promptPreviewRoutes } from './config/prompt-preview.ts';
import { secretRoutes } from './config/secrets.ts';
import { diagnosticRoutes } from './diagnostics/diagnostics.ts';
import { healthRoutes } from './diagnostics/health.ts';
import { streamRoutes } from './diagnostics/stream.ts';
import { traceRoutes } from './diagnostics/trace.ts';
import { memoryRoutes } from './memory/memories.ts';
import { accountRoutes } from './mail/accounts.ts';
import { emailBodyRoutes } from './mail/email-body.ts';
import { emailRoutes } from './mail/emails.ts';
import { fetcherRoutes } from './mail/fetcher.ts';
import { notificationRoutes } from './mail/notifications.ts';
import { reminderRoutes } from './mail/reminders.ts';
import { replyRoutes } from './mail/reply.ts';
import { todoRoutes } from './mail/todos.ts';
import { agentSessionRoutes } from './run/agent-sessions.ts';
import { approvalRoutes } from './run/approvals.ts';
import { conversationRoutes } from './run/conversations.ts';
import { fileChangeRoutes } from './run/file-changes.ts';
import { itemRoutes } from './run/items.ts';
import { learnRoutes } from './run/learn.ts';
import { retryRoutes } from './run/retry.ts';
import { runRoutes } from './run/runs.ts';
import { spendRoutes } from './run/spend.ts';

/** The routes of one resource. */
export interface Resource {
  /** Base name of the file that adds the routes. */
  readonly name: string;
  readonly add: AddRoutes;
}

/** All resources. The router tries routes in this order: a fixed path comes before a `/:id` of another resource. */
export const ROUTES: readonly Resource[] = [
  { name: 'accounts', add: accountRoutes },
  { name: 'oauth', add: oauthRoutes },
  { name: 'reply', add: replyRoutes },
  { name: 'secrets', add: secretRoutes },
  { name: 'health', add: healthRoutes },
  { name: 'login', add: loginRoutes },
  { name: 'tool-catalog', add: toolCatalogRoutes },
  { name: 'documents', add: documentRoutes },
  { name: 'config-try', add: configTryRoutes },
  { name: 'prompt-preview', add: promptPreviewRoutes },
  { name: 'emails', add: emailRoutes },
  { name: 'email-body', add: emailBodyRoutes },
  { name: 'conversations', add: conversationRoutes },
  { name: 'items', add: itemRoutes },
  { name: 'runs', add: runRoutes },
  { name: 'retry', add: retryRoutes },
  { name: 'agent-sessions', add: agentSessionRoutes },
  { name: 'approvals', add: approvalRoutes },
  { name: 'file-changes', add: fileChangeRoutes },
  { name: 'learn', add: learnRoutes },
  { name: 'todos', add: todoRoutes },
  { name: 'reminders', add: reminderRoutes },
  { name: 'notifications', add: notificationRoutes },
  { name: 'memories', add: memoryRoutes },
  { name: 'fetcher', add: fetcherRoutes },
  { name: 'spend', add: spendRoutes },
  { name: 'mcp', add: mcpRoutes },
  { name: 'trace', add: traceRoutes },
  { name: 'diagnostics', add: diagnosticRoutes },
  { name: 'stream', add: streamRoutes },
];
