import type { CommandServer } from '../../../app/command-server.ts';
import { type ApiClient, createClient } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findServer } from '../../server-file.ts';

/** Access of a long-lived command to the engine. */
export interface EngineAccess {
  /**
   * Calls `work` with a client of the running server. Without one, the data folder is open only while such calls are under way,
   * so that `callsheet start` can use it at any time. `DATA_LOCKED` if another process has it and no server answers.
   */
  use<T>(work: (client: ApiClient) => Promise<T>): Promise<T>;
  /** Resolves when no call is under way. */
  close(): Promise<void>;
}

/** Creates the access. Opens nothing before the first call. */
export function createEngineAccess(context: CommandContext): EngineAccess {
  let users = 0;
  let opening: Promise<CommandServer> | undefined;
  let closing: Promise<void> = Promise.resolve();
  const open = async () => {
    await closing;
    const { openCommandServer } = await import('../../../app/command-server.ts');
    return openCommandServer(context, { isDriving: false });
  };
  const release = async (server: Promise<CommandServer>) => {
    if (--users > 0) return;
    opening = undefined;
    closing = server.then(
      (opened) => opened.close(),
      () => {},
    );
    await closing;
  };
  return {
    async use(work) {
      const live = await findServer(context.dataDir);
      if (live !== undefined) return work(createClient(live, true));
      users++;
      const server = (opening ??= open());
      try {
        return await work(createClient(await server, false));
      } finally {
        await release(server);
      }
    },
    close: () => closing,
  };
}
