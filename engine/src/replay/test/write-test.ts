import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import { EngineError } from '../../base/error.ts';
import { modeline } from '../../config/edit/write-file.ts';
import { TESTS_FOLDER } from '../../config/test/test-file.ts';
import { writeNamed } from '../../file/write-named.ts';
import { writeCase } from '../case/case-file.ts';
import type { Recording } from '../replay.ts';
import { testOfRecording } from './test-of-recording.ts';

/** Folder of cases, beside the config folder. */
const CASES = 'cases';

/** The files of a test that was written from a run. */
export interface WrittenTest {
  /** Name of the test, by which `callsheet test` finds it. */
  readonly name: string;
  /** Absolute path of the test file. */
  readonly file: string;
  /** Absolute path of the folder with the case. */
  readonly folder: string;
}

/**
 * Writes the test of a recording, `config/tests/<name>.yaml`, and the case that it plays, `cases/<name>`. `USAGE` where the test exists
 * or a file cannot be written.
 */
export async function writeTest(configDir: string, recording: Recording): Promise<WrittenTest> {
  const { name } = recording;
  const file = join(configDir, TESTS_FOLDER, `${name}.yaml`);
  if (existsSync(file))
    throw new EngineError('USAGE', `there is a test of this run already: ${file}`, {
      hint: `callsheet test ${name} runs it; delete it to write it anew`,
    });
  // A test without its case could not run, so the case comes first.
  const folder = await writeCase(resolve(configDir, '..', CASES), recording);
  const text = `${modeline(configDir, 'test')}\n${testOfRecording(recording, `${CASES}/${name}`)}`;
  await writeNamed(file, makeFolder(dirname(file)));
  await writeNamed(file, writeFile(file, text, { flag: 'wx' }));
  return { name, file, folder };
}
