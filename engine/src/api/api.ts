import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { CalendarWorkers } from '../agenda/ical/ical-workers.ts';
import type { ConfigService } from '../config/config.ts';
import type { RoutingDecision } from '../filter/filter.ts';
import type { MailService } from '../mail/send/mail-service.ts';
import type { MailWorkers } from '../mail/parse/mail-workers.ts';
import type { Connections } from '../account/connections.ts';
import type { SignIns } from '../account/oauth/sign-in.ts';
import type { OpenSource } from '../mail/source.ts';
import type { Engine } from '../run/engine/engine.ts';
import type { Fetcher } from '../intake/fetcher.ts';
import type { Dependencies } from '../run/dependencies.ts';
import type { Secrets } from '../config/secrets.ts';

/** What the routes need of the engine. They translate between HTTP and this, and decide nothing. */
export interface Services {
  /** Of Callsheet; a page that sees another one than it was loaded with loads itself again. */
  readonly version: string;
  readonly dataDir: string;
  /** How bodies lie on the disk. */
  readonly storage: string;
  /** Absolute path of the `ui` folder. */
  readonly uiDir: string;
  readonly deps: Dependencies;
  readonly engine: Pick<Engine, 'cancel' | 'decide' | 'queued' | 'load'>;
  readonly fetcher: Pick<Fetcher, 'status' | 'start' | 'stop' | 'fetch'>;
  readonly config: Pick<
    ConfigService,
    'baseDir' | 'current' | 'documents' | 'problems' | 'read' | 'write' | 'create' | 'remove' | 'reorder'
  >;
  readonly mail: Pick<MailWorkers, 'parse' | 'attachment' | 'html' | 'markdown'>;
  readonly calendars: Pick<CalendarWorkers, 'preview'>;
  /** What the filters would do with a mail; `subject` is JSON as the mail room gives it. */
  readonly judge: (subject: string, config: ReturnType<ConfigService['current']>) => Promise<RoutingDecision>;
  readonly secrets: Secrets;
  /** Looks into accounts and writes from them. */
  readonly mailService: MailService;
  readonly connections: Connections;
  readonly signIns: SignIns;
  readonly openSource: OpenSource;
  readonly sessions: Sessions;
  /** What this process and the store have to tell, in the text format of Prometheus; absent where nobody counts. */
  readonly metrics?: () => Promise<string>;
}

/** Who may talk to this server: holders of the token, and browsers with a cookie that was signed here. */
export interface Sessions {
  /** Lives as long as the process, or as long as its owner keeps it. */
  readonly token: string;
  /** Whether this is the token; takes equally long for every guess. */
  isToken(given: string): boolean;
  /** A new cookie value. */
  open(): string;
  /** Whether a cookie value was signed here, has not run out, and was not ended. */
  isOpen(cookie: string): boolean;
  /** Ends a session for good. */
  end(cookie: string): Promise<void>;
}

/** What a route is given. */
export type RouteContext = RouterContext;

/** Adds the routes of one resource. Paths count from `/api`. `closing` is aborted when the server ends. */
export type AddRoutes = (router: Router, services: Services, closing: AbortSignal) => void;
