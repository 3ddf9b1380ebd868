import { expect, test } from 'vitest';
import { secretVariables } from '../../../engine/src/model/cli/secret-variables.ts';

const valueOf = (name: string, value = 'a value') => secretVariables([name], () => value);

test.each(['GH_PAT', 'WAREHOUSE_URL', 'OPENAI_API_KEY', 'HOUSE_AGENT', 'TOKEN_PATH', 'AUTH_DIR', 'PGPASSWORD'])(
  'the value of %s is a secret',
  (name) => {
    expect(valueOf(name)).toEqual(['a value']);
  },
);

test.each(['PATH', 'LD_LIBRARY_PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'NODE_ENV', 'AWS_REGION', 'ANTHROPIC_MODEL'])(
  'the value of %s is none',
  (name) => {
    expect(valueOf(name)).toEqual([]);
  },
);

test('of an address with a password, the password is a secret as well, in both spellings', () => {
  const address = 'postgres://user:p%40ssword@db.example/shop';
  expect(valueOf('WAREHOUSE_URL', address)).toEqual([address, 'p%40ssword', 'p@ssword']);
});
