import { basename, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isoTime } from '../../base/clock.ts';
import type { DocumentEdit } from '../../config/config.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import {
  type Changes,
  type ChangesReport,
  type ChangesRequest,
  type ComparisonView,
  MAX_COMPARED,
} from '../../replay/changes.ts';
import { SidesOfRuns } from '../../replay/compare/changed-sides.ts';
import type { Scratch } from '../../replay/replay.ts';
import type { App } from '../app.ts';
import type { ConfigCopy } from './config-of-ref.ts';
import type { ScratchOptions } from './open-play.ts';
import { recordingSource } from './recording-source.ts';

type Job = NonNullable<ComparisonView['job']>;

/**
 * Compares the config of an app with another one, as `callsheet replay` does without `--live`: each play has a store of its own and
 * reaches no other machine.
 */
export class ChangesJob implements Changes {
  readonly #app: App;
  readonly #env: ScratchOptions['env'];
  #job: Job | null = null;
  #report: ChangesReport | undefined;
  #sides = new SidesOfRuns();
  #stopping = new AbortController();
  #work: Promise<void> = Promise.resolve();

  constructor(app: App, env: ScratchOptions['env']) {
    this.#app = app;
    this.#env = env;
  }

  async start({ against, limit }: ChangesRequest): Promise<void> {
    if (this.#job?.status === 'running')
      throw new EngineError('BUSY', 'a comparison runs already', { hint: 'wait for its end, or cancel it' });
    if (!(limit >= 1 && limit <= MAX_COMPARED))
      throw new EngineError('BAD_REQUEST', `"limit" must be from 1 to ${MAX_COMPARED}, not ${limit}`);
    const name = 'ref' in against ? against.ref : editsName(against.edits.length);
    const before = { job: this.#job, report: this.#report, sides: this.#sides };
    this.#job = { status: 'running', against: name, limit, startedAt: isoTime(this.#app.deps.clock.now()) };
    this.#report = undefined;
    this.#sides = new SidesOfRuns();
    this.#stopping = new AbortController();
    const copy = await this.#copyOf(against).catch((error: unknown) => {
      ({ job: this.#job, report: this.#report, sides: this.#sides } = before);
      throw error;
    });
    this.#work = this.#run(copy, limit).catch((error: unknown) => {
      const isOver = this.#stopping.signal.aborted;
      this.#set(isOver ? { status: 'cancelled' } : { status: 'failed', error: errorBody(error) });
    });
  }

  view(): ComparisonView {
    return { job: this.#job, ...(this.#report && { report: this.#report }) };
  }

  sides: Changes['sides'] = (name) => this.#sides.find(name);

  cancel(): void {
    this.#stopping.abort(new EngineError('CONFLICT', 'the comparison was cancelled'));
  }

  refs: Changes['refs'] = async () => (await import('./config-of-ref.ts')).listRefs(this.#app.config.dir);

  async end(): Promise<void> {
    this.cancel();
    await this.#work;
  }

  async #copyOf(against: ChangesRequest['against']): Promise<ConfigCopy> {
    const { config } = this.#app;
    const { configAtRef, configWithEdits } = await import('./config-of-ref.ts');
    if ('ref' in against) return configAtRef(config.dir, against.ref);
    return configWithEdits(config.dir, await this.#textsOf(against.edits));
  }

  /** The texts of the files that saving these edits would write, by path below the config folder. */
  async #textsOf(edits: readonly DocumentEdit[]): Promise<ReadonlyMap<string, string>> {
    const { config } = this.#app;
    const drafts = await config.draft(edits);
    return new Map(drafts.map(({ file, after }) => [relative(basename(config.dir), file).split(sep).join('/'), after]));
  }

  async #run(copy: ConfigCopy, limit: number): Promise<void> {
    const { deps, config, mailWorkers, calendarWorkers, filterPool } = this.#app;
    const { signal } = this.#stopping;
    try {
      // Loaded only here: most processes compare nothing.
      const [{ openScratch }, { storedRecordings }, { replayAll }] = await Promise.all([
        import('./open-scratch.ts'),
        import('./stored-recordings.ts'),
        import('../../replay/compare/replay-all.ts'),
      ]);
      const scratch = await openScratch({
        ...{ configDir: copy.configDir, env: this.#env, recogniser: deps.recogniser },
        threads: { mailWorkers, calendarWorkers, filterPool },
      });
      try {
        signal.throwIfAborted();
        const listed = await storedRecordings(recordingSource(this.#app)).list({ since: '', limit });
        const base = { config: config.current(), tools: deps.tools.of(config.current()) };
        const input = { against: this.#job?.against ?? '', base, ...listed };
        const report = await replayAll(this.#watched(scratch), input, {
          signal,
          onProgress: (tier, done, total) => this.#set({ progress: { tier, done, total } }),
        });
        const problems = scratch.problems.filter(({ severity }) => severity === 'error');
        this.#report = {
          ...{ ...report, changed: this.#sides.finish(report.changed) },
          problems: problems.map(({ file, message }) => `${file}: ${message}`),
        };
        this.#set({ status: report.isInterrupted === true ? 'cancelled' : 'done' });
      } finally {
        await scratch.close();
      }
    } finally {
      await copy.close();
    }
  }

  /** A scratch engine that keeps what runs did, and lets other work go first between two plays. */
  #watched(scratch: Scratch): Scratch {
    return {
      ...scratch,
      play: async (recording, options) => {
        await setImmediate();
        const play = await scratch.play(recording, options);
        const [expected] = recording.expected?.runs ?? [];
        if (expected !== undefined) this.#sides.keep(recording.name, expected, play.outcome.runs[0]);
        return play;
      },
    };
  }

  #set(change: Partial<Job>): void {
    if (this.#job !== null) this.#job = { ...this.#job, ...change };
  }
}

function editsName(count: number): string {
  return count === 1 ? 'an unsaved edit' : `${count} unsaved edits`;
}
