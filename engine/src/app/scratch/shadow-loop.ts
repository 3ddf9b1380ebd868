import { isoTime } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { DueLoop } from '../../intake/due/loop.ts';
import type { Models } from '../../model/model.ts';
import { createModels } from '../../model/models.ts';
import { MAX_SHADOW_MAILS, type Shadow, type ShadowProgress, type ShadowResult } from '../../replay/shadow/shadow.ts';
import { ShadowMeter } from '../../replay/shadow/shadow-meter.ts';
import {
  forgetDeleted,
  listDue,
  listTried,
  readProgress,
  readShadow,
  saveProgress,
} from '../../replay/shadow/shadow-rows.ts';
import type { LiveEvent } from '../../trace/live-bus.ts';
import type { App } from '../app.ts';
import type { ProcessContext } from '../process-context.ts';
import { createReferences } from '../run-dependencies.ts';
import type { ScratchOptions } from './open-play.ts';
import { recordingSource } from './recording-source.ts';

const CLAIM = 'shadow';
/** Pause while runs work. */
const BUSY_MS = 1000;
/** Pause between two looks whether runs still work, before a request. */
const IDLE_MS = 250;
/** Statuses after which a mail may be due. */
const OVER: readonly unknown[] = ['completed', 'failed', 'cancelled'];

/** What the shadow loop takes from its process. */
export interface ShadowLoopOptions extends Pick<ProcessContext, 'env' | 'redactor'> {
  /** Replace own threads and models, such as in tests. */
  readonly adapters?: Pick<ScratchOptions, 'threads' | 'recogniser' | 'models' | 'tools'>;
}

/**
 * Tries new mail under the config of the shadow, from `begin` until `end`: one mail at a time, once its runs are over and no run works.
 * A failure is noted in the result of the mail and reaches no run. With claims, one of the processes that share the store does it.
 */
export class ShadowLoop extends DueLoop {
  readonly #app: App;
  readonly #options: ShadowLoopOptions;
  #stopping = new AbortController();
  #mayRepeatDeleted = true;
  #unsubscribe: (() => void) | undefined;
  #giveUp: (() => Promise<void>) | undefined;

  constructor(app: App, options: ShadowLoopOptions) {
    super(app.deps, 'the shadow');
    this.#app = app;
    this.#options = options;
  }

  begin(): void {
    const { deps, joined } = this.#app;
    this.#unsubscribe ??= deps.live.subscribe((event) => this.#changed(event));
    if (joined === undefined) this.start();
    else
      this.#giveUp ??= joined.claims.acquire(CLAIM, { onTaken: () => this.start(), onLost: () => void this.#halt() });
  }

  /** Resolves when no shadow run is under way any more. The mail of one that was is tried again at the next start. */
  async end(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    await this.#halt();
    await this.#giveUp?.();
    this.#giveUp = undefined;
  }

  override start(): void {
    this.#stopping = new AbortController();
    super.start();
  }

  async #halt(): Promise<void> {
    this.#stopping.abort(new EngineError('CONFLICT', 'the shadow was stopped'));
    await this.stop();
  }

  #changed({ name, data }: LiveEvent): void {
    if (data['deleted'] === true || name === 'reset') this.#mayRepeatDeleted = true;
    const isOver = name === 'run' && OVER.includes(data['status']);
    if (isOver || name === 'mail' || data['deleted'] === true || name === 'reset') this.wake();
  }

  protected async doDue(): Promise<number> {
    const { store, clock } = this.#app.deps;
    const shadow = await readShadow(store);
    if (shadow === undefined) return Infinity;
    if (this.#mayRepeatDeleted) await forgetDeleted(store, shadow);
    this.#mayRepeatDeleted = false;
    const tried = await listTried(store, shadow);
    if (tried.size >= MAX_SHADOW_MAILS) return Infinity;
    if (this.#isBusy) return clock.now() + BUSY_MS;
    const due = await listDue(store, shadow, { now: clock.now(), tried });
    const progress = due.length === 0 ? undefined : await readProgress(store, shadow);
    if (progress === undefined) return Infinity;
    try {
      return await this.#tryAll(shadow, progress, due.slice(0, MAX_SHADOW_MAILS - tried.size));
    } catch (error) {
      if (this.#isStopped || isDropped(error)) return Infinity;
      const problem = errorBody(error).message;
      const now = await readProgress(store, shadow);
      if (now === undefined || now.problem === problem) return Infinity;
      this.#app.deps.log.warn('the shadow cannot try mail', { problem });
      await saveProgress(store, shadow, { ...now, problem });
      return Infinity;
    }
  }

  /** Tries mails until one of the real runs works. Returns when to go on. */
  async #tryAll(shadow: Shadow, progress: ShadowProgress, due: readonly string[]): Promise<number> {
    const { env, adapters = {} } = this.#options;
    const { config, deps } = this.#app;
    const { store, clock } = deps;
    // Loaded only here: most processes have no shadow.
    const [{ configAtRef }, { openScratch }, { tryMail }] = await Promise.all([
      import('./config-of-ref.ts'),
      import('./open-scratch.ts'),
      import('../../replay/shadow/try-mail.ts'),
    ]);
    const { problem: _solved, ...rest } = progress;
    const copy = await configAtRef(config.dir, shadow.commit);
    const models = adapters.models ?? this.#openModels();
    try {
      const meter = new ShadowMeter(shadow, {
        ...{ store, clock, models, progress: rest },
        ...{ ready: () => this.#whenIdle(), signal: this.#stopping.signal },
      });
      const scratch = await openScratch({
        ...{ ...adapters, configDir: copy.configDir, env, models: meter.models },
      });
      try {
        for (const mailId of due) {
          if (this.#isStopped) return Infinity;
          if (this.#isBusy) return clock.now() + BUSY_MS;
          const began = performance.now();
          const options = {
            ...{ source: recordingSource(this.#app), current: config.current() },
            signal: this.#stopping.signal,
          };
          const trial = await tryMail(scratch, mailId, options).catch((error: unknown) =>
            leftOut(errorBody(error).message),
          );
          const refused = meter.takeRefusal();
          if (this.#isStopped) return Infinity;
          const result: ShadowResult = {
            ...{ mailId, at: isoTime(clock.now()), tookMs: Math.round(performance.now() - began) },
            ...(refused === undefined ? trial : { ...leftOut(refused), runIds: trial.runIds }),
          };
          await saveProgress(store, shadow, meter.progress, result);
        }
      } finally {
        await scratch.close();
      }
    } finally {
      await copy.close();
      if (adapters.models === undefined) await models.close();
    }
    return Infinity;
  }

  get #isBusy(): boolean {
    return this.#app.engine.load().working > 0;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Resolves when no real run works, so that a model has its limits free for them. */
  async #whenIdle(): Promise<void> {
    const { signal } = this.#stopping;
    const { clock } = this.#app.deps;
    while (this.#isBusy && !signal.aborted) await new Promise<void>((resolve) => void clock.delay(resolve, IDLE_MS));
    signal.throwIfAborted();
  }

  /** Models of the shadow alone: a request of theirs takes no slot of `limits.concurrency` from a real run. */
  #openModels(): Models {
    const { secrets, deps } = this.#app;
    const { env, redactor } = this.#options;
    const sources = { env, secret: secrets.get, allowsHost: secrets.allowsHost };
    const { secret: resolve } = createReferences(sources, redactor);
    return createModels({ resolve, redactor, env, clock: deps.clock, log: deps.log });
  }
}

function leftOut(why: string) {
  return { runIds: [], played: 0, missed: 0, changed: [], leftOut: why };
}

function isDropped(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_CONFLICT';
}
