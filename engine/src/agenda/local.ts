import { resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { machineZone } from '../base/zone.ts';
import type { Snapshot } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import type { Agenda, Calendar, Owner, TodoList } from './agenda.ts';

/** What the local calendar and list are made of. */
export interface LocalParts {
  /** The newest config: where the folder is and which accounts there are. */
  readonly config: () => Pick<Snapshot, 'settings' | 'accounts'>;
  /** Relative paths count from here. */
  readonly baseDir: string;
  readonly store: Store;
  readonly clock: Clock;
}

/** The agenda of whoever has no calendar elsewhere: a folder of .ics files, and a list in our own store. */
export function createLocalAgenda({ config, baseDir, store, clock }: LocalParts): Agenda {
  let calendar: { path: string; opened: Promise<Calendar> } | undefined;
  let todos: Promise<TodoList> | undefined;
  return {
    async calendar(owner) {
      checkOwner(owner, config());
      const path = resolve(baseDir, config().settings.calendar.path);
      // What reads calendars is loaded only once somebody asks for one.
      const open = () =>
        import('./folder-calendar.ts').then(({ createFolderCalendar }) => createFolderCalendar({ path, clock }));
      if (calendar?.path !== path) calendar = { path, opened: open() };
      return calendar.opened;
    },
    async todos(owner) {
      checkOwner(owner, config());
      todos ??= import('./stored-todos.ts').then(({ createStoredTodos }) => createStoredTodos({ store, clock }));
      return todos;
    },
    timeZone: () => config().settings.calendar.timeZone ?? machineZone(),
    workingHours: () => config().settings.calendar.workingHours,
    now: () => clock.now(),
  };
}

/** Every account there is has the local calendar and list, by the name of its provider or by `local`. */
function checkOwner({ provider, accountId }: Owner, { accounts }: Pick<Snapshot, 'accounts'>): void {
  const account = accountId === undefined ? undefined : accounts.get(accountId);
  if (accountId !== undefined && account === undefined)
    throw new EngineError('TOOL_ARGUMENTS', `there is no account "${accountId}"`, {
      hint: `accounts are: ${[...accounts.keys()].join(', ')}; leave accountId out for the local calendar and list`,
    });
  if (provider === undefined || provider === 'local' || provider === account?.provider) return;
  const whose = accountId === undefined ? 'without an account' : `for the account "${accountId}"`;
  throw new EngineError('TOOL_ARGUMENTS', `there is no calendar or list of "${provider}" ${whose}`, {
    hint: 'leave provider out, or say "local"',
  });
}
