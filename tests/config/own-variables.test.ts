import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isOwnVariable } from '../../engine/src/config/own-variables.ts';
import { resolveReference } from '../../engine/src/config/reference.ts';
import { readSources } from '../architecture/source.ts';
import { problemsOf, VALID } from './folder.ts';

/** Variables that the engine reads and that hold no secret: where programs are, options of Node, and what a terminal and an SSH session say. */
const PUBLIC = [
  'PATH',
  'HOME',
  'CI',
  'SSH_CONNECTION',
  'FORCE_COLOR',
  'NO_COLOR',
  'TERM',
  'COLUMNS',
  'GITHUB_STEP_SUMMARY',
  'NODE_OPTIONS',
];

/** Names in `env('NAME')` and `env['NAME']` of the engine. */
function namesRead(): string[] {
  const texts = readSources('.', ['engine/src']).map(({ path }) => readFileSync(path, 'utf8'));
  return texts.flatMap((text) =>
    Array.from(text.matchAll(/\benv(?:\(|\[)'([A-Z][A-Z0-9_]*)'/g), ([, name = '']) => name),
  );
}

test('every variable that the engine reads is its own, or known to hold no secret', () => {
  const names = [...new Set(namesRead())];
  expect(names).toEqual(expect.arrayContaining(['VX_MAILAGENT_KEY', 'DATABASE_URL', 'CALLSHEET_TOKEN', 'TERM']));
  expect(names.filter((name) => !isOwnVariable(name) && !PUBLIC.includes(name))).toEqual([]);
});

describe.each([
  ['the key of the data folder', 'VX_MAILAGENT_KEY'],
  ['the next key', 'VX_MAILAGENT_NEW_KEY'],
  ['the database with its password', 'DATABASE_URL'],
  ['the login token', 'CALLSHEET_TOKEN'],
  ['the OAuth client of the sign-in', 'GOOGLE_LOGIN_CLIENT_SECRET'],
  ['a variable of Callsheet that is not there yet', 'CALLSHEET_SOMETHING_NEW'],
  ['a password that the database client reads', 'PGPASSWORD'],
  ['the headers of a telemetry exporter', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ['a name in small letters, which Windows takes for the same', 'database_url'],
])('%s', (_what, name) => {
  test('is refused in every key that takes a reference', async () => {
    const reference = `\${env:${name}}`;
    const oauth = `provider: gmail\nemail: a@example.org\noauth: { clientId: "${reference}", clientSecret: "${reference}" }\n`;
    const imap = `provider: imap\nemail: a@example.org\nimap: { host: a }\nauth: { user: a, pass: "${reference}" }\nsmtp: { host: a, auth: { user: b, pass: "${reference}" } }\n`;
    const problems = await problemsOf({
      ...VALID,
      'apis/spare.yaml': `id: spare\nprovider: openai\nmodel: m\napiKey: ${reference}\n`,
      'accounts/one.yaml': `id: one\n${oauth}`,
      'accounts/two.yaml': `id: two\n${imap}`,
    });
    const found = problems.filter(({ code }) => code === 'CONFIG_ENV_OWN').map(({ file, path }) => `${file} ${path}`);
    expect(found).toEqual([
      'config/accounts/one.yaml /oauth/clientId',
      'config/accounts/one.yaml /oauth/clientSecret',
      'config/accounts/two.yaml /auth/pass',
      'config/accounts/two.yaml /smtp/auth/pass',
      'config/apis/spare.yaml /apiKey',
    ]);
    expect(problems.filter(({ code }) => code === 'CONFIG_ENV_UNSET')).toEqual([]);
  });

  test('has no value where a document that an earlier version accepted names it', () => {
    const sources = { env: () => 'a-secret-of-the-engine', secret: () => undefined };
    expect(resolveReference(`\${env:${name}}`, sources)).toBeUndefined();
    expect(resolveReference('${env:OPENAI_API_KEY}', sources)).toBe('a-secret-of-the-engine');
  });
});
