import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openRecordings } from '../../../app/scratch/open-recordings.ts';
import { EngineError } from '../../../base/error.ts';
import { writeNamed } from '../../../file/write-named.ts';
import { modeline } from '../../../config/edit/write-file.ts';
import { TESTS_FOLDER } from '../../../config/test/test-file.ts';
import { writeCase } from '../../../replay/case/case-file.ts';
import { recordRun } from '../../../replay/read/recording.ts';
import { testOfRecording } from '../../../replay/test/test-of-recording.ts';
import type { CommandContext } from '../../context.ts';

/** Folder of cases, beside the config folder. */
const CASES = 'cases';

/**
 * Writes a test file for a past run, and the case that it plays: `config/tests/<run>.yaml` and `cases/<run>`. Returns the name of the
 * file. `NOT_FOUND`; `CONFLICT` for a run that cannot be played; `USAGE` where the file
 * exists or cannot be written.
 */
export async function writeTestFrom(context: CommandContext, run: string): Promise<string> {
  const { configDir, say } = context;
  const store = await openRecordings(context);
  try {
    const recording = await recordRun(store.source, await store.findRun(run));
    const { name } = recording;
    const file = join(configDir, TESTS_FOLDER, `${name}.yaml`);
    if (existsSync(file))
      throw new EngineError('USAGE', `there is a test of this run already: ${file}`, {
        hint: `callsheet test ${name} runs it; delete it to write it anew`,
      });
    // A test without its case could not run, so the case comes first.
    const folder = await writeCase(resolve(configDir, '..', CASES), recording);
    const text = `${modeline(configDir, 'test')}\n${testOfRecording(recording, `${CASES}/${name}`)}`;
    await writeNamed(file, mkdir(dirname(file), { recursive: true }));
    await writeNamed(file, writeFile(file, text, { flag: 'wx' }));
    say(`${file}\n${folder}: the mail and all answers as they are; look at them before you commit them`);
    return name;
  } finally {
    await store.close();
  }
}
