import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, openApp } from '../../../engine/src/app/app.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';

const values: Readonly<Record<string, string>> = {
  ...{ OPENAI_KEY: 'the-key-of-the-api', GH_PAT: 'ghp-0123456789', WAREHOUSE_URL: 'postgres://u:pass-word@db/x' },
  ...{
    MAIL_PASS: 'the-mail-password',
    ACME_TOKEN: 'the-tool-token',
    CLIENT: 'the-public-client',
    OTHER: 'another value',
  },
  ...{ LANG: 'en_GB.UTF-8', NEW_KEY: 'the-later-key' },
};
const files: Readonly<Record<string, string>> = {
  'settings.yaml': 'notify: { webhook: "${env:HOOK}" }\n',
  'apis/remote.yaml':
    'id: remote\nprovider: openai\nbaseUrl: https://api.example.com/v1\nmodel: m\napiKey: ${env:OPENAI_KEY}\n',
  'apis/tool.yaml': 'id: tool\nprovider: cli\ncli: codex\nenv: [GH_PAT, WAREHOUSE_URL, LANG]\n',
  'accounts/team.yaml':
    'id: team\nprovider: imap\nemail: team@example.com\nimap: { host: imap.example.com }\nauth: { user: team@example.com, pass: "${env:MAIL_PASS}" }\n',
  'accounts/mine.yaml':
    'id: mine\nprovider: gmail\nemail: me@example.com\noauth: { clientId: "${env:CLIENT}", clientSecret: "${env:OPENAI_KEY}" }\n',
};

let app: App;
let dir: string;
const redactor = createRedactor();
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-redact-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, 'config', name, '..'), { recursive: true });
    writeFileSync(join(dir, 'config', name), text);
  }
  const env = (name: string) => values[name];
  app = await openApp({
    ...{ configDir: join(dir, 'config'), dataDir: join(dir, 'data'), env, log: silentLogger, watch: false, redactor },
  });
});
afterAll(() => app.close());

test.each([
  ['the key of an api', 'OPENAI_KEY'],
  ['a variable of a command-line agent', 'GH_PAT'],
  ['an address that a command-line agent gets', 'WAREHOUSE_URL'],
  ['the password of a mailbox', 'MAIL_PASS'],
])('%s is redacted before anything uses it', (_name, variable) => {
  expect(redactor.text(`it is ${values[variable]}.`)).toBe('it is [redacted].');
});

test('harmless and public values, and variables that nothing names, stay as they are', () => {
  const text = [values['LANG'], values['CLIENT'], values['OTHER'], values['NEW_KEY']].join(' ');
  expect(redactor.text(text)).toBe(text);
});

test('the variable of a document that is added later is redacted from then on', async () => {
  const text = files['apis/remote.yaml']?.replaceAll('remote', 'later').replace('OPENAI_KEY', 'NEW_KEY') ?? '';
  writeFileSync(join(dir, 'config', 'apis/later.yaml'), text);
  await app.config.refresh();
  expect(redactor.text(values['NEW_KEY'] ?? '')).toBe('[redacted]');
});
