import type { ChatWorld } from './chat-fixtures.ts';
import { viewItem } from '../../../engine/src/api/routes/mail/mail-view.ts';
import { namesRemoteImages } from '../../../engine/src/mail/html/remote-images.ts';
import type {
  ApprovalView,
  ConfigState,
  Connection,
  FetcherStatus,
  FullMail,
  WorkspaceItem,
  MailEntry,
  Notification,
  ObjectiveView,
  ProbeResult,
  Reminder,
  RoutingTrial,
  Run,
  RunView,
  Task,
  ConversationThread,
  Todo,
  UnifiedNode,
  LearnProposal,
} from '../../../ui/http/api-types.ts';

/** A mail with the fields of both routes: the list and the single mail. */
export type WholeMail = FullMail & MailEntry;

/** The data of the fake API. Tests change them and emit the event that the real server would emit. */
export interface World {
  mails: WholeMail[];
  runs: Run[];
  /** By workspace id. */
  items: Map<string, WorkspaceItem[]>;
  threads: Map<string, ConversationThread>;
  approvals: ApprovalView[];
  todos: Todo[];
  objectives: ObjectiveView[];
  tasks: Task[];
  chat: ChatWorld;
  notifications: Notification[];
  reminders: Reminder[];
  config: ConfigState;
  /** The trees of the Diagnostics screen. */
  traces: UnifiedNode[];
  proposals: readonly LearnProposal[];
  /** Accounts as in the status of the fetcher. */
  accounts: FetcherStatus['accounts'][number][];
  /** Connection states of the accounts. */
  connections: Connection[];
  /** The replies to a mail with their whole text; undefined: as in the list. */
  fullReplies: WholeMail['replies'] | undefined;
  /** How the filters decide about any mail. */
  trial: RoutingTrial;
  /** Result of testing an account. */
  probe: ProbeResult;
  version: string;
  /** How the store says that it keeps its data; `plaintext` shows a mark. */
  storage?: string;
}

const START = Date.parse('2026-11-21T09:00:00Z');
/** The time this many minutes ago, in ISO 8601. */
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
/** A plain mail without a run, received five minutes ago. */
export function makeMail(id: string, over: Partial<WholeMail> = {}): WholeMail {
  const subject = over.subject ?? `Subject of ${id}`;
  return {
    id,
    accountId: 'support',
    messageId: `<${id}@example.org>`,
    inReplyTo: '',
    references: [],
    threadId: id,
    from: [{ name: 'Ada Ray', address: 'ray@example.org' }],
    to: [{ name: 'Support', address: 'support@example.com' }],
    cc: [],
    bcc: [],
    replyTo: [],
    subject,
    date: new Date(START).toISOString(),
    labels: [],
    attachments: [],
    autoSubmitted: false,
    list: false,
    own: false,
    snippet: 'A short beginning of the text',
    receivedAt: minutesAgo(5),
    headers: [
      { name: 'From', value: 'Ada Ray <ray@example.org>' },
      { name: 'Subject', value: subject },
    ],
    text: 'Dear team,\n\nthe invoice 4411 lists a cable twice. Please send a corrected one.\n\nAda Ray',
    html: '',
    bodyText: '',
    remoteImages: namesRemoteImages(over.html ?? ''),
    routed: false,
    note: 'no filter matched',
    notes: [],
    state: { value: null, unread: false, archived: false },
    runs: [],
    ...over,
  };
}

/** A Markdown result of the agent `responder`. */
export function makeItem(id: string, over: Partial<WorkspaceItem> = {}): WorkspaceItem {
  return {
    id,
    label: `Item ${id}`,
    mimeType: 'text/markdown',
    encoding: 'utf8',
    data: 'Some **text**.',
    tags: [],
    deleted: false,
    created: minutesAgo(4),
    updated: minutesAgo(4),
    revision: 1,
    context: {
      director: { id: 'client-manager', name: 'Client manager' },
      agent: { id: 'responder', name: 'Responder' },
      createdBy: 'agent',
    },
    ...over,
  };
}

/** Adds a reply of a person to a mail. */
export function addReply(world: World, mailId: string, text: string): void {
  const reply = {
    ...{ at: minutesAgo(0), by: 'user' as const, text, accountId: 'archive' },
    messageId: `<reply-${Math.random()}@example.org>`,
  };
  world.mails = world.mails.map((mail) =>
    mail.id === mailId ? { ...mail, replies: [...(mail.replies ?? []), reply] } : mail,
  );
}

/** Adds a run with items to a mail and to the other routes. */
export function addRun(
  world: World,
  mailId: string,
  runId: string,
  items: WorkspaceItem[],
  over: Partial<Run> = {},
): RunView {
  const mail = world.mails.find((entry) => entry.id === mailId);
  const run: Run = {
    id: runId,
    mode: 'orchestrate',
    status: 'completed',
    startedBy: 'system',
    trigger: { kind: 'mail', emailId: mailId },
    fetchCycleId: 'cycle-1',
    documents: {},
    machine: { id: 'run', version: '1' },
    emailId: mailId,
    directorId: 'client-manager',
    directorName: 'Client manager',
    workspaceId: runId,
    dirThreadId: `thread-${runId}`,
    revision: 'a1b2c3d4e5f60718',
    usage: { turns: 4, inputTokens: 8412, outputTokens: 903, cost: 0.0041 },
    summary: mail?.subject ?? '',
    subject: mail?.subject ?? over.trigger?.message ?? '',
    createdAt: minutesAgo(5),
    updatedAt: minutesAgo(4),
    endedAt: minutesAgo(4.93),
    scripted: true,
    apis: [{ id: 'offline', provider: 'scripted', model: 'scripted' }],
    ...over,
  };
  world.runs.unshift(run);
  world.items.set(runId, items);
  const summary: RunView = {
    id: runId,
    directorId: run.directorId,
    directorName: run.directorName,
    status: run.status,
    workspaceId: runId,
    scripted: run.scripted,
    latest: true,
    items: items.map(viewItem),
    summary: run.summary,
    createdAt: run.createdAt,
    ...(run.waitingFor !== undefined && { waitingFor: run.waitingFor }),
    ...(run.limit !== undefined && { limit: run.limit }),
    ...(run.until !== undefined && { until: run.until }),
    ...(run.error !== undefined && { error: run.error }),
  };
  if (mail !== undefined) {
    world.mails = world.mails.map((entry) =>
      entry.id === mailId ? { ...entry, routed: true, note: '', runs: [...entry.runs, summary] } : entry,
    );
  }
  return summary;
}
