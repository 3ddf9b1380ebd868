import { openRecordings } from '../../../app/scratch/open-recordings.ts';
import { recordRun } from '../../../replay/read/recording.ts';
import { writeTest } from '../../../replay/test/write-test.ts';
import type { CommandContext } from '../../context.ts';

/**
 * Writes a test file for a past run, and the case that it plays. Returns the name of the file. `NOT_FOUND`; `CONFLICT` for a run that
 * cannot be played; `USAGE` as of `writeTest`.
 */
export async function writeTestFrom(context: CommandContext, run: string): Promise<string> {
  const store = await openRecordings(context);
  try {
    const recording = await recordRun(store.source, await store.findRun(run));
    const { name, file, folder } = await writeTest(context.configDir, recording);
    context.say(`${file}\n${folder}: the mail and all answers as they are; look at them before you commit them`);
    return name;
  } finally {
    await store.close();
  }
}
