import { expect, test } from 'vitest';
import { validateConfig } from '../../../engine/src/config/validate-folder.ts';
import { catalog, env, makeFolder, open, save, VALID } from '../folder.ts';
import { testProblems } from '../problem-cases.ts';
import { TESTS } from './test-cases.ts';

testProblems(TESTS);

const GOOD = 'director: boss\ntests:\n  - message: Hi\n    assert: [{ type: not-contains, value: x }]\n';

test('a file with tests is no document: it changes no revision, and a bad one does not reach a running engine', async () => {
  const { dir } = await makeFolder(VALID);
  const { revision } = await validateConfig({ dir, catalog, env });
  await save(dir, 'tests/desk.yaml', GOOD);
  expect(await validateConfig({ dir, catalog, env })).toEqual({ revision, problems: [] });
  await save(dir, 'tests/desk.yaml', 'tests: nope\n');
  const { problems } = await validateConfig({ dir, catalog, env });
  expect(problems.map(({ file, code }) => `${file} ${code}`)).toEqual(['config/tests/desk.yaml CONFIG_TYPE']);
  const config = await open(dir);
  expect([config.current().revision, config.problems()]).toEqual([revision, []]);
});

test('one file with tests can be validated alone', async () => {
  const { dir } = await makeFolder({ ...VALID, 'tests/good.yaml': GOOD, 'tests/bad.yaml': 'tests: []\n' });
  const of = async (name: string) =>
    (await validateConfig({ dir: `${dir}-other`, paths: [`${dir}/tests/${name}`], catalog, env })).problems;
  expect(await of('good.yaml')).toEqual([]);
  expect((await of('bad.yaml')).map(({ code }) => code)).toEqual(['CONFIG_VALUE']);
});
