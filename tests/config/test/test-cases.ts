import type { ProblemCase } from '../problem-cases.ts';

const tests = (text: string) => ({ 'tests/desk.yaml': text });
const one = (assertion: string, head = 'director: boss\n') =>
  tests(`${head}tests:\n  - message: Hi\n    assert:\n      - ${assertion}\n`);

/** Mistakes in files with tests. */
export const TESTS: readonly ProblemCase[] = [
  {
    name: 'a test that names a file which is not there',
    files: tests('tests:\n  - mail: samples/none.eml\n    assert: [{ type: route, value: boss }]\n'),
    found: ['tests/desk.yaml:2:11 CONFIG_TEST_FILE'],
    says: 'paths count from the folder that holds the config folder',
  },
  {
    name: 'an unknown type of assertion',
    files: one('{ type: contain, value: x }'),
    found: ['tests/desk.yaml:5:17 CONFIG_VALUE'],
    says: '"contain"',
  },
  {
    name: 'an unknown key of a test',
    files: tests('director: boss\ntests:\n  - message: Hi\n    asert: []\n    assert: []\n'),
    found: ['tests/desk.yaml:4:5 CONFIG_UNKNOWN_KEY'],
    says: '"assert"',
  },
  {
    name: 'names of tests that exist nowhere',
    files: tests(
      'director: bos\ndefaults: { api: offlin, vars: { account: x } }\ntests:\n  - message: Hi\n    tools: { mail_red: { returns: 1 } }\n    assert: []\n',
    ),
    found: [
      'tests/desk.yaml:1:11 CONFIG_UNKNOWN_DIRECTOR',
      'tests/desk.yaml:2:18 CONFIG_UNKNOWN_API',
      'tests/desk.yaml:2:43 CONFIG_UNKNOWN_ACCOUNT',
      'tests/desk.yaml:5:14 CONFIG_UNKNOWN_TOOL',
    ],
    says: 'did you mean "boss"?',
  },
  {
    name: 'a message that nobody gets',
    files: one('{ type: contains, value: x }', ''),
    found: ['tests/desk.yaml:2:14 CONFIG_VALUE'],
    says: 'director:',
  },
  {
    name: 'a director and an agent',
    files: one('{ type: contains, value: x }', 'director: boss\nagent: reader\n'),
    found: ['tests/desk.yaml:2:8 CONFIG_VALUE'],
    says: 'not both',
  },
  {
    name: 'a list where a text is expected',
    files: one('{ type: not-contains, value: [x] }'),
    found: ['tests/desk.yaml:5:38 CONFIG_VALUE'],
    says: 'not-contains: value must be a text',
  },
  {
    name: 'a pattern that takes forever',
    files: one('{ type: regex, value: "(?=x)" }'),
    found: ['tests/desk.yaml:5:31 CONFIG_VALUE'],
    says: 'look-ahead',
  },
  {
    name: 'a limit without a number',
    files: one('{ type: turns }'),
    found: ['tests/desk.yaml:5:9 CONFIG_VALUE'],
    says: 'threshold is missing',
  },
  {
    name: 'a schema that is none',
    files: one('{ type: is-json, value: { type: strng } }'),
    found: ['tests/desk.yaml:5:33 CONFIG_VALUE'],
  },
  {
    name: 'a text of a type that reads none',
    files: one('{ type: turns, threshold: 2, on: items }'),
    found: ['tests/desk.yaml:5:42 CONFIG_VALUE'],
    says: 'reads no text',
  },
  {
    name: 'a comparison without a recorded run',
    files: one('{ type: unchanged }'),
    found: ['tests/desk.yaml:5:17 CONFIG_VALUE'],
    says: 'has no case',
  },
  {
    name: 'broken YAML in a test',
    files: tests('tests: [\n'),
    found: ['tests/desk.yaml:2:1 CONFIG_SYNTAX'],
  },
];
