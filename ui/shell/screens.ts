import type { ReadonlySignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { connections } from '../account/connections.ts';
import { loadApprovals } from '../approval/approvals.ts';
import { approvalCount } from '../approval/held.ts';
import { refreshAsk } from '../ask/talks.ts';
import { refreshChanges } from '../change/changes.ts';
import { refreshChats } from '../chat/chats.ts';
import { config, errorCount } from '../config/config.ts';
import { refreshDocuments } from '../config/documents.ts';
import { loadTraces } from '../diagnostics/traces.ts';
import type { LiveEventName } from '../http/live.ts';
import { refreshMemories } from '../memory/memories.ts';
import { loadNotifications, reminders, unreadCount } from '../notification/notifications.ts';
import { refreshObjectives } from '../objective/objectives.ts';
import { InboxScreen } from '../mail/inbox-screen.ts';
import { loadRuns } from '../run/runs.ts';
import { refreshTasks } from '../todo/tasks.ts';
import { refreshTodos } from '../todo/todos.ts';
import { spend } from '../spend/spend.ts';
import { later } from './later.ts';

/** A count beside the title of a tab. */
interface Badge {
  /** The text of the badge; `''` for none. */
  readonly count: ReadonlySignal<string>;
  /** `wait`: a person has to decide, so the title of the browser tab shows the count too. `bad`: errors. `news`: neither. */
  readonly tone: 'wait' | 'bad' | 'news';
}

/** One page of the viewer. */
export interface Screen {
  /** First part of the address, `#/<route>`; unique. */
  readonly route: string;
  /** Text of the tab. */
  readonly title: string;
  /** Shown in place of the title where not all titles fit; the tab of the open page has both there. */
  readonly icon: string;
  /** Letter that opens the page after `g`; unique. */
  readonly key: string;
  readonly badge?: Badge;
  /** The component of the page. Only the first page is there at once. */
  readonly screen: ComponentType;
  /** Fetches the data of the page: `missed` at the start and after a gap in the stream, the others after that event. */
  readonly live?: Readonly<Partial<Record<LiveEventName | 'missed', readonly (() => void)[]>>>;
}

const reloadConnections = () => connections.reload('connections');
const reloadConfig = () => config.reload('config');

/** All pages, in the order of their tabs. The first one opens when the address names none. */
export const SCREENS: readonly [Screen, ...Screen[]] = [
  // `sync.ts` updates the mails: it gathers the ids of many events into one request.
  { route: 'inbox', title: 'Inbox', icon: 'mail', key: 'i', screen: InboxScreen },
  {
    route: 'ask',
    title: 'Ask',
    icon: 'spark',
    key: 'k',
    screen: later(async () => (await import('../ask/ask-screen.ts')).AskScreen),
    live: { missed: [refreshAsk], run: [refreshAsk] },
  },
  {
    route: 'runs',
    title: 'Runs',
    icon: 'play',
    key: 'u',
    screen: later(async () => (await import('../run/runs-screen.ts')).RunsScreen),
    live: { missed: [loadRuns], run: [loadRuns] },
  },
  {
    route: 'diagnostics',
    title: 'Diagnostics',
    icon: 'list',
    key: 'd',
    screen: later(async () => (await import('../diagnostics/diagnostics-screen.ts')).DiagnosticsScreen),
    live: { missed: [loadTraces], run: [loadTraces] },
  },
  {
    route: 'approvals',
    title: 'Approvals',
    icon: 'shield',
    key: 'a',
    badge: { count: approvalCount, tone: 'wait' },
    screen: later(async () => (await import('../approval/approvals-screen.ts')).ApprovalsScreen),
    live: { missed: [loadApprovals], approval: [loadApprovals] },
  },
  // `sync.ts` updates the chat that is open: it knows the id of an event.
  {
    route: 'chats',
    title: 'Chats',
    icon: 'chat',
    key: 'h',
    screen: later(async () => (await import('../chat/chats-screen.ts')).ChatsScreen),
    live: { missed: [refreshChats] },
  },
  {
    route: 'objectives',
    title: 'Objectives',
    icon: 'flag',
    key: 'b',
    screen: later(async () => (await import('../objective/objectives-screen.ts')).ObjectivesScreen),
    live: { missed: [refreshObjectives], objective: [refreshObjectives] },
  },
  {
    route: 'todos',
    title: 'Tasks',
    icon: 'check',
    key: 't',
    screen: later(async () => (await import('../todo/tasks-screen.ts')).TasksScreen),
    live: { missed: [refreshTodos, refreshTasks], todo: [refreshTodos], task: [refreshTasks], run: [refreshTasks] },
  },
  {
    route: 'notifications',
    title: 'Notifications',
    icon: 'bell',
    key: 'n',
    badge: { count: unreadCount, tone: 'news' },
    screen: later(async () => (await import('../notification/notifications-screen.ts')).NotificationsScreen),
    live: {
      missed: [loadNotifications, reminders.load],
      notification: [loadNotifications],
      reminder: [reminders.load],
    },
  },
  {
    route: 'memory',
    title: 'Memory',
    icon: 'memory',
    key: 'm',
    screen: later(async () => (await import('../memory/memory-screen.ts')).MemoryScreen),
    live: { missed: [refreshMemories], memory: [refreshMemories] },
  },
  // Ended runs change it often, and it reads many rows: only `r`, and opening the page, fetch it again.
  {
    route: 'spend',
    title: 'Spend',
    icon: 'coin',
    key: 's',
    screen: later(async () => (await import('../spend/spend-screen.ts')).SpendScreen),
    live: { missed: [spend.refresh] },
  },
  {
    route: 'config',
    title: 'Config',
    icon: 'tool',
    key: 'c',
    badge: { count: errorCount, tone: 'bad' },
    screen: later(async () => (await import('../config/config-screen.ts')).ConfigScreen),
    live: { missed: [reloadConfig, refreshDocuments], config: [config.refresh, refreshDocuments] },
  },
  {
    route: 'changes',
    title: 'Changes',
    icon: 'swap',
    key: 'e',
    screen: later(async () => (await import('../change/changes-screen.ts')).ChangesScreen),
    live: { missed: [refreshChanges] },
  },
  {
    route: 'accounts',
    title: 'Accounts',
    icon: 'account',
    key: 'o',
    screen: later(async () => (await import('../account/accounts-screen.ts')).AccountsScreen),
    live: { missed: [reloadConnections], config: [connections.refresh], fetcher: [connections.refresh] },
  },
];
