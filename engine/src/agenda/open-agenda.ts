import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { machineZone } from '../base/time-zone.ts';
import type { Snapshot } from '../config/config.ts';
import type { AccountTokens } from '../account/account.ts';
import type { Store } from '../store/store.ts';
import type { Agenda, Calendar, AgendaOwner, TodoList } from './agenda.ts';
import { chooseAccount, type AgendaAccount } from './choose-account.ts';
import type { CalendarWorkers } from './ical/ical-workers.ts';

/** What calendars and lists are made of. */
export interface AgendaDeps {
  /** The newest config: where the local folder is, and which accounts and directors there are. */
  readonly config: () => Pick<Snapshot, 'settings' | 'accounts' | 'directors'>;
  /** Relative paths count from here. */
  readonly baseDir: string;
  readonly store: Store;
  readonly clock: Clock;
  /** Where calendar files are read. */
  readonly workers: Pick<CalendarWorkers, 'events' | 'holds'>;
  /** Tokens of an account at Google or Microsoft. */
  readonly tokensOf: (accountId: string) => AccountTokens;
  /** Told when a to-do of the local list is new. */
  readonly onTodo?: (id: string) => void;
}

/**
 * The calendars and lists of all accounts: Google's and Microsoft's for accounts there, and for all others a folder of .ics
 * files and a list in our own store. What a provider needs is loaded only once somebody asks for it.
 */
export function openAgenda({ config, baseDir, store, clock, workers, tokensOf, onTodo }: AgendaDeps): Agenda {
  let folder: { path: string; opened: Promise<Calendar> } | undefined;
  let stored: Promise<TodoList> | undefined;

  const find = async (owner: AgendaOwner): Promise<AgendaAccount | 'local'> => {
    const { emailId } = owner;
    const mail = emailId === undefined ? undefined : await store.get('mail', { id: emailId });
    return chooseAccount(owner, config(), mail?.account);
  };
  const waysOf = ({ id, endpoints }: AgendaAccount) => {
    return { accountId: id, tokens: tokensOf(id), clock, ...(endpoints?.api !== undefined && { api: endpoints.api }) };
  };
  const own = () => [...config().accounts.values()].map(({ email }) => email.toLowerCase());
  const openFolder = (): Promise<Calendar> => {
    const path = resolve(baseDir, config().settings.calendar.path);
    const open = () =>
      import('./local/folder-calendar.ts').then(({ createFolderCalendar }) =>
        createFolderCalendar({ path, clock, workers, own }),
      );
    if (folder?.path !== path) folder = { path, opened: open() };
    return folder.opened;
  };
  const openStored = (): Promise<TodoList> => {
    stored ??= import('./local/stored-todos.ts').then(({ createStoredTodos }) =>
      createStoredTodos({ store, clock, ...(onTodo && { onTodo }) }),
    );
    return stored;
  };

  return {
    async calendar(owner) {
      const account = await find(owner);
      if (account === 'local') return openFolder();
      if (account.provider === 'gmail')
        return (await import('./google/google-calendar.ts')).createGoogleCalendar(waysOf(account));
      return (await import('./microsoft/graph-calendar.ts')).createGraphCalendar(waysOf(account));
    },
    async todos(owner) {
      const account = await find(owner);
      if (account === 'local') return openStored();
      if (account.provider === 'gmail')
        return (await import('./google/google-tasks.ts')).createGoogleTasks(waysOf(account));
      return (await import('./microsoft/graph-todos.ts')).createGraphTodos(waysOf(account));
    },
    timeZone: () => config().settings.calendar.timeZone ?? machineZone(),
    workingHours: () => config().settings.calendar.workingHours,
    now: () => clock.now(),
  };
}
