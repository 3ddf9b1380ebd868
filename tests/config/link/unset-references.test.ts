import { expect, test } from 'vitest';
import { validateConfig } from '../../../engine/src/config/validate-folder.ts';
import { brief, catalog, env, makeFolder, VALID } from '../folder.ts';
import { api } from '../problem-cases.ts';

const problemsWith = async (text: string, hasSecret?: (name: string) => boolean) => {
  const { dir } = await makeFolder({ ...VALID, ...api(text) });
  return (await validateConfig({ dir, catalog, env, hasSecret })).problems;
};
const SECRET = 'provider: openai\nmodel: m\napiKey: ${secret:MODEL_KEY}\n';

test('a secret without a value is a warning that says how to store it', async () => {
  const problems = await problemsWith(SECRET, () => false);
  expect(brief(problems)).toEqual(['apis/main.yaml:4:9 CONFIG_SECRET_UNSET']);
  expect(problems[0]).toMatchObject({
    severity: 'warning',
    message: 'the secret MODEL_KEY has no value, so this API has no key',
    hint: 'store it: callsheet secrets set MODEL_KEY',
  });
  expect(await problemsWith(SECRET, (name) => name === 'MODEL_KEY')).toEqual([]);
});

test('where secrets are not known, as in a clone, nothing is said about them', async () => {
  expect(await problemsWith(SECRET)).toEqual([]);
});

test('a document with other errors is told about its missing values, too', async () => {
  expect(brief(await problemsWith(`${SECRET}colour: red\n`, () => false))).toEqual([
    'apis/main.yaml:4:9 CONFIG_SECRET_UNSET',
    'apis/main.yaml:5:1 CONFIG_UNKNOWN_KEY',
  ]);
});
