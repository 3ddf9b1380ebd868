import type { Outcome, Play, PlayOptions, Recording } from '../../replay/replay.ts';
import { readOutcome, readRun } from '../../replay/read/read-outcome.ts';
import { driveRuns } from './drive-runs.ts';
import { openPlay, type PlaySetup } from './open-play.ts';
import { startStimulus, storeWorld } from './start-stimulus.ts';

/** Plays a recording in a store of its own, and reads what happened. Abort rejects, once the requests under way have ended. */
export async function playRecording(setup: PlaySetup, recording: Recording, options: PlayOptions): Promise<Play> {
  const { signal } = options;
  signal?.throwIfAborted();
  const open = await openPlay(setup, recording, options);
  const { app, deck } = open;
  try {
    await storeWorld(app, recording.world);
    await app.engine.start();
    const started = await startStimulus(app, recording.stimulus);
    await driveRuns(open, started.runIds, {
      ...{ person: recording.person, approvals: options.approvals ?? 'allow', signal },
    });
    const tools = app.deps.tools.of(app.config.current());
    const runs: Outcome['runs'][number][] = [];
    for (const id of started.runIds) {
      const read = await readRun(app.deps.store, id);
      if (read !== undefined) runs.push(await readOutcome(app.deps.store, read, tools));
    }
    const { route } = started;
    return {
      outcome: { ...(route !== undefined && { route }), runs, misses: deck.misses },
      cassette: deck.taped(),
    };
  } catch (error) {
    if (signal?.aborted === true) options.onAborted?.(deck.taped());
    throw error;
  } finally {
    await open.close();
  }
}
