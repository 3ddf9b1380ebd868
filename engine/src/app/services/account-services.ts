import type { SecretLookup } from '../../account/oauth/client-from-config.ts';
import { type Connections, createConnections } from '../../account/connections.ts';
import { createSignIns, type SignIns } from '../../account/oauth/sign-in.ts';
import type { Agenda } from '../../agenda/agenda.ts';
import { type CalendarWorkers, createCalendarWorkers } from '../../agenda/ical/ical-workers.ts';
import { closeRepliedTodos } from '../../agenda/local/stored-todos.ts';
import { openAgenda } from '../../agenda/open-agenda.ts';
import { closeAwaiting } from '../../agenda/replied-todos.ts';
import type { ConfigService } from '../../config/config.ts';
import { openMailService, sourceOpener } from '../../mail/open-mail.ts';
import { createMailWorkers, type MailWorkers } from '../../mail/parse/mail-workers.ts';
import type { MailService } from '../../mail/send/mail-service.ts';
import { SentCopies } from '../../mail/send/sent-copies.ts';
import type { OpenSource } from '../../mail/source.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import { offlineAgenda, refuseMailbox, refuseSource } from './offline.ts';

/** Sign-in, mail and calendars of all accounts, with the worker threads that read mail and calendar files. */
export interface AccountServices {
  readonly mailWorkers: MailWorkers;
  readonly calendarWorkers: CalendarWorkers;
  /** Tokens of the accounts with OAuth sign-in. */
  readonly connections: Connections;
  readonly signIns: SignIns;
  readonly agenda: Agenda;
  readonly openSource: OpenSource;
  /** Searches accounts, drafts and sends. */
  readonly mailService: MailService;
  /** Saves copies in Sent that an ended process has left out. */
  readonly sentCopies: SentCopies;
}

interface Options {
  readonly deps: Pick<Dependencies, 'store' | 'clock' | 'redactor' | 'log' | 'live' | 'tools'>;
  readonly config: Pick<ConfigService, 'current'>;
  readonly references: SecretLookup;
  /** Relative paths in documents start here. */
  readonly baseDir: string;
  /** Threads to use instead of new ones. */
  readonly threads?: Partial<Pick<AccountServices, 'mailWorkers' | 'calendarWorkers'>> | undefined;
  /** Whether mailboxes, calendars and to-do lists refuse. Default false. */
  readonly isOffline?: boolean | undefined;
  /** Id of this process. */
  readonly worker: string;
  /** True where several processes share the store. */
  readonly isShared: boolean;
  /** True where the user allows plain text for all secrets (`CALLSHEET_PLAINTEXT=1`). */
  readonly allowsPlaintext: boolean;
}

/** Opens the services. Connects to no provider and starts no thread before first use. */
export function openAccountServices(options: Options): AccountServices {
  const { deps, references, baseDir, worker, isShared, allowsPlaintext } = options;
  const { store, clock, redactor, log, live, tools } = deps;
  const config = () => options.config.current();
  const { mailWorkers = createMailWorkers(), calendarWorkers = createCalendarWorkers() } = options.threads ?? {};
  const connectionOptions = { store, clock, redactor, log, references, config };
  const connections = createConnections({ ...connectionOptions, tools: tools.builtIn, isShared });
  const signIns = createSignIns({ ...connectionOptions, connections, allowsPlaintext });
  const { tokensOf } = connections;
  const providerDeps = { baseDir, workers: mailWorkers, clock, resolve: references.secret, tokensOf };
  const opened = openMailService({
    ...{ ...providerDeps, store, log, config, worker, isShared },
    async onReply(mailId) {
      live.publish('mail', { id: mailId });
      for (const id of await closeRepliedTodos(store, mailId)) live.publish('todo', { id, status: 'done' });
      await closeAwaiting({ agenda, store, log }, mailId);
    },
  });
  const mailService = options.isOffline === true ? { ...opened, open: refuseMailbox } : opened;
  const mailboxOf = (id: string) => {
    const account = config().accounts.get(id);
    return account === undefined ? undefined : mailService.open(account);
  };
  const localMailboxes = () =>
    [...config().accounts.values()].filter(({ provider }) => provider === 'folder').map(mailService.open);
  const ownAgenda = openAgenda({
    ...{ baseDir, store, clock, workers: calendarWorkers, config, tokensOf },
    onTodo: (id) => live.publish('todo', { id, status: 'open' }),
  });
  const agenda = options.isOffline === true ? offlineAgenda(ownAgenda) : ownAgenda;
  return {
    mailWorkers,
    calendarWorkers,
    connections,
    signIns,
    agenda,
    openSource: options.isOffline === true ? refuseSource : sourceOpener(providerDeps),
    mailService,
    sentCopies: new SentCopies({ ...mailService, mailboxOf, localMailboxes }),
  };
}
