import { expect, test } from 'vitest';
import { validateConfig } from '../../../engine/src/config/validate-folder.ts';
import { brief, catalog, env, makeFolder, problemsOf, VALID } from '../folder.ts';
import { api, director, type ProblemCase } from '../problem-cases.ts';

const filter = (rest: string) => ({ 'filters/x.yaml': `id: x\ndirectorId: boss\n${rest}` });

/** One mistake a case, or as many mistakes as `found` lists. */
const CASES: readonly ProblemCase[] = [
  {
    name: 'a key in an api that everything uses',
    files: api('provider: openai\nmodel: m\napiKey: sk-live-0123456789\n'),
    found: ['apis/main.yaml:4:9 CONFIG_SECRET_LITERAL'],
    says: 'until then these do not run: directors/boss, filters/all',
  },
  {
    name: 'an agent that does not exist, in a director that a filter names',
    files: director('agents: [reader, writer]\n'),
    found: ['directors/boss.yaml:3:18 CONFIG_UNKNOWN_AGENT'],
    says: 'until then this does not run: filters/all',
  },
  {
    name: 'two misspelt keys in a filter',
    files: filter('feild: Subject\nregx: x\n'),
    found: ['filters/x.yaml:3:1 CONFIG_UNKNOWN_KEY', 'filters/x.yaml:4:1 CONFIG_UNKNOWN_KEY'],
  },
  {
    name: 'a misspelt key that another key requires',
    files: filter('field: Subject\nregx: x\n'),
    found: ['filters/x.yaml:4:1 CONFIG_UNKNOWN_KEY'],
  },
  {
    name: 'a condition with a key of another program',
    files: filter('allOf:\n  - { field: Subject, regexp: x }\n  - { from: a, regex: x }\n'),
    found: ['filters/x.yaml:4:23 CONFIG_UNKNOWN_KEY', 'filters/x.yaml:5:7 CONFIG_UNKNOWN_KEY'],
  },
  {
    name: 'a regex without a field',
    files: filter('regex: x\n'),
    found: ['filters/x.yaml:1:1 CONFIG_MISSING_KEY'],
    says: '"field"',
  },
  {
    name: 'a misspelt answer of a script',
    files: api('provider: scripted\nscript:\n  - when: { turn: 1 }\n    sayy: x\n'),
    found: ['apis/main.yaml:5:5 CONFIG_UNKNOWN_KEY'],
  },
  {
    name: 'a misspelt required key',
    files: { 'agents/x.yaml': 'idd: x\n' },
    found: ['agents/x.yaml:1:1 CONFIG_UNKNOWN_KEY'],
    says: 'did you mean "id"?',
  },
  {
    name: 'an unknown key beside a missing key that it does not resemble',
    files: { 'filters/x.yaml': 'id: x\nfield: To\nregex: a\ncolour: red\n' },
    found: ['filters/x.yaml:1:1 CONFIG_MISSING_KEY', 'filters/x.yaml:4:1 CONFIG_UNKNOWN_KEY'],
  },
  {
    name: 'an id that is no id',
    files: { 'agents/x.yaml': 'id: my agent\n' },
    found: ['agents/x.yaml:1:5 CONFIG_VALUE'],
  },
  {
    name: 'a permission for the tool of an agent that does not exist',
    files: director('permissions: { deny: [agent__nobody] }\n'),
    found: ['directors/boss.yaml:3:23 CONFIG_UNKNOWN_TOOL'],
  },
];

test.each(CASES)('one mistake is one problem: $name', async ({ files, found, says = '' }) => {
  const problems = await problemsOf({ ...VALID, ...files });
  expect(brief(problems)).toEqual(found);
  expect(`${problems[0]?.message} ${problems[0]?.hint ?? ''}`).toContain(says);
});

test('a document that depends on an invalid one is reported when the invalid one is not', async () => {
  const { dir } = await makeFolder({ ...VALID, ...api('provider: openai\nmodel: m\napiKey: sk-live-0123456789\n') });
  const { problems } = await validateConfig({ dir, paths: [`${dir}/filters`], catalog, env });
  expect(brief(problems)).toEqual(['filters/all.yaml:4:13 CONFIG_DEPENDS_ON_INVALID']);
  const more = await validateConfig({ dir, paths: [`${dir}/filters`, `${dir}/apis`], catalog, env });
  expect(brief(more.problems)).toEqual(['apis/main.yaml:4:9 CONFIG_SECRET_LITERAL']);
});
