import { dirname, resolve } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { createIds } from '../base/id.ts';
import type { Logger } from '../base/log.ts';
import { createRedactor, type Redactor } from '../base/redact.ts';
import { gitCommit } from '../config/git.ts';
import { parseReference, type ReferenceSources, resolveReference } from '../config/reference.ts';
import type { Snapshot } from '../config/config.ts';
import { type ConfigService, openConfig } from '../config/service.ts';
import { createJudge } from '../filter/judge.ts';
import type { Judge } from '../filter/filter.ts';
import { createFolderSource } from '../mail/folder.ts';
import { createMailRoom, type MailRoom } from '../mail/room.ts';
import type { Models } from '../model/model.ts';
import { createModels } from '../model/models.ts';
import { Engine } from '../run/engine.ts';
import { Fetcher } from '../run/fetcher.ts';
import type { ConfigSource, Parts } from '../run/parts.ts';
import { Retention } from '../run/retention.ts';
import { createRevisions, type Revisions } from '../store/revisions.ts';
import { openSecrets, type Secrets } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { ArgumentChecker } from '../tool/arguments.ts';
import type { Tool } from '../tool/tool.ts';
import { workspaceTools } from '../tool/workspace.ts';
import { LiveBus } from '../trace/live.ts';
import type { Telemetry } from '../trace/otel.ts';
import { type Ground, openLocalGround } from './ground.ts';
import { knowledgeOf } from './knowledge.ts';

export interface AppOptions {
  readonly configDir: string;
  readonly dataDir: string;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly redactor?: Redactor;
  /** Tools beside the built-in ones; one of the same name takes its place. */
  readonly tools?: readonly Tool[];
  /** In place of the providers' adapters. */
  readonly models?: Models;
  readonly probe?: Parts['probe'];
  /** In place of the one for the OpenTelemetry SDK of this process, if it has one. */
  readonly telemetry?: Telemetry;
  /** False for commands that look once: config files are not watched. */
  readonly watch?: boolean;
  /** In place of the store of the data folder. */
  readonly ground?: Ground;
}

/** Everything joined, with nothing started yet: `engine.start()` takes up runs, `fetcher.start()` fetches, `retention.start()` deletes what is too old. */
export interface App {
  readonly parts: Parts;
  readonly engine: Engine;
  readonly fetcher: Fetcher;
  readonly retention: Retention;
  readonly config: ConfigService;
  readonly mailRoom: MailRoom;
  readonly judge: Judge;
  /** Absolute. */
  readonly dataDir: string;
  /** The folder that holds the config folder: relative paths in documents count from here. */
  readonly baseDir: string;
  readonly storage: Store['storage'];
  readonly secrets: Secrets;
  /** Stops what is started and frees the data folder; tool calls that write get `graceMs` (default 0) to end. */
  close(options?: { graceMs: number }): Promise<void>;
}

/** Opens a data folder and a config folder. `DATA_LOCKED` where another process has the data folder; `STORE_*`. */
export async function openApp(options: AppOptions): Promise<App> {
  const redactor = options.redactor ?? createRedactor();
  const dataDir = resolve(options.dataDir);
  const given = { ...options, dataDir, redactor };
  const ground = options.ground ?? (await openLocalGround(given));
  try {
    return await joinRooms(given, ground);
  } catch (error) {
    await ground.close();
    throw error;
  }
}

type Joined = AppOptions & { readonly redactor: Redactor };

async function joinRooms(options: Joined, ground: Ground): Promise<App> {
  const { store } = ground;
  const { env, clock = systemClock, redactor, dataDir } = options;
  const baseDir = dirname(resolve(options.configDir));
  const allowsPlaintext = env('CALLSHEET_PLAINTEXT') === '1';
  const secrets = await openSecrets({ store, clock, redactor, allowsPlaintext });
  const revisions = createRevisions(store);
  const { parts, config } = await openParts(options, { ...ground, clock, revisions, secrets, baseDir });
  const engine = new Engine(parts);
  const mailRoom = createMailRoom();
  const judge = createJudge();
  const fetcher = new Fetcher(parts, {
    judge: (subject, snapshot) => judge.judge(question(subject, snapshot)),
    onTaken: () => engine.queued(),
    openSource: ({ id: accountId, email, path, format }) =>
      createFolderSource({ accountId, email, path: resolve(baseDir, path), format, room: mailRoom, clock }),
  });
  config.onChange(({ snapshot }) => {
    parts.live.publish('config', { revision: snapshot.revision, problems: config.problems().length });
    fetcher.configChanged();
    engine.queued();
  });
  const retention = new Retention(parts, revisions);
  const close: App['close'] = async (how) => {
    await retention.stop();
    await fetcher.stop();
    await engine.stop(how);
    parts.telemetry?.close();
    await Promise.all([mailRoom.close(), judge.close(), config.close(), parts.models.close()]);
    await ground.close();
  };
  const { storage } = store;
  return { parts, engine, fetcher, retention, config, mailRoom, judge, dataDir, baseDir, storage, secrets, close };
}

