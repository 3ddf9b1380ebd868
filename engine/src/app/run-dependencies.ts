import type { Clock } from '../base/clock.ts';
import { createIds } from '../base/id.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { SecretLookup } from '../account/oauth/client-from-config.ts';
import { SharedMeters } from '../budget/shared-meters.ts';
import type { ConfigService } from '../config/config.ts';
import { expectHosts, parseReference, type ReferenceSources, resolveReference } from '../config/reference.ts';
import type { SecretHosts } from '../config/secrets.ts';
import type { RunRevisions } from '../config/revision/revision-store.ts';
import { createRecogniser, type Recogniser } from '../guard/privacy/recogniser.ts';
import type { Models } from '../model/model.ts';
import { createModels } from '../model/models.ts';
import type { ConfigSource, Dependencies } from '../run/dependencies.ts';
import { type EngineDependencies, type Mode, modeTable } from '../run/mode/mode.ts';
import { MODES } from '../run/mode/registry.ts';
import { ArgumentChecker } from '../tool/arguments.ts';
import type { RunTools } from '../tool/run-tools.ts';
import { LiveBus } from '../trace/live-bus.ts';
import type { Telemetry } from '../trace/otel.ts';
import type { StoreHandle } from './local-store.ts';

/** Replacements of the adapters of an app. */
export interface RunAdapters {
  readonly models?: Models;
  /** Default: rules and libraries in worker threads, and the service that the config names. */
  readonly recogniser?: Recogniser;
  /** Default: one of its own. Its compiled schemas are worth sharing between apps of one process. */
  readonly checker?: ArgumentChecker;
  /** Extra machine modes; a mode with the name of a built-in one replaces it. */
  readonly modes?: readonly Mode[];
  /** Default: those of chats. */
  readonly cliTurns?: Dependencies['cliTurns'];
  readonly probe?: Dependencies['probe'];
  /** Default: the OpenTelemetry SDK of this process, if one is loaded. */
  readonly telemetry?: Telemetry;
  /** Counts what is done; absent if no metrics are served. */
  readonly metrics?: Dependencies['metrics'];
}

interface Options extends RunAdapters {
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

interface OpenRooms extends Pick<StoreHandle, 'store' | 'shared'> {
  readonly revisions: RunRevisions;
  readonly config: ConfigService;
  readonly references: SecretLookup;
  readonly tools: RunTools;
  readonly memory: Dependencies['memory'];
  readonly mailService: Dependencies['mailService'];
  readonly cliTurns: Dependencies['cliTurns'];
}

/** Builds the dependencies of runs. */
export async function openRunDependencies(options: Options, rooms: OpenRooms): Promise<EngineDependencies> {
  const { env, log, clock, redactor, probe, metrics } = options;
  const { store, shared, revisions, config, references, tools, memory, mailService, cliTurns } = rooms;
  const telemetry = options.telemetry ?? (await openTelemetry(env, log));
  return {
    store,
    clock,
    ids: createIds(clock),
    log,
    redactor,
    live: new LiveBus(),
    config: configSource(config, revisions),
    models: options.models ?? createModels({ resolve: references.secret, redactor, clock, log, env }),
    tools,
    memory,
    mailService,
    ...(cliTurns !== undefined && { cliTurns: options.cliTurns ?? cliTurns }),
    checker: options.checker ?? new ArgumentChecker(),
    recogniser: options.recogniser ?? createRecogniser(),
    modes: modeTable([...MODES.values(), ...(options.modes ?? [])]),
    ...(shared && { shared, meters: new SharedMeters({ store, clock, log }) }),
    ...(telemetry !== undefined && { telemetry }),
    ...(metrics && { metrics }),
    ...(probe && { probe }),
  };
}

/** Resolves references at each use. The value of a secret is redacted everywhere from then on. */
export function createReferences(
  sources: ReferenceSources & { readonly allowsHost: SecretHosts['allowsHost'] },
  redactor: Redactor,
): SecretLookup {
  return {
    secret(reference, hosts) {
      if (parseReference(reference) === undefined) return undefined;
      expectHosts(reference, hosts, sources.allowsHost);
      const value = resolveReference(reference, sources);
      if (value !== undefined) redactor.add(value);
      return value;
    },
    open(reference, hosts) {
      expectHosts(reference, hosts, sources.allowsHost);
      return resolveReference(reference, sources);
    },
  };
}

/** Where an SDK registers itself: see `setGlobalTracerProvider` of @opentelemetry/api 1. */
const OTEL_GLOBAL = Symbol.for('opentelemetry.js.api.1');

/**
 * Creates spans if an SDK was loaded before (`node --import`); else not even the API is loaded. Spans contain message content only
 * with `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true`, the switch of the conventions.
 */
async function openTelemetry(env: Options['env'], log: Logger): Promise<Telemetry | undefined> {
  if (!(OTEL_GLOBAL in globalThis)) return undefined;
  const [{ trace }, { createTelemetry }] = await Promise.all([
    import('@opentelemetry/api'),
    import('../trace/otel.ts'),
  ]);
  return createTelemetry({
    tracer: trace.getTracer('callsheet'),
    hasContent: env('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT') === 'true',
    onError: (error) => log.debug('a span could not be created', { error: String(error) }),
  });
}

function configSource(config: ConfigService, revisions: RunRevisions): ConfigSource {
  return {
    current: () => config.current(),
    revision: (id) => config.revision(id),
    keep: (id, now) => revisions.keep(id, config.sources(id), now),
    gitCommit: () => config.gitCommit(),
  };
}
