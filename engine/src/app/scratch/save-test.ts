import { recordRun } from '../../replay/read/recording.ts';
import { writeTest, type WrittenTest } from '../../replay/test/write-test.ts';
import type { App } from '../app.ts';
import { recordingSource } from './recording-source.ts';

/** Writes a test of a past run of an open app. Errors as of `recordRun` and `writeTest`. */
export async function saveTest(app: Pick<App, 'deps' | 'config'>, runId: string): Promise<WrittenTest> {
  return writeTest(app.config.dir, await recordRun(recordingSource(app), runId));
}
