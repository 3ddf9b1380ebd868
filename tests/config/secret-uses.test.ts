import { expect, test } from 'vitest';
import { isRecord } from '../../engine/src/base/json.ts';
import type { Account, Api } from '../../engine/src/config/config.ts';
import { hostOf, secretUses } from '../../engine/src/config/secret-uses.ts';
import { SCHEMAS } from '../../engine/src/config/parse/schema.ts';

const imap = {
  provider: 'imap',
  imap: { host: 'imap.example.org', port: 993, secure: true },
  auth: { user: 'a', pass: '${secret:A}' },
};
const gmail = { provider: 'gmail', oauth: { clientId: '${secret:A}', clientSecret: '${secret:B}' } };
const outlook = { provider: 'outlook', oauth: { clientId: 'public', clientSecret: '${secret:B}', tenant: 'common' } };
const openai = { provider: 'openai', apiKey: '${secret:A}' };

test.each([
  ['an api', 'api', { ...openai, baseUrl: 'https://API.openai.com/v1' }, ['A apiKey api.openai.com']],
  ['an api at a port', 'api', { ...openai, baseUrl: 'https://a.example:8443' }, ['A apiKey a.example:8443']],
  ['an api without TLS', 'api', { ...openai, baseUrl: 'http://a.example' }, ['A apiKey http://a.example']],
  [
    'an api with user and query',
    'api',
    { ...openai, baseUrl: 'https://api.openai.com@evil.example/?api.openai.com' },
    ['A apiKey evil.example'],
  ],
  ['an api of the environment', 'api', { ...openai, apiKey: '${env:A}', baseUrl: 'https://a.example' }, []],
  ['an api without a key', 'api', { provider: 'ollama', baseUrl: 'http://127.0.0.1:11434' }, []],
  ['a mailbox', 'account', imap, ['A auth.pass imap.example.org']],
  ['a mailbox at a port', 'account', { ...imap, imap: { host: '::1', port: 1993 } }, ['A auth.pass [::1]:1993']],
  [
    'a mailbox that sends with the same password',
    'account',
    { ...imap, smtp: { host: 'smtp.example.org', port: 587 } },
    ['A auth.pass imap.example.org', 'A auth.pass smtp.example.org'],
  ],
  [
    'a mailbox that sends with another password',
    'account',
    { ...imap, smtp: { host: 'smtp.example.org', port: 465, auth: { user: 'b', pass: '${secret:B}' } } },
    ['A auth.pass imap.example.org', 'B smtp.auth.pass smtp.example.org'],
  ],
  [
    'Google',
    'account',
    gmail,
    ['A', 'B'].flatMap((name) =>
      ['accounts.google.com', 'oauth2.googleapis.com'].map(
        (host) => `${name} oauth.${name === 'A' ? 'clientId' : 'clientSecret'} ${host}`,
      ),
    ),
  ],
  [
    'Google behind a proxy',
    'account',
    {
      ...gmail,
      oauth: { clientId: 'x', clientSecret: '${secret:B}' },
      endpoints: { token: 'https://p.example/token' },
    },
    ['B oauth.clientSecret accounts.google.com', 'B oauth.clientSecret p.example'],
  ],
  ['Microsoft', 'account', outlook, ['B oauth.clientSecret login.microsoftonline.com']],
  [
    'Microsoft behind a proxy',
    'account',
    { ...outlook, endpoints: { auth: 'https://p.example' } },
    ['B oauth.clientSecret p.example'],
  ],
] as const)('%s: which hosts get which secret', (_name, kind, value, found) => {
  const typed =
    kind === 'api' ? { kind, value: value as unknown as Api } : { kind, value: value as unknown as Account };
  expect(secretUses(typed).map(({ name, path, host }) => `${name} ${path.join('.')} ${host}`)).toEqual(found);
});

/** Dotted paths of all keys of a schema that hold a secret. */
function secretKeys(node: unknown, path: readonly string[] = []): string[] {
  if (!isRecord(node)) return [];
  const below = ['$defs', 'properties'].flatMap((group) =>
    Object.entries(isRecord(node[group]) ? node[group] : {}).flatMap(([key, member]) =>
      secretKeys(member, group === '$defs' ? path : [...path, key]),
    ),
  );
  return node['x-secret'] === true ? [path.join('.'), ...below] : below;
}

test('every key of the schemas that holds a secret has its hosts', () => {
  const keys = Object.entries(SCHEMAS).flatMap(([kind, schema]) => secretKeys(schema).map((key) => `${kind} ${key}`));
  expect([...new Set(keys)].sort()).toEqual([
    'account auth.pass',
    'account oauth.clientSecret',
    'account smtp.auth.pass',
    'agent credentials.apiKey',
    'agent credentials.organization',
    'api apiKey',
    'api organization',
  ]);
});

test.each([
  ['API.OpenAI.com', 'api.openai.com'],
  ['https://api.openai.com/v1', 'api.openai.com'],
  ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080'],
  ['imap.example.org:143', 'imap.example.org:143'],
  ['::1', '[::1]'],
  ['a b', undefined],
  ['', undefined],
  ['ftp://a.example', undefined],
  ['user@a.example', undefined],
])('a person who writes %s means %s', (text, host) => {
  expect(hostOf(text)).toBe(host);
});
