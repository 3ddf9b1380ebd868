import { expect, test } from 'vitest';
import { checkCloud } from '../../../engine/src/config/validate/microsoft-cloud.ts';

test.each<[string, { auth?: string; token?: string; api?: string } | undefined, string[]]>([
  ['none named', undefined, []],
  ['all of the US Government', { auth: 'https://login.microsoftonline.us', api: 'https://graph.microsoft.us' }, []],
  [
    'all of its Department of Defense',
    { auth: 'https://login.microsoftonline.us/', api: 'https://dod-graph.microsoft.us/' },
    [],
  ],
  ['a proxy before Graph', { auth: 'https://login.microsoftonline.us', api: 'https://proxy.example' }, []],
  ['an emulator', { auth: 'http://127.0.0.1:1', api: 'http://127.0.0.1:1' }, []],
  ['a national sign-in alone', { auth: 'https://LOGIN.microsoftonline.us' }, ['api']],
  ['a national Graph alone', { api: 'https://graph.microsoft.us' }, ['auth']],
])('of the endpoints of an account, %s', (_name, endpoints, keys) => {
  const found = checkCloud({
    ...{ id: 'a', description: '', enabled: true, provider: 'outlook', email: 'a@b.c', replies: false },
    oauth: { clientId: 'c', tenant: 'common' },
    ...(endpoints && { endpoints }),
  });
  expect(found.map(({ path }) => path.at(-1))).toEqual(keys);
});
