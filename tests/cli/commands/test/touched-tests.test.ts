import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTests, type Tests } from '../../../../engine/src/app/test/open-tests.ts';
import { createRedactor } from '../../../../engine/src/base/redact.ts';
import { touchedTests } from '../../../../engine/src/cli/commands/test/touched-tests.ts';
import { FILES, LETTER, makePlace, type Place } from '../../harness.ts';

let place: Place;
let tests: Tests;
let recorded: string;

const API = (id: string) => `id: ${id}\nprovider: scripted\nscript: [{ when: { any: true }, say: ok }]\n`;

beforeAll(async () => {
  place = makePlace({
    ...FILES,
    'settings.yaml': 'runs: { concurrency: 2 }\n',
    'apis/spare.yaml': API('spare'),
    'apis/judge.yaml': API('judge'),
    'apis/main.yaml': `${FILES['apis/main.yaml']}fallback: [spare]\n`,
    'prompts/brief.yaml': 'id: brief\nmessages: [{ role: system, content: Be brief. }]\n',
    'agents/helper.yaml': 'id: helper\nname: Helper\napiConfigId: judge\n',
    'directors/shy.yaml': 'id: shy\nname: Shy\napiConfigId: main\nagents: [helper]\nprompt: { use: brief }\n',
  });
  mkdirSync(join(place.dir, 'mails'));
  writeFileSync(join(place.dir, 'mails/hello.eml'), LETTER.replaceAll('\n', '\r\n'));
  const ran = await place.run(['run', 'boss', '--email', 'mails/hello.eml']);
  const kept = await place.run(['record', 'last', '--into', 'cases']);
  if (ran.code !== 0 || kept.code !== 0) throw new Error(ran.stderr + kept.stderr);
  [recorded = ''] = readdirSync(join(place.dir, 'cases'));
  place.write({
    'tests/mail.yaml': 'tests: [{ mail: mails/hello.eml, assert: [{ type: route, value: boss }] }]\n',
    'tests/boss.yaml': `director: boss\ntests: [{ case: cases/${recorded}, assert: [{ type: unchanged }] }]\n`,
    'tests/shy.yaml': 'director: shy\ndefaults: { api: spare }\ntests: [{ message: Hi, assert: [] }]\n',
    'tests/helper.yaml': 'agent: helper\ntests: [{ message: Hi, assert: [] }]\n',
  });
  const config = { configDir: join(place.dir, 'config'), dataDir: place.dataDir, env: () => undefined };
  tests = await openTests({
    ...{ ...config, redactor: createRedactor(), record: 'none', repeat: 1, nowMs: () => 0 },
  });
}, 60_000);

afterAll(async () => {
  await tests.close();
  place.remove();
});

test('the config of these tests is valid', () => {
  expect([...tests.config.directors.keys()].toSorted()).toEqual(['boss', 'shy']);
});

test.each<[saved: string, touched: string[]]>([
  ['config/tests/boss.yaml', ['boss']],
  ['config/tests/new.yaml', []],
  ['mails/hello.eml', ['mail']],
  ['mails/hello.eml.bak', []],
  ['cases/RECORDED/cassette.json', ['boss']],
  ['cases/other/cassette.json', []],
  ['cassettes/shy/1.json', ['shy']],
  ['cassettes/shyer/1.json', []],
  ['config/directors/boss.yaml', ['boss', 'mail']],
  ['config/agents/helper.yaml', ['helper', 'mail', 'shy']],
  ['config/prompts/brief.yaml', ['mail', 'shy']],
  ['config/apis/judge.yaml', ['helper', 'mail', 'shy']],
  ['config/apis/spare.yaml', ['boss', 'mail', 'shy']],
  ['config/settings.yaml', ['boss', 'helper', 'mail', 'shy']],
  ['config/filters/all.yaml', ['boss', 'mail']],
  ['config/accounts/inbox.yaml', ['boss', 'mail']],
  ['config/README.md', []],
])('a saved %s touches the tests of %j', (saved, touched) => {
  const { files, config } = tests;
  const path = join(place.dir, saved.replace('RECORDED', recorded));
  expect(touchedTests(path, { configDir: join(place.dir, 'config'), files, config }).toSorted()).toEqual(touched);
});

test('a case passes while the config does what it recorded, and says which part changed', async () => {
  expect((await place.run(['test', 'boss'])).code).toBe(0);
  place.write({ 'filters/all.yaml': `${FILES['filters/all.yaml']?.replace('[boss]', '[boss, shy]')}` });
  const routed = await place.run(['test', 'boss']);
  expect([routed.code, routed.stdout]).toEqual([1, expect.stringContaining('changed: the route\n')]);
  place.write({ 'filters/all.yaml': `${FILES['filters/all.yaml']}` });
  place.write({ 'apis/main.yaml': `${FILES['apis/main.yaml']?.replace("'noted'", "'other'")}` });
  const called = await place.run(['test', 'boss']);
  expect([called.code, called.stdout]).toEqual([1, expect.stringContaining('changed: calls, items\n')]);
});

test('a case that is not there is a mistake of the file, and could not run', async () => {
  place.write({ 'tests/gone.yaml': 'tests: [{ case: cases/gone, assert: [{ type: unchanged }] }]\n' });
  const { code, stderr } = await place.run(['test', 'gone']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no cases/gone')]);
});