interface Base extends Pick<Ground, 'store' | 'shared'> {
  readonly clock: Clock;
  readonly revisions: Revisions;
  readonly secrets: Secrets;
  readonly baseDir: string;
}

/** What the run room is built from, and the config that it follows. */
async function openParts(options: Joined, base: Base): Promise<{ parts: Parts; config: ConfigService }> {
  const { env, log, redactor, configDir: dir, watch = true, probe } = options;
  const { store, shared, clock, revisions, secrets, baseDir } = base;
  const tools = new Map([...workspaceTools, ...(options.tools ?? [])].map((tool) => [tool.name, tool]));
  const config = await openConfig({ dir, place: revisions, knowledge: knowledgeOf(tools), env, log, clock, watch });
  const resolve = resolver({ env, secret: secrets.get }, redactor);
  const telemetry = options.telemetry ?? (await openTelemetry(env, log));
  const parts: Parts = {
    store,
    clock,
    ids: createIds(clock),
    log,
    redactor,
    live: new LiveBus(),
    config: configSource(config, revisions, clock, baseDir),
    models: options.models ?? createModels({ resolve, redactor, clock, log }),
    tools,
    checker: new ArgumentChecker(),
    ...(shared && { shared }),
    ...(telemetry !== undefined && { telemetry }),
    ...(probe && { probe }),
  };
  return { parts, config };
}

/** Looks references up when they are used; what they stand for is redacted everywhere from then on. */
function resolver(sources: ReferenceSources, redactor: Redactor): (reference: string) => string | undefined {
  return (reference) => {
    if (parseReference(reference) === undefined) return undefined;
    const value = resolveReference(reference, sources);
    if (value !== undefined) redactor.add(value);
    return value;
  };
}

/** Where an SDK registers itself: see `setGlobalTracerProvider` of @opentelemetry/api 1. */
const OTEL_GLOBAL = Symbol.for('opentelemetry.js.api.1');

/**
 * Spans for the SDK that was loaded before us (`node --import`); without one not even the api is loaded. Content goes along
 * only with `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true`, the conventions' own switch.
 */
async function openTelemetry(env: AppOptions['env'], log: Logger): Promise<Telemetry | undefined> {
  if (!(OTEL_GLOBAL in globalThis)) return undefined;
  const [{ trace }, { createTelemetry }] = await Promise.all([
    import('@opentelemetry/api'),
    import('../trace/otel.ts'),
  ]);
  return createTelemetry({
    tracer: trace.getTracer('callsheet'),
    hasContent: env('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT') === 'true',
    onError: (error) => log.debug('a span could not be made', { error: String(error) }),
  });
}

/** What the judge is asked about a mail under one config. */
export function question(subject: string, { revision, filters, directors }: Snapshot): Parameters<Judge['judge']>[0] {
  const scopes = [...directors.values()].map(({ id, accountIds }) => [id, { accountIds }] as const);
  return { revision, filters, directors: Object.fromEntries(scopes), subject };
}

/** How long the commit that was read counts as the one that is checked out. */
const COMMIT_MS = 2000;

function configSource(config: ConfigService, revisions: Revisions, clock: Clock, baseDir: string): ConfigSource {
  let commit: { value: string | undefined; at: number } | undefined;
  return {
    current: () => config.current(),
    revision: (id) => config.revision(id),
    keep: (id, now) => revisions.keep(id, config.sources(id), now),
    gitCommit() {
      if (commit === undefined || clock.now() - commit.at > COMMIT_MS)
        commit = { value: gitCommit(baseDir), at: clock.now() };
      return commit.value;
    },
  };
}
