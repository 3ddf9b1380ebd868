import { dirname } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { silentLogger } from '../../base/log.ts';
import { createRevisionStore } from '../../config/revision/revision-store.ts';
import type { ConfigWithTools } from '../../replay/compare/compare-rules.ts';
import type { RecordingSource } from '../../replay/read/recording.ts';
import { openMcpServers } from '../../tool/mcp/open-server.ts';
import { openRunTools } from '../../tool/open-run-tools.ts';
import { openForReading } from '../check-stored-work.ts';
import { inspectConfig } from '../inspect.ts';
import { readVersion } from '../installation.ts';
import type { ProcessContext } from '../process-context.ts';
import { builtInToolTable } from '../tool-catalog.ts';
import { type StoredRecordings, storedRecordings } from './stored-recordings.ts';

/** The stored mails and runs of a data folder or database, opened for reading: a server may use it at the same time. */
export interface OpenRecordings extends StoredRecordings {
  readonly source: RecordingSource;
  /** The config folder as it is now, with the tools that its runs have. */
  readonly current: ConfigWithTools;
  close(): Promise<void>;
}

/** Opens the recordings of a store. `NOT_FOUND` where there is no store yet; `STORE_*`. */
export async function openRecordings(
  context: Pick<ProcessContext, 'configDir' | 'dataDir' | 'env' | 'redactor'>,
): Promise<OpenRecordings> {
  const opened = await openForReading(context);
  if (opened === undefined)
    throw new EngineError('NOT_FOUND', `there is no store in ${context.dataDir} yet`, {
      hint: 'callsheet start makes one; --data names another folder',
    });
  const { store } = opened;
  const revisions = createRevisionStore(store, readVersion());
  const config = await inspectConfig(context, store, (id, has) => revisions.loadRevision(id, has));
  const { env, redactor, configDir } = context;
  const services = {
    clock: systemClock,
    log: silentLogger,
    redactor,
    baseDir: dirname(configDir),
    env,
    resolve: () => undefined,
  };
  // Without `open` no server is connected: the stored lists of tools are read.
  const servers = openMcpServers(services, store, readVersion());
  const tools = openRunTools({ builtIn: builtInToolTable(), services, servers });
  const source: RecordingSource = {
    store,
    revision: (id) => config.revision(id),
    toolsOf: (snapshot, lists) => tools.of(snapshot ?? config.current(), lists),
  };

  return {
    source,
    current: { config: config.current(), tools: tools.of(config.current()) },
    ...storedRecordings(source),
    async close() {
      await servers.close();
      await config.close();
      await opened.close();
    },
  };
}
