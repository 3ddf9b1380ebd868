import { basename, dirname, resolve } from 'node:path';
import { createCalendarWorkers } from '../../agenda/ical/ical-workers.ts';
import type { Snapshot } from '../../config/config.ts';
import type { TestFile } from '../../config/documents.gen.ts';
import { createShapeCheck } from '../../config/parse/schema.ts';
import { type ReadTestFile, readTestFiles } from '../../config/test/read-tests.ts';
import { createFilterPool } from '../../filter/filter-pool.ts';
import type { RoutingDecision } from '../../filter/filter.ts';
import { createRecogniser } from '../../guard/privacy/recogniser.ts';
import { createMailWorkers } from '../../mail/parse/mail-workers.ts';
import type { Embedder } from '../../memory/embedding/embedder.ts';
import { createLocalEmbedder } from '../../memory/embedding/local-embedder.ts';
import type { RecordMode } from '../../replay/cassette.ts';
import type { Route } from '../../replay/replay.ts';
import { readCase } from '../../replay/case/case-file.ts';
import { runTest, type TestStage } from '../../replay/test/run-test.ts';
import type { TestResult } from '../../replay/test/test-result.ts';
import { openForReading } from '../check-stored-work.ts';
import { inspectEmbeddings, inspectModels } from '../inspect.ts';
import type { Store } from '../../store/store.ts';
import { inspectDataFolder } from '../../store/sqlite/inspect-data-folder.ts';
import type { ProcessContext } from '../process-context.ts';
import { openScratch } from '../scratch/open-scratch.ts';
import { builtInToolCatalog } from '../tool-catalog.ts';
import { createJudges } from './judges.ts';

/** Options of `openTests`. */
export interface TestsOptions extends Pick<ProcessContext, 'configDir' | 'dataDir' | 'env' | 'redactor'> {
  readonly record: RecordMode;
  readonly repeat: number;
  readonly nowMs: () => number;
  /** Abort ends the test that runs. */
  readonly signal?: AbortSignal | undefined;
}

/** The tests of a config folder, ready to run. */
export interface Tests {
  readonly files: readonly ReadTestFile[];
  readonly config: Snapshot;
  run(file: ReadTestFile & { readonly tests: TestFile }, n: number): Promise<TestResult>;
  close(): Promise<void>;
}

/**
 * Opens the tests of a config folder and the scratch engine that they run in. No model is asked unless `record` says so; keys then
 * come from the environment and from the secrets of the data folder or the database. `CONFIG_INVALID` where no document can be used.
 */
export async function openTests(options: TestsOptions): Promise<Tests> {
  const { configDir, env, record, repeat, nowMs, signal } = options;
  const opened = await openSecrets(options);
  const store = opened?.store;
  const threads = {
    mailWorkers: createMailWorkers(),
    calendarWorkers: createCalendarWorkers(),
    filterPool: createFilterPool(),
  };
  const recogniser = createRecogniser();
  const models = await inspectModels(options, store);
  const embeddings = await inspectEmbeddings(options, store);
  let local: { readonly embedder: Embedder | undefined } | undefined;
  const close = async () => {
    await Promise.all([...Object.values(threads).map((one) => one.close()), recogniser.close(), models.close()]);
    await Promise.all([embeddings.close(), local?.embedder?.close(), opened?.close()]);
  };
  try {
    const scratch = await openScratch({ configDir, env, threads, recogniser, models });
    const { config } = scratch;
    const services = {
      config,
      recogniser,
      models,
      embeddings,
      local: () => (local ??= { embedder: createLocalEmbedder() }).embedder,
    };
    const stage: TestStage = {
      ...{ baseDir: dirname(resolve(configDir)), scratch, record, repeat, nowMs, signal },
      readCase: (dir) => readCase(dir, basename(dir)),
      route: async (mail) => routeOf(await scratch.route(await scratch.read(mail))),
      judges: (verdicts, runs) => createJudges(services, verdicts, runs),
    };
    const names = { documents: new Set(config.documents.keys()), catalog: builtInToolCatalog() };
    return {
      ...{ config, files: await readTestFiles(resolve(configDir), names, createShapeCheck()) },
      run: (file, n) => runTest(stage, file, n),
      async close() {
        await scratch.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the store with the secrets of models. That of a database only where models may be asked: CI has none. */
async function openSecrets(
  options: TestsOptions,
): Promise<{ readonly store: Store; close(): Promise<void> } | undefined> {
  const { env, record } = options;
  if ((env('DATABASE_URL') ?? '') !== '') return record === 'none' ? undefined : openForReading(options);
  const store = await inspectDataFolder(options);
  return store && { store, close: () => store.close() };
}

function routeOf({ directors }: RoutingDecision): Route {
  return { directors: directors.map(({ directorId, filterId }) => ({ directorId, filterId })) };
}
