import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Reminders } from '../agenda/reminders.ts';
import type { CalendarWorkers } from '../agenda/ical/ical-workers.ts';
import type { ConfigService } from '../config/config.ts';
import type { Notebooks } from '../file/notebook/notebooks.ts';
import type { ErrorBody } from '../base/error.ts';
import type { FileService } from '../file/open-files.ts';
import type { FilterPool, RoutingDecision } from '../filter/filter.ts';
import type { MailService } from '../mail/send/mail-service.ts';
import type { MailWorkers } from '../mail/parse/mail-workers.ts';
import type { Connections } from '../account/connections.ts';
import type { SignIns } from '../account/oauth/sign-in.ts';
import type { OpenSource } from '../mail/source.ts';
import type { AnswerLinks } from '../guard/answer-link.ts';
import type { Engine } from '../run/engine/engine.ts';
import type { Fetcher } from '../intake/fetcher.ts';
import type { Dependencies } from '../run/dependencies.ts';
import type { ServerStatus } from '../tool/mcp/link-options.ts';
import type { Tasks } from '../task/tasks.ts';
import type { Chats } from '../chat/chats.ts';
import type { Changes } from '../replay/changes.ts';
import type { ShadowSettings } from '../replay/shadow/shadow.ts';
import type { WrittenTest } from '../replay/test/write-test.ts';
import type { RoamingService } from '../chat/roaming.ts';
import type { ListedFamily } from '../tool/catalog.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Access, GoogleLogin, LoginLimit, Users } from './access.ts';

/** The engine as the routes use it. Routes translate between HTTP and these services, and contain no decisions. */
export interface Services {
  /** Version of Callsheet. A page that was loaded from another version reloads itself. */
  readonly version: string;
  readonly dataDir: string;
  /** `encrypted` or `plaintext`. */
  readonly storage: string;
  readonly encryption: Encryption;
  /** Absolute path of the `ui` folder. */
  readonly uiDir: string;
  /** Absolute path of the folder with bundles of it (`scripts/viewer-bundle.mjs`), or of none. */
  readonly bundleDir?: string | undefined;
  readonly deps: Dependencies;
  readonly engine: Pick<
    Engine,
    'cancel' | 'decide' | 'draftCall' | 'goOn' | 'load' | 'message' | 'orderObjective' | 'planAlways' | 'queued'
  >;
  readonly fetcher: Pick<Fetcher, 'status' | 'start' | 'stop' | 'fetch'>;
  readonly config: Pick<
    ConfigService,
    | 'baseDir'
    | 'current'
    | 'documents'
    | 'links'
    | 'problems'
    | 'refresh'
    | 'read'
    | 'write'
    | 'draft'
    | 'create'
    | 'remove'
    | 'reorder'
  >;
  readonly mail: Pick<MailWorkers, 'parse' | 'attachment' | 'html' | 'markdown' | 'remoteImages'>;
  readonly calendars: Pick<CalendarWorkers, 'preview'>;
  /** Decides which filters and directors accept a mail; `subject` is the JSON of a `FilterSubject`. */
  readonly decideRouting: (subject: string, config: ReturnType<ConfigService['current']>) => Promise<RoutingDecision>;
  readonly tryRegex: FilterPool['tryRegex'];
  readonly secrets: Secrets;
  /** Starts a shadow on the config of a git ref. `BAD_REQUEST`, `CONFLICT` where there is one, `USAGE`, `CONFIG_INVALID`. */
  readonly startShadow: (settings: ShadowSettings) => Promise<void>;
  /** Compares the running config with another one on stored mail and runs. */
  readonly changes: Changes;
  /** Writes a test of a past run. `NOT_FOUND`, `CONFLICT` for a run that cannot be played, `USAGE` where the test exists. */
  readonly saveTest: (runId: string) => Promise<WrittenTest>;
  /** Checks a patch of `callsheet learn` and writes its files; resolves with their names. `USAGE`, `FILE_CHANGED`, `CONFIG_INVALID`. */
  readonly applyLearned: (patch: string) => Promise<readonly string[]>;
  /** Every tool that the current config can name, by family. */
  readonly toolCatalog: () => readonly ListedFamily[];
  /** The MCP servers of declared tools. */
  readonly mcpServers: () => readonly ServerStatus[];
  readonly notebooks: Notebooks;
  /** Reads the text of files. */
  readonly files: Pick<FileService, 'textOf'>;
  /** Searches accounts, drafts and sends. */
  readonly mailService: MailService;
  readonly reminders: Pick<Reminders, 'add' | 'cancel'>;
  readonly tasks: Tasks;
  readonly chats: Chats;
  /** Work of command-line agents in folders. */
  readonly roaming: RoamingService;
  readonly answerLinks: Pick<AnswerLinks, 'read'>;
  readonly connections: Connections;
  readonly signIns: SignIns;
  readonly openSource: OpenSource;
  readonly sessions: Sessions;
  /** Where the server listens, and by which address browsers reach it. */
  readonly access: Access;
  /** The people who signed in. */
  readonly users: Users;
  /** The sign-in with Google; absent without its OAuth client. */
  readonly login?: GoogleLogin;
  readonly loginLimit: LoginLimit;
  /** Metrics in the text format of Prometheus; absent if this process counts none. */
  readonly metrics?: () => Promise<string>;
}

