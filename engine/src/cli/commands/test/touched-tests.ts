import { relative, resolve, sep } from 'node:path';
import type { Snapshot } from '../../../config/config.ts';
import type { ReadTestFile } from '../../../config/test/read-tests.ts';
import { actorHashes, documentsOf, hashesOf } from '../../../run/lifecycle/create.ts';

/** What the tests of a config are. */
export interface OpenedTests {
  readonly configDir: string;
  readonly files: readonly ReadTestFile[];
  readonly config: Snapshot;
}

/**
 * The names of the test files that a saved file touches: the file itself; those that name the mail, the case or the cassette; and for
 * a document those whose director or agent uses it. Tests that begin at the filters use every document.
 */
export function touchedTests(saved: string, { configDir, files, config }: OpenedTests): readonly string[] {
  const baseDir = resolve(configDir, '..');
  const isBelow = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);
  const document = /^(?:(\w+)\/)?([^/]+)\.(?:ya?ml|json)$/.exec(relative(configDir, saved).split(sep).join('/'));
  const name =
    document === null ? undefined : [document[1], document[2]].filter((part) => part !== undefined).join('/');
  return files
    .filter((one) => {
      if (resolve(baseDir, one.file) === saved || isBelow(saved, resolve(baseDir, 'cassettes', one.name))) return true;
      const named = one.tests?.tests.flatMap((test) =>
        'mail' in test ? [test.mail] : 'case' in test ? [test.case] : [],
      );
      if (named?.some((path) => isBelow(saved, resolve(baseDir, path))) === true) return true;
      if (!isBelow(saved, configDir) || name === undefined || document?.[1] === 'tests') return false;
      return usedBy(one, config)?.has(name) ?? true;
    })
    .map((one) => one.name);
}

/** Names of the documents that a test file uses; undefined for all. */
function usedBy({ tests }: ReadTestFile, config: Snapshot): ReadonlySet<string> | undefined {
  const director = config.directors.get(tests?.director ?? '');
  const agent = config.agents.get(tests?.agent ?? '');
  const api = tests?.defaults.api;
  const own = ['settings', ...(api === undefined ? [] : [`apis/${api}`])];
  if (director !== undefined) return new Set([...own, ...Object.keys(documentsOf(config, director, {}))]);
  if (agent === undefined) return undefined;
  const apis = agent.apiConfigId === undefined ? [...config.apis.keys()] : [agent.apiConfigId];
  return new Set([
    ...own,
    ...Object.keys({ ...actorHashes(config, [agent], apis), ...hashesOf(config, [`agents/${agent.id}`]) }),
  ]);
}
