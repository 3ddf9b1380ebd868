import { afterEach, describe, expect, test } from 'vitest';
import type { App } from '../../engine/src/app/app.ts';
import { createReferences } from '../../engine/src/app/run-dependencies.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import { brief, statesOf } from '../config/folder.ts';
import { setStage, type Stage } from '../run/harness.ts';

const api = (host: string, name = 'OPENAI') =>
  `id: main\nprovider: openai\nmodel: test\napiKey: \${secret:${name}}\nbaseUrl: https://${host}/v1\n`;
const ELSEWHERE = { 'apis/main.yaml': api('evil.example') };

let stage: Stage;
afterEach(() => stage.close());

const store = (name: string, app: App = stage.app) =>
  app.secrets.set(name, `value-of-${name}`, { allowsPlaintext: true });
const baseUrl = () => Reflect.get(stage.app.config.current().apis.get('main') ?? {}, 'baseUrl') as unknown;
async function save(files: Readonly<Record<string, string>>): Promise<void> {
  stage.write(files);
  await stage.app.config.refresh();
}
const waits = () => brief(stage.app.config.problems()).filter((line) => line.endsWith('CONFIG_SECRET_NEW_HOST'));

describe('a stored value', () => {
  test('is bound to every host that the running config names for it', async () => {
    stage = await setStage({
      files: {
        'apis/main.yaml': api('api.openai.com'),
        'apis/spare.yaml': `id: spare\nprovider: openai\nmodel: test\napiKey: \${secret:OPENAI}\nbaseUrl: http://127.0.0.1:8080\n`,
        'apis/off.yaml': `id: off\nenabled: false\nprovider: openai\nmodel: test\napiKey: \${secret:OPENAI}\nbaseUrl: https://off.example\n`,
      },
    });
    await store('OPENAI');
    expect(stage.app.secrets.hosts('OPENAI')).toEqual(['api.openai.com', 'http://127.0.0.1:8080']);
  });

  test('goes to no host that a later revision adds: the earlier version of the document runs on', async () => {
    stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
    await store('OPENAI');
    const { revision } = stage.app.config.current();
    await save(ELSEWHERE);
    expect(waits()).toEqual(['apis/main.yaml:4:9 CONFIG_SECRET_NEW_HOST']);
    const [problem] = stage.app.config.problems();
    expect(problem).toMatchObject({ severity: 'error', secretHost: { name: 'OPENAI', host: 'evil.example' } });
    expect(problem?.hint).toContain('callsheet secrets allow OPENAI evil.example');
    expect(statesOf(stage.app.config)['apis/main']).toBe('stale');
    expect([baseUrl(), stage.app.config.current().revision]).toEqual(['https://api.openai.com/v1', revision]);
  });

  test('goes there once a person allows it, without another edit', async () => {
    stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
    await store('OPENAI');
    await save(ELSEWHERE);
    await stage.app.secrets.allow('OPENAI', 'evil.example');
    await stage.app.config.refresh();
    expect([waits(), baseUrl()]).toEqual([[], 'https://evil.example/v1']);
    await stage.restart();
    expect([waits(), baseUrl()]).toEqual([[], 'https://evil.example/v1']);
  });

  test('may be allowed before the config names the host', async () => {
    stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
    await store('OPENAI');
    await stage.app.secrets.allow('OPENAI', 'https://NEW.example/v1');
    await save({ 'apis/main.yaml': api('new.example') });
    expect([waits(), baseUrl()]).toEqual([[], 'https://new.example/v1']);
  });

  test('still waits after a restart, and a start of an unchanged config never waits', async () => {
    stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
    await store('OPENAI');
    await stage.restart();
    expect([waits(), baseUrl()]).toEqual([[], 'https://api.openai.com/v1']);
    stage.write(ELSEWHERE);
    await stage.restart();
    expect([waits(), baseUrl()]).toEqual([['apis/main.yaml:4:9 CONFIG_SECRET_NEW_HOST'], 'https://api.openai.com/v1']);
  });

  test('does not go to a host of another secret', async () => {
    stage = await setStage({
      files: {
        'apis/main.yaml': api('api.openai.com'),
        'apis/other.yaml': `id: other\nprovider: openai\nmodel: test\napiKey: \${secret:OTHER}\nbaseUrl: https://other.example\n`,
      },
    });
    await store('OPENAI');
    await store('OTHER');
    await save({ 'apis/main.yaml': api('api.openai.com', 'OTHER') });
    expect(stage.app.config.problems()[0]).toMatchObject({ secretHost: { name: 'OTHER', host: 'api.openai.com' } });
  });

  test('that is replaced is bound anew, to the hosts of the config that runs then', async () => {
    stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
    await store('OPENAI');
    await stage.app.secrets.allow('OPENAI', 'old.example');
    await save(ELSEWHERE);
    await store('OPENAI');
    expect(stage.app.secrets.hosts('OPENAI')).toEqual(['api.openai.com']);
    expect(waits()).toHaveLength(1);
  });

  test('has no hosts any more once it is deleted', async () => {
    stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
    await store('OPENAI');
    await stage.app.secrets.delete('OPENAI');
    expect(await stage.app.deps.store.count('secretHost')).toBe(0);
    await save(ELSEWHERE);
    expect([waits(), baseUrl()]).toEqual([[], 'https://evil.example/v1']);
  });
});

