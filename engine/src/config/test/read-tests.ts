import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { didYouMean } from '../../base/did-you-mean.ts';
import { deepFreeze, isRecord } from '../../base/json.ts';
import type { Problem, ToolCatalog } from '../config.ts';
import type { TestCase, TestFile } from '../documents.gen.ts';
import { parseText } from '../parse/parse.ts';
import { isDocumentName, MAX_FILE_BYTES, tooLarge } from '../parse/read.ts';
import type { CheckShape } from '../parse/schema.ts';
import {
  type DocumentPath,
  fileProblem,
  type Finding,
  limitFindings,
  type LocateInText,
  type ProblemCode,
  toProblem,
} from '../problem.ts';
import { declaredIdOf } from '../tool-name.ts';
import { explainSchemaError } from '../validate/explain-schema-error.ts';
import { checkAssertion } from './check-value.ts';
import { TESTS_FOLDER, typeOf } from './test-file.ts';

/** A file with tests. */
export interface ReadTestFile {
  /** Path in problems: `config/tests/desk.yaml`. */
  readonly file: string;
  /** File name without its extension. */
  readonly name: string;
  /** Undefined where it has errors. */
  readonly tests?: TestFile;
  readonly problems: readonly Problem[];
  /** Finds positions in its text. */
  readonly locate: LocateInText;
}

/** What tests may name. */
export interface TestNames {
  /** Names of documents: `directors/boss`. */
  readonly documents: ReadonlySet<string>;
  readonly catalog: ToolCatalog;
}

/** Reads the tests of a config folder, by name. A folder without tests has none. */
export async function readTestFiles(
  dir: string,
  names: TestNames,
  checkShape: CheckShape,
): Promise<readonly ReadTestFile[]> {
  const found = (await readdir(join(dir, TESTS_FOLDER)).catch(() => [])).filter(isDocumentName).sort();
  const files: ReadTestFile[] = [];
  for (const name of found) {
    const path = join(dir, TESTS_FOLDER, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() === true) files.push(await readTestFile(dir, path, { names, checkShape }));
  }
  return files;
}

async function readTestFile(
  dir: string,
  path: string,
  { names, checkShape }: { readonly names: TestNames; readonly checkShape: CheckShape },
): Promise<ReadTestFile> {
  const file = `${basename(dir)}/${TESTS_FOLDER}/${basename(path)}`;
  const name = basename(path).replace(/\.\w+$/, '');
  const nowhere = () => ({ line: 1, column: 1 });
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined)
    return {
      ...{ file, name, locate: nowhere },
      problems: [fileProblem('CONFIG_UNREADABLE', file, 'the file cannot be read', 'check its permissions')],
    };
  if (text.length > MAX_FILE_BYTES) return { file, name, locate: nowhere, problems: [tooLarge(file, text.length)] };
  const { value, findings, locate } = parseText(text, file);
  const bad = (found: readonly Finding[]) => ({
    ...{ file, name, locate },
    problems: limitFindings(found).map((finding) => toProblem(finding, file, locate)),
  });
  if (findings.length > 0)
    return { ...bad([]), problems: findings.map((finding) => toProblem(finding, file, () => finding.at)) };
  if (!isRecord(value))
    return bad([
      { code: 'CONFIG_TYPE', path: [], message: 'expected a mapping (key: value)', hint: 'start with tests:' },
    ]);
  const errors = checkShape('test', value);
  if (errors.length > 0) return bad(explainSchemaError(errors, value));
  delete value['$schema'];
  // The schema check has passed, and the types are generated from the same schema.
  const tests = deepFreeze(value) as unknown as TestFile;
  const checked = bad(checkTests(tests, dirname(resolve(dir)), names));
  return checked.problems.some(({ severity }) => severity === 'error') ? checked : { ...checked, tests };
}

