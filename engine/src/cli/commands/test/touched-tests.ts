import { relative, resolve, sep } from 'node:path';
import type { Snapshot } from '../../../config/config.ts';
import type { ReadTestFile } from '../../../config/test/read-tests.ts';
import { assertionsOf, typeOf } from '../../../config/test/test-file.ts';
import { actorHashes, documentsOf, hashesOf } from '../../../run/lifecycle/create.ts';

/** What the tests of a config are. */
export interface OpenedTests {
  readonly configDir: string;
  readonly files: readonly ReadTestFile[];
  readonly config: Snapshot;
}

/** Assertions that look at the route. */
const ROUTED: ReadonlySet<string> = new Set(['route', 'unchanged']);

/**
 * The names of the test files that a saved file touches: the file itself; those that name the mail, the case or the cassette; and for
 * a document those whose director or agent uses it, or whose mail passes it. Tests that begin at the filters use every document.
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
      return passesBy(one, document?.[1]) || (usedBy(one, config)?.has(name) ?? true);
    })
    .map((one) => one.name);
}

/** Whether a document of this folder decides about the mails of a test file, whoever works on them. */
function passesBy({ tests: file }: ReadTestFile, folder: string | undefined): boolean {
  if (file === undefined) return false;
  return file.tests.some((test) => {
    if ('message' in test) return false;
    if (folder === 'accounts') return true;
    return folder === 'filters' && assertionsOf(file, test).some((one) => ROUTED.has(typeOf(one).type));
  });
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
