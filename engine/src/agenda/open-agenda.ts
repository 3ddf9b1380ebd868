import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { machineZone } from '../base/time-zone.ts';
import type { Snapshot } from '../config/config.ts';
import type { AccountTokens } from '../account/account.ts';
import type { Store } from '../store/store.ts';
import type { Agenda, Calendar, AgendaOwner, TodoList } from './agenda.ts';
import { chooseAccount, type AgendaAccount } from './choose-account.ts';
import type { GoogleDeps } from './google/google-request.ts';
import type { CalendarWorkers } from './ical/ical-workers.ts';
import type { GraphDeps } from './microsoft/graph-calendar.ts';
import { noteAwaiting } from './replied-todos.ts';

/** Dependencies of calendars and lists. */
export interface AgendaDeps {
  /** Current config: path of the local folder, accounts and directors. */
  readonly config: () => Pick<Snapshot, 'settings' | 'accounts' | 'directors'>;
  /** Base of relative paths. */
  readonly baseDir: string;
  readonly store: Store;
  readonly clock: Clock;
  /** Worker threads that read calendar files. */
  readonly workers: Pick<CalendarWorkers, 'events' | 'holds'>;
  /** Tokens of a Google or Microsoft account. */
  readonly tokensOf: (accountId: string) => AccountTokens;
  /** Called when the local list has a new to-do. */
  readonly onTodo?: (id: string) => void;
}

/** Dependencies of a calendar or list of an account, for every provider. */
type ProviderDeps = GoogleDeps & GraphDeps;

/** Opens the calendar and the to-do list of a provider's account. */
interface AgendaProvider {
  calendar(deps: ProviderDeps): Promise<Calendar>;
  todos(deps: ProviderDeps): Promise<TodoList>;
}

/** All providers that have calendars and lists. Their code is loaded on first use. */
const PROVIDERS: Readonly<Record<AgendaAccount['provider'], AgendaProvider>> = {
  gmail: {
    calendar: async (deps) => (await import('./google/google-calendar.ts')).createGoogleCalendar(deps),
    todos: async (deps) => (await import('./google/google-tasks.ts')).createGoogleTasks(deps),
  },
  outlook: {
    calendar: async (deps) => (await import('./microsoft/graph-calendar.ts')).createGraphCalendar(deps),
    todos: async (deps) => (await import('./microsoft/graph-todos.ts')).createGraphTodos(deps),
  },
};

/**
 * Opens the calendars and lists of all accounts: those of Google and Microsoft for their accounts, a folder of .ics
 * files and a list in our store for all others. The code of a provider is loaded on first use.
 */
export function openAgenda(deps: AgendaDeps): Agenda {
  const { config, store, clock, tokensOf, baseDir } = deps;
  const local = openLocalAgenda(deps);

  const find = async (owner: AgendaOwner): Promise<AgendaAccount | 'local'> => {
    const { emailId } = owner;
    const mail = emailId === undefined ? undefined : await store.get('mail', { id: emailId });
    return chooseAccount(owner, config(), mail?.account);
  };
  const depsOf = ({ id, endpoints }: AgendaAccount): ProviderDeps => {
    return { accountId: id, tokens: tokensOf(id), clock, ...(endpoints?.api !== undefined && { api: endpoints.api }) };
  };

  return {
    async calendar(owner) {
      const account = await find(owner);
      return account === 'local' ? local.calendar() : PROVIDERS[account.provider].calendar(depsOf(account));
    },
    async todos(owner) {
      const account = await find(owner);
      if (account === 'local') return local.todos();
      return noteAwaiting(await PROVIDERS[account.provider].todos(depsOf(account)), store);
    },
    async target(owner, kind) {
      const account = await find(owner);
      if (account !== 'local') return [account.id, account.provider, account.email].join(' ');
      return kind === 'todo' ? 'local' : `local ${resolve(baseDir, config().settings.calendar.path)}`;
    },
    timeZone: () => config().settings.calendar.timeZone ?? machineZone(),
    workingHours: () => config().settings.calendar.workingHours,
    now: () => clock.now(),
  };
}

/** The calendar folder and the stored list. Each is opened once; a new folder in the config is opened again. */
function openLocalAgenda({ config, baseDir, store, clock, workers, onTodo }: AgendaDeps) {
  let folder: { readonly path: string; readonly opened: Promise<Calendar> } | undefined;
  let stored: Promise<TodoList> | undefined;
  const own = () => [...config().accounts.values()].map(({ email }) => email.toLowerCase());
  const openFolder = async (path: string) => {
    const { createFolderCalendar } = await import('./local/folder-calendar.ts');
    return createFolderCalendar({ path, clock, workers, own });
  };
  const openStored = async () => {
    const { createStoredTodos } = await import('./local/stored-todos.ts');
    return createStoredTodos({ store, clock, ...(onTodo && { onTodo }) });
  };
  return {
    calendar(): Promise<Calendar> {
      const path = resolve(baseDir, config().settings.calendar.path);
      if (folder?.path !== path) folder = { path, opened: openFolder(path) };
      return folder.opened;
    },
    todos(): Promise<TodoList> {
      return (stored ??= openStored());
    },
  };
}
