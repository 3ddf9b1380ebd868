import type { AddRoutes } from '../api.ts';
import { googleRoutes } from '../auth/google.ts';
import { loginRoutes } from '../auth/login.ts';
import { oauthRoutes } from '../auth/oauth.ts';
import type { Role } from '../access.ts';
import { chatRoutes } from './chat/chats.ts';
import { importChatRoutes } from './chat/import-chat.ts';
import { roamingRoutes } from './chat/roaming.ts';
import { mcpRoutes } from './client/mcp.ts';
import { agentCredentialRoutes } from './config/agent-credentials.ts';
import { changesRoutes } from './config/changes.ts';
import { configFormRoutes } from './config/config-forms.ts';
import { configLinkRoutes } from './config/config-links.ts';
import { configTryRoutes } from './config/config-try.ts';
import { folderRoutes } from './config/folders.ts';
import { permissionRoutes } from './config/permissions.ts';
import { toolCatalogRoutes } from './config/tool-catalog.ts';
import { documentRoutes } from './config/documents.ts';
import { encryptionRoutes } from './config/encryption.ts';
import { promptPreviewRoutes } from './config/prompt-preview.ts';
import { shadowRoutes } from './config/shadow.ts';
import { secretRoutes } from './config/secrets.ts';
import { agentFileRoutes } from './conversation/agent-files.ts';
import { estimateRoutes } from './conversation/estimate.ts';
import { uploadRoutes } from './conversation/uploads.ts';
import { diagnosticRoutes } from './diagnostics/diagnostics.ts';
import { healthRoutes } from './diagnostics/health.ts';
import { runConfigRoutes } from './diagnostics/run-config.ts';
import { streamRoutes } from './diagnostics/stream.ts';
import { traceRoutes } from './diagnostics/trace.ts';
import { itemFileRoutes } from './item/item-file.ts';
import { itemRevisionRoutes } from './item/item-revisions.ts';
import { learnProposalRoutes } from './memory/learn-proposals.ts';
import { memoryRoutes } from './memory/memories.ts';
import { accountRoutes } from './mail/accounts.ts';
import { emailBodyRoutes } from './mail/email-body.ts';
import { emailRoutes } from './mail/emails.ts';
import { fetcherRoutes } from './mail/fetcher.ts';
import { mailStateRoutes } from './mail/mail-state.ts';
import { notificationRoutes } from './mail/notifications.ts';
import { reminderRoutes } from './mail/reminders.ts';
import { replyRoutes } from './mail/reply.ts';
import { todoRoutes } from './mail/todos.ts';
import { objectiveRoutes } from './objective/objectives.ts';
import { agentSessionRoutes } from './run/agent-sessions.ts';
import { approvalLinkRoutes } from './run/approval-link.ts';
import { approvalRoutes } from './run/approvals.ts';
import { auditRoutes } from './run/audit.ts';
import { conversationRoutes } from './run/conversations.ts';
import { fileChangeRoutes } from './run/file-changes.ts';
import { itemRoutes } from './run/items.ts';
import { learnRoutes } from './run/learn.ts';
import { retryRoutes } from './run/retry.ts';
import { runRoutes } from './run/runs.ts';
import { saveTestRoutes } from './run/save-test.ts';
import { spendRoutes } from './run/spend.ts';
import { taskRoutes } from './task/tasks.ts';

/** The routes of one resource. */
export interface Resource {
  /** Base name of the file that adds the routes. */
  readonly name: string;
  readonly add: AddRoutes;
  /** Routes that need another role than usual, as `POST /approvals/:id`. Usual is `viewer` to read, `admin` for the rest. */
  readonly roles?: Readonly<Record<string, Role | 'anyone'>>;
}

/** The role that a route needs; `anyone` for those that need no sign-in. */
export function roleOf(
  { roles = {} }: Resource,
  route: { readonly methods: readonly string[]; readonly path: unknown },
) {
  const method = route.methods.find((name) => name !== 'HEAD') ?? 'HEAD';
  const path = String(route.path).replace(/^\/api(?=\/)/, '');
  return roles[`${method} ${path}`] ?? (method === 'GET' ? 'viewer' : 'admin');
}

