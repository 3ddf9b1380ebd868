/** An address of the viewer, and what is on the page once its data are there. */
export interface Place {
  /** What follows `#/`. */
  readonly at: string;
  /** A CSS selector in `main` that only the loaded page has. */
  readonly shows: string;
}

/** Every page of the viewer with the data of the fake API, and the main things that each can show. A new page gets rows here. */
export const PLACES: readonly Place[] = [
  { at: 'inbox/mail-invoice', shows: '.original' },
  { at: 'inbox/mail-invoice/run-invoice', shows: '.transcript .call' },
  { at: 'inbox/mail-invoice/run-invoice/item-draft', shows: 'iframe' },
  { at: 'inbox/mail-invoice/run-invoice/item-ics', shows: '.events' },
  { at: 'inbox/mail-failed/run-failed', shows: '.notice' },
  { at: 'inbox/mail-news', shows: '.filter-trace' },
  { at: 'ask', shows: 'h1' },
  { at: 'ask/director/client-manager', shows: 'textarea' },
  { at: 'ask/agent/research-assistant/activity', shows: '.activity .call' },
  { at: 'runs', shows: '.run-row' },
  { at: 'runs/run-urgent', shows: '.facts' },
  { at: 'runs/compare/run-failed/run-invoice', shows: '.compare-sides .call' },
  { at: 'diagnostics', shows: '.trace-row' },
  { at: 'diagnostics/run_02.2', shows: '[role=tabpanel] pre' },
  { at: 'approvals', shows: '.approval' },
  { at: 'approvals/history', shows: '.ended' },
  { at: 'chats', shows: '.chat-list a' },
  { at: 'objectives', shows: '.objective-card' },
  { at: 'todos', shows: '.task' },
  { at: 'notifications', shows: '.notifications li' },
  { at: 'memory', shows: '.memory-text' },
  { at: 'spend', shows: '.spend-table tbody tr' },
  { at: 'config', shows: 'h1' },
  { at: `config/${encodeURIComponent('config/directors/client-manager.yaml')}`, shows: '.message-card' },
  { at: `config/${encodeURIComponent('config/filters/clients.yaml')}`, shows: '.regex-try' },
  { at: `config/${encodeURIComponent('config/filters/clients.yaml')}/source`, shows: '.source-lines li' },
  { at: 'config/map', shows: '.config-map .node' },
  { at: 'config/try', shows: '.try-sources' },
  { at: 'changes', shows: '.shadow-part .differences' },
  { at: 'changes/run-invoice', shows: '.played-calls' },
  { at: 'accounts', shows: '.account-signature' },
];
