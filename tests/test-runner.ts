import { pathToFileURL } from 'node:url';
import { TestRunner } from 'vitest';

/** Imports each file of tests under its own name. Vitest adds the time, and Node would keep the compiled code of every run for good. */
export default class extends TestRunner {
  override importFile(file: string, source: Parameters<TestRunner['importFile']>[1]): unknown {
    return source === 'setup' ? super.importFile(file, source) : import(pathToFileURL(file).href);
  }
}
