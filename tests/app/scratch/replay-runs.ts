import { join } from 'node:path';
import { openScratch } from '../../../engine/src/app/scratch/open-scratch.ts';
import { recordingSource } from '../../../engine/src/app/scratch/recording-source.ts';
import { replayAll } from '../../../engine/src/replay/compare/replay-all.ts';
import { recordRun } from '../../../engine/src/replay/read/recording.ts';
import type { Tool } from '../../../engine/src/tool/tool.ts';
import type { Stage } from '../../run/harness.ts';
import { sharedRecogniser, sharedThreads } from '../../run/shared-threads.ts';

/** What a replay of runs found: differences as `<kind>: <text>`. */
export interface Replayed {
  readonly differences: readonly string[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** Runs that were played. */
  readonly total: number | undefined;
}

/** Replays stored runs under the config folder as it is now. `tools`: those of the stage besides the built-in ones. */
export async function replayRuns(
  { app, root }: Pick<Stage, 'app' | 'root'>,
  runs: readonly string[],
  tools: readonly Tool[] = [],
): Promise<Replayed> {
  const scratch = await openScratch({
    ...{ configDir: join(root, 'config'), env: () => 'sk-test-key', tools },
    ...{ threads: sharedThreads, recogniser: sharedRecogniser },
  });
  try {
    const source = recordingSource(app);
    const before = { config: app.config.current(), tools: app.deps.tools.of(app.config.current()) };
    const { changed, leftOut, tiers } = await replayAll(scratch, {
      ...{ against: 'the folder', base: before, mails: [] },
      runs: runs.map((id) => ({ name: id, subject: '', load: () => recordRun(source, id), before })),
    });
    const differences = changed.flatMap((one) => one.differences.map(({ kind, text }) => `${kind}: ${text}`));
    return { differences, leftOut, total: tiers[1]?.total };
  } finally {
    await scratch.close();
  }
}