/** What the schema cannot say. */
function checkTests(file: TestFile, baseDir: string, names: TestNames): Finding[] {
  const { director, agent, defaults } = file;
  const both: Finding = { code: 'CONFIG_VALUE', path: ['agent'], message: 'name a director or an agent, not both' };
  return [
    ...(director !== undefined && agent !== undefined ? [both] : []),
    ...checkName(names, 'CONFIG_UNKNOWN_DIRECTOR', 'directors', director, ['director']),
    ...checkName(names, 'CONFIG_UNKNOWN_AGENT', 'agents', agent, ['agent']),
    ...checkName(names, 'CONFIG_UNKNOWN_API', 'apis', defaults.api, ['defaults', 'api']),
    ...checkParts(defaults, ['defaults'], names),
    ...file.tests.flatMap((test, n) => [
      ...checkStimulus(file, test, n, baseDir),
      ...checkParts(test, ['tests', n], names),
    ]),
  ];
}

function checkStimulus(file: TestFile, test: TestCase, n: number, baseDir: string): Finding[] {
  const path = ['tests', n];
  if ('message' in test && file.director === undefined && file.agent === undefined) {
    const hint = 'write director: or agent: at the top of the file';
    return [{ code: 'CONFIG_VALUE', path: [...path, 'message'], message: 'nobody gets this message', hint }];
  }
  if ('mail' in test && file.agent !== undefined) {
    const hint = 'name its director, or write a message in place of the mail';
    return [{ code: 'CONFIG_VALUE', path: [...path, 'mail'], message: 'an agent gets no mail', hint }];
  }
  const findings: Finding[] = [];
  const [key, named] = 'mail' in test ? ['mail', test.mail] : 'case' in test ? ['case', test.case] : ['', ''];
  if (named !== '' && !existsSync(resolve(baseDir, named))) {
    const hint = 'paths count from the folder that holds the config folder';
    findings.push({ code: 'CONFIG_TEST_FILE', path: [...path, key], message: `there is no ${named}`, hint });
  }
  const [changed] =
    'case' in test ? [] : test.assert.flatMap((one, i) => (typeOf(one).type === 'unchanged' ? [i] : []));
  if (changed !== undefined) {
    const message = 'unchanged compares with a recorded run, and this test has no case';
    findings.push({ code: 'CONFIG_VALUE', path: [...path, 'assert', changed, 'type'], message });
  }
  return findings;
}

function checkParts(
  { vars, tools = {}, assert = [] }: Pick<TestFile['defaults'], 'vars' | 'tools' | 'assert'>,
  path: DocumentPath,
  names: TestNames,
): Finding[] {
  const known = [...names.catalog.tools.keys(), ...names.catalog.discovery];
  const isTool = (name: string) => known.includes(name) || names.documents.has(`tools/${declaredIdOf(name)}`);
  return [
    ...checkName(names, 'CONFIG_UNKNOWN_ACCOUNT', 'accounts', vars?.account, [...path, 'vars', 'account']),
    ...Object.keys(tools).flatMap((name): Finding[] => {
      if (isTool(name)) return [];
      const message = `no tool "${name}"${didYouMean(name, known)}`;
      return [{ code: 'CONFIG_UNKNOWN_TOOL', path: [...path, 'tools', name], part: 'key', message }];
    }),
    ...assert.flatMap((one, n): Finding[] => {
      const wrong = checkAssertion(one);
      if (wrong === undefined) return [];
      const { key, message } = wrong;
      return [{ code: 'CONFIG_VALUE', path: [...path, 'assert', n, key], message }];
    }),
  ];
}

function checkName(
  { documents }: TestNames,
  code: ProblemCode,
  folder: string,
  id: string | undefined,
  path: DocumentPath,
): Finding[] {
  if (id === undefined || documents.has(`${folder}/${id}`)) return [];
  const known = [...documents].flatMap((name) =>
    name.startsWith(`${folder}/`) ? [name.slice(folder.length + 1)] : [],
  );
  return [{ code, path, message: `there is no "${id}" in ${folder}/${didYouMean(id, known)}` }];
}
