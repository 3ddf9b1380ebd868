import { expect, test } from 'vitest';
import type { Problem } from '../../engine/src/config/config.ts';
import { formatProblems } from '../../engine/src/config/report.ts';
import { resolveReference } from '../../engine/src/config/reference.ts';

const error: Problem = {
  severity: 'error',
  code: 'CONFIG_UNKNOWN_TOOL',
  file: 'config/agents/reply.yaml',
  line: 12,
  column: 7,
  path: '/tools/0',
  message: 'no tool "serch"; did you mean "search"?',
};
const warning: Problem = {
  ...error,
  severity: 'warning',
  code: 'CONFIG_ENV_UNSET',
  message: 'a: 100%\nb',
  hint: 'set it',
};

test('pretty is a line a problem, its hint below it, and a count', () => {
  expect(formatProblems({ revision: 'r', problems: [error, warning] }, 'pretty', { color: false })).toBe(
    'config/agents/reply.yaml:12:7  error    CONFIG_UNKNOWN_TOOL  no tool "serch"; did you mean "search"?\n' +
      'config/agents/reply.yaml:12:7  warning  CONFIG_ENV_UNSET  a: 100%\nb\n  set it\n1 error, 1 warning\n',
  );
});

test('pretty says so when nothing is wrong, and colours only when asked', () => {
  const text = formatProblems({ revision: 'abcdef0123456789', problems: [] }, 'pretty', { color: false });
  expect(text).toBe('config is valid, revision abcdef012345\n');
  expect(formatProblems({ revision: '', problems: [error] }, 'pretty', { color: true })).toContain('\x1b[31m');
});

test('json is the revision and the problems', () => {
  const validation = { revision: 'r', problems: [error] };
  expect(JSON.parse(formatProblems(validation, 'json', { color: true }))).toEqual(validation);
});

test('github is a workflow command a problem, with line breaks and colons escaped', () => {
  expect(formatProblems({ revision: 'r', problems: [warning] }, 'github', { color: false })).toBe(
    '::warning file=config/agents/reply.yaml,line=12,col=7,title=CONFIG_ENV_UNSET::a: 100%25%0Ab (set it)\n',
  );
});

test.each([
  { text: '${env:SET}', value: 'e' },
  { text: '${secret:SET}', value: 's' },
  { text: '${env:EMPTY}', value: undefined },
  { text: '${env:NONE}', value: undefined },
  { text: 'x${env:SET}', value: undefined },
  { text: 'SET', value: undefined },
])('$text stands for $value', ({ text, value }) => {
  const sources = {
    env: (name: string) => ({ SET: 'e', EMPTY: '' })[name],
    secret: (name: string) => ({ SET: 's' })[name],
  };
  expect(resolveReference(text, sources)).toBe(value);
});
