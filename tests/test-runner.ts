import { pathToFileURL } from 'node:url';
import { TestRunner } from 'vitest';

/** Imports each file under its own name. Vitest adds the time, and Node would keep the compiled code of every run for good. */
export default class extends TestRunner {
  override importFile(file: string): unknown {
    return import(pathToFileURL(file).href);
  }
}
