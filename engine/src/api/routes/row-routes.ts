import type { Rows, WithPath } from '../http/rows.ts';

/** Answers one route from rows alone. */
export type RowAnswer = (rows: Rows, ctx: WithPath) => Promise<object>;

/**
 * Routes whose answers are made of rows alone, each by the function that answers it in a server, too: neither the config nor a running
 * engine changes what they say. A function is loaded when it is asked for.
 */
export const ROW_ROUTES: Readonly<Record<string, () => Promise<RowAnswer>>> = {
  '/api/runs': async () => (await import('./run/list-runs.ts')).listRuns,
  '/api/runs/:id': async () => (await import('./run/list-runs.ts')).shownRun,
  '/api/workspaces/:id/items': async () => (await import('./item/item-list.ts')).itemsPage,
  '/api/diagnostics/unified': async () => (await import('./diagnostics/trace-list.ts')).tracePage,
  '/api/approvals': async () => (await import('./run/approval-view.ts')).listApprovals,
  '/api/audit': async () => (await import('./run/audit.ts')).listAudit,
  '/api/objectives': async () => (await import('./objective/objectives.ts')).objectivesPage,
  '/api/todos': async () => (await import('./mail/todos.ts')).todosPage,
  '/api/reminders': async () => (await import('./mail/reminders.ts')).remindersPage,
  '/api/tasks': async () => (await import('./task/task-list.ts')).tasksPage,
  '/api/tasks/:id': async () => (await import('./task/task-list.ts')).shownTask,
  '/api/chats': async () => (await import('./chat/chat-list.ts')).chatsPage,
  '/api/chats/:id': async () => (await import('./chat/chat-list.ts')).shownChat,
  '/api/chats/:id/messages': async () => (await import('./chat/chat-list.ts')).messagesPage,
  '/api/files/changes': async () => (await import('./run/file-changes.ts')).changesPage,
};