describe('a value that nothing names when it is stored', () => {
  test('is bound by the first revision that names it, and only then', async () => {
    stage = await setStage();
    await store('OPENAI');
    expect(stage.app.secrets.hosts('OPENAI')).toEqual([]);
    await save({ 'apis/main.yaml': api('api.openai.com') });
    expect([waits(), stage.app.secrets.hosts('OPENAI')]).toEqual([[], ['api.openai.com']]);
    await save(ELSEWHERE);
    expect(waits()).toHaveLength(1);
  });
});

describe('after an upgrade', () => {
  test('a value is bound to the hosts of the last accepted revision, whatever the files name by now', async () => {
    stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
    await store('OPENAI');
    // As a store that an earlier version wrote: there is no binding yet.
    await stage.app.deps.store.apply([{ op: 'delete', table: 'secretHost', where: { name: 'OPENAI' } }]);
    stage.write(ELSEWHERE);
    await stage.restart();
    expect(stage.app.secrets.hosts('OPENAI')).toEqual(['api.openai.com']);
    expect([waits(), baseUrl()]).toEqual([['apis/main.yaml:4:9 CONFIG_SECRET_NEW_HOST'], 'https://api.openai.com/v1']);
  });
});

test('a new document that takes a value elsewhere does not run, and the others do', async () => {
  stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
  await store('OPENAI');
  await save({
    'accounts/drop.yaml':
      'id: drop\nprovider: imap\nemail: a@example.org\nimap: { host: imap.evil.example }\nauth: { user: a, pass: "${secret:OPENAI}" }\nsmtp: { host: smtp.evil.example, port: 2525 }\n',
  });
  expect(stage.app.config.problems().map(({ secretHost }) => secretHost?.host)).toEqual([
    'imap.evil.example',
    'smtp.evil.example:2525',
  ]);
  expect(statesOf(stage.app.config)).toMatchObject({ 'accounts/drop': 'invalid', 'apis/main': 'live' });
});

test('a value is not even looked up for a host that is not its own', async () => {
  stage = await setStage({ files: { 'apis/main.yaml': api('api.openai.com') } });
  await store('OPENAI');
  const { get, allowsHost } = stage.app.secrets;
  const { secret } = createReferences({ env: () => 'from-env', secret: get, allowsHost }, createRedactor());
  expect(secret('${secret:OPENAI}', ['api.openai.com'])).toBe('value-of-OPENAI');
  expect(secret('${env:ANY}', ['evil.example'])).toBe('from-env');
  expect(() => secret('${secret:OPENAI}', ['api.openai.com', 'evil.example'])).toThrow(
    expect.objectContaining({ code: 'SECRET_NEW_HOST', message: expect.stringContaining('evil.example') }),
  );
});