/** How the stored data are encrypted, and what an admin can do about it from the viewer. */
export interface EncryptionState {
  readonly storage: 'encrypted' | 'plaintext';
  /** Absolute path of the file that the key is read from, or would be written to; null where the key comes from elsewhere. */
  readonly envFile: string | null;
  /** Why `begin` is refused, as a sentence; null where it is possible. */
  readonly obstacle: string | null;
  /** Whether the server is about to stop in order to encrypt. */
  readonly isUnderWay: boolean;
  /** Why the last attempt of this process changed nothing. */
  readonly failure: ErrorBody | null;
}

/** Encryption of a store in plain text, without a command (docs/decisions/key-made-by-the-server.md). */
export interface Encryption {
  state(): EncryptionState;
  /** Has the process close everything, make a key, encrypt the data folder, and serve again. `CONFLICT` with the obstacle. */
  begin(): void;
}

/** A browser session. The cookie alone opens nothing: browsers send it to every port of this machine. */
export interface OpenSession {
  readonly id: string;
  /** Id of the person who signed in; `local` for a browser that came with the token. */
  readonly person: string;
  /** Value of the cookie. */
  readonly cookie: string;
  readonly openedAt: number;
  /** Time until the cookie expires. */
  readonly leftMs: number;
  /** Whether the cookie is new, so that the browser has to store it. */
  readonly isRenewed: boolean;
}

/** Access to this server: holders of the token, and browsers with a cookie and its key, both made by this server. */
export interface Sessions {
  /** Random for each process, or set by the user. */
  readonly token: string;
  /** Whether this is the token. False comes after half a second. */
  isToken(given: string): Promise<boolean>;
  /** Opens a session of whoever holds the token, or prolongs that of a valid cookie. `key` is for the page, which sends it with every request. */
  open(cookie?: string): OpenSession & { readonly key: string };
  /** Opens a new session of a person. */
  openFor(person: string): OpenSession & { readonly key: string };
  /** Whether this server signed the cookie value, and it is neither expired nor ended. Not enough for any access. */
  hasCookie(cookie: string): boolean;
  /** The session of a valid cookie and its key; prolonged if an hour of it was used. */
  find(cookie: string, key: string): OpenSession | undefined;
  /** Whether the session has neither expired nor ended since it was found. */
  isOpen(session: OpenSession): boolean;
  /** Ends a session permanently. */
  end(session: Pick<OpenSession, 'id' | 'openedAt'>): Promise<void>;
  /** Ends all sessions. `STORE_FAILED`. */
  endAll(): void;
  /** Calls `listener` after sessions were ended. The returned function stops that. */
  onEnd(listener: () => void): () => void;
}

/** The context of a request. */
export type RouteContext = RouterContext;

/** Adds the routes of one resource. Paths count from `/api`. `closing` is aborted when the server ends. */
export type AddRoutes = (router: Router, services: Services, closing: AbortSignal) => void;