/** All resources. The router tries routes in this order: a fixed path comes before a `/:id` of another resource. */
export const ROUTES: readonly Resource[] = [
  {
    name: 'accounts',
    add: accountRoutes,
    // A test connects to the provider and can begin a sign-in.
    roles: {
      'GET /accounts/:id/test': 'admin',
      'GET /accounts/:id/gmail-test': 'admin',
      'GET /accounts/:id/outlook-test': 'admin',
    },
  },
  {
    name: 'oauth',
    add: oauthRoutes,
    roles: {
      'GET /oauth2/google/initiate': 'admin',
      'GET /oauth2/outlook/initiate': 'admin',
      'GET /oauth2/google/callback': 'anyone',
      'GET /oauth2/outlook/callback': 'anyone',
    },
  },
  { name: 'reply', add: replyRoutes },
  { name: 'secrets', add: secretRoutes },
  // It shows a path of this machine.
  { name: 'encryption', add: encryptionRoutes, roles: { 'GET /encryption': 'admin' } },
  { name: 'agent-credentials', add: agentCredentialRoutes },
  { name: 'health', add: healthRoutes, roles: { 'GET /health': 'anyone' } },
  {
    name: 'login',
    add: loginRoutes,
    roles: { 'GET /auth/whoami': 'anyone', 'GET /auth/methods': 'anyone', 'POST /auth/logout': 'anyone' },
  },
  {
    name: 'google',
    add: googleRoutes,
    roles: { 'GET /auth/google/initiate': 'anyone', 'GET /auth/google/callback': 'anyone' },
  },
  { name: 'tool-catalog', add: toolCatalogRoutes },
  { name: 'permissions', add: permissionRoutes },
  { name: 'documents', add: documentRoutes },
  {
    name: 'config-forms',
    add: configFormRoutes,
    roles: { 'POST /config/regex': 'viewer', 'POST /config/yaml': 'viewer' },
  },
  { name: 'config-links', add: configLinkRoutes },
  { name: 'shadow', add: shadowRoutes },
  {
    name: 'changes',
    add: changesRoutes,
    // They show edits that an admin has not saved, and names of branches.
    roles: { 'GET /changes': 'admin', 'GET /changes/refs': 'admin', 'GET /changes/entries/:name': 'admin' },
  },
  // It shows names of folders of this machine.
  { name: 'folders', add: folderRoutes, roles: { 'GET /folders': 'admin' } },
  // These three compute an answer and change nothing.
  { name: 'config-try', add: configTryRoutes, roles: { 'POST /config/try': 'viewer' } },
  { name: 'prompt-preview', add: promptPreviewRoutes, roles: { 'POST /prompts/preview': 'viewer' } },
  { name: 'estimate', add: estimateRoutes, roles: { 'POST /estimate': 'viewer' } },
  {
    name: 'agent-files',
    add: agentFileRoutes,
    // They show names of files, to those who may ask the agent about them.
    roles: { 'GET /agents/:id/notebooks': 'approver', 'GET /agents/:id/files': 'approver' },
  },
  { name: 'emails', add: emailRoutes },
  { name: 'mail-state', add: mailStateRoutes },
  { name: 'email-body', add: emailBodyRoutes },
  { name: 'conversations', add: conversationRoutes },
  { name: 'uploads', add: uploadRoutes },
  { name: 'items', add: itemRoutes },
  { name: 'item-file', add: itemFileRoutes },
  { name: 'item-revisions', add: itemRevisionRoutes },
  { name: 'runs', add: runRoutes, roles: { 'POST /runs/:id/message': 'approver' } },
  { name: 'save-test', add: saveTestRoutes },
  { name: 'run-config', add: runConfigRoutes },
  { name: 'objectives', add: objectiveRoutes },
  { name: 'retry', add: retryRoutes },
  { name: 'tasks', add: taskRoutes },
  { name: 'import-chat', add: importChatRoutes },
  {
    name: 'roaming',
    add: roamingRoutes,
    // They show names of folders of this machine.
    roles: { 'GET /workspace-folders': 'admin', 'GET /roaming-warning': 'admin' },
  },
  {
    name: 'chats',
    add: chatRoutes,
    // A message is a question to participants that an admin has chosen.
    roles: {
      'POST /chats/:id/messages': 'approver',
      'POST /chats/:id/participants/:pid/run': 'approver',
      'POST /chats/:id/cancel': 'approver',
    },
  },
  {
    name: 'agent-sessions',
    add: agentSessionRoutes,
    roles: {
      'POST /agents/:id/sessions': 'approver',
      'POST /sessions/:id/message': 'approver',
      'POST /sessions/:id/confirm': 'approver',
      'POST /sessions/:id/cancel': 'approver',
    },
  },
  {
    name: 'approval-link',
    add: approvalLinkRoutes,
    // The token of the link stands for the sign-in.
    roles: { 'GET /approvals/link/:token': 'anyone', 'POST /approvals/link/:token': 'anyone' },
  },
  {
    name: 'approvals',
    add: approvalRoutes,
    roles: { 'POST /approvals/:id': 'approver', 'POST /approvals/:id/preview': 'approver' },
  },
  { name: 'audit', add: auditRoutes },
  { name: 'file-changes', add: fileChangeRoutes },
  { name: 'learn', add: learnRoutes },
  // The patches have texts of the config.
  { name: 'learn-proposals', add: learnProposalRoutes, roles: { 'GET /learn/proposals': 'admin' } },
  { name: 'todos', add: todoRoutes },
  { name: 'reminders', add: reminderRoutes },
  {
    name: 'notifications',
    add: notificationRoutes,
    // Approvals arrive as notifications.
    roles: { 'PUT /notifications/:id': 'approver', 'POST /notifications/read': 'approver' },
  },
  { name: 'memories', add: memoryRoutes },
  { name: 'fetcher', add: fetcherRoutes },
  { name: 'spend', add: spendRoutes },
  { name: 'mcp', add: mcpRoutes },
  { name: 'trace', add: traceRoutes },
  { name: 'diagnostics', add: diagnosticRoutes },
  { name: 'stream', add: streamRoutes },
];
