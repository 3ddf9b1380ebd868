import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FILES, LETTER, makePlace, type Place } from '../../harness.ts';

/** A model on this machine that counts its requests and answers all of them. */
let server: Server;
let requests = 0;
let answer = 'Good morning.';
/** Calls of the next answer alone. */
let calls: object[] = [];
let place: Place;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      requests++;
      const message = { role: 'assistant', content: answer, ...(calls.length > 0 && { tool_calls: calls }) };
      const body = {
        id: 'x',
        model: 'm',
        choices: [{ index: 0, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop', message }],
      };
      calls = [];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...body, usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const { port } = server.address() as AddressInfo;
  const api = `provider: openai\nmodel: m\napiKey: \${env:KEY}\nbaseUrl: http://127.0.0.1:${port}/v1\nstream: false\n`;
  place = makePlace({
    ...FILES,
    'settings.yaml': 'test: { judge: real }\n',
    'apis/real.yaml': `id: real\n${api}`,
    'directors/real.yaml': 'id: real\nname: Real\napiConfigId: real\ntools: [workspace]\n',
  });
  mkdirSync(join(place.dir, 'mails'));
  writeFileSync(join(place.dir, 'mails/hello.eml'), LETTER.replaceAll('\n', '\r\n'));
});
afterAll(async () => {
  place.remove();
  await new Promise((done) => server.close(done));
});

const env = { KEY: 'sk-test-key' };
const testsOf = (name: string, text: string) => place.write({ [`tests/${name}.yaml`]: text });
const run = (...args: string[]) => place.run(['test', ...args], env);

test('tests at the filters and of a scripted director pass without a key, and a wrong one fails', async () => {
  testsOf(
    'desk',
    `tests:
  - { description: It goes to the boss, mail: mails/hello.eml, assert: [{ type: route, value: boss }] }
  - description: It notes the mail
    mail: mails/hello.eml
    assert:
      - { type: equals, value: done }
      - { type: contains, on: items, value: noted }
      - { type: tool-called, value: { tool: workspace_add_item, arguments: { label: Note } } }
      - { type: effect-none }
`,
  );
  const passed = await place.run(['test', 'desk']);
  expect(passed.stdout).toMatch(
    /^✓ config\/tests\/desk\.yaml:2 {2}It goes to the boss \(\d+ ms\)\n✓ .*\n2 tests: 2 passed, 0 failed\n$/,
  );
  expect(passed.code).toBe(0);
  testsOf('wrong', 'tests:\n  - { mail: mails/hello.eml, assert: [{ type: route, value: shy }] }\n');
  const failed = await place.run(['test', 'wrong', '--junit', 'out.xml']);
  expect(failed.stdout).toContain('✗ config/tests/wrong.yaml:2  mails/hello.eml');
  expect(failed.stdout).toContain('    route "shy": it goes to boss\n1 test: 0 passed, 1 failed\n');
  expect(failed.code).toBe(1);
  expect(readFileSync(join(place.dir, 'out.xml'), 'utf8')).toContain(
    '<failure message="route &quot;shy&quot;: it goes to boss">',
  );
  const filtered = await place.run(['test', '--filter', 'boss', '--json']);
  expect(JSON.parse(filtered.stdout)).toMatchObject({ results: [{ name: 'It goes to the boss', status: 'passed' }] });
});

test('a model is asked once to record, and never again; without a recording the test could not run', async () => {
  testsOf('real', 'director: real\ntests:\n  - message: Hi\n    assert: [{ type: contains, value: morning }]\n');
  const missing = await run('real');
  expect([missing.code, requests]).toEqual([2, 0]);
  expect(missing.stdout).toMatch(/^\? .*\n {4}could not run\n {4}no recorded answer: the director asks openai m: /);
  expect((await run('real', '--record', 'once')).code).toBe(0);
  expect(requests).toBe(1);
  expect(existsSync(join(place.dir, 'cassettes/real/1.json'))).toBe(true);
  const again = await place.run(['test', 'real', '--record', 'once', '--repeat', '2']);
  expect(again.stdout).toMatch(/Hi \(\d+ ms, 2 of 2 passed\)\n1 test: 1 passed, 0 failed\n$/);
  expect([again.code, requests]).toEqual([0, 1]);
});

test('a judge is asked once, and its verdict lies in the cassette', async () => {
  const head = 'director: real\ntests:\n  - message: Judge\n    assert:\n';
  testsOf('judge', `${head}      - { type: llm-rubric, value: is polite }\n`);
  answer = '{"score": 0.8, "reason": "It greets."}';
  const before = requests;
  expect((await run('judge', '--record', 'once')).code).toBe(0);
  expect(requests - before).toBe(2);
  expect((await run('judge')).code).toBe(0);
  testsOf('judge', `${head}      - { type: llm-rubric, value: is polite, threshold: 0.9 }\n`);
  const strict = await run('judge');
  expect([strict.code, strict.stdout]).toEqual([1, expect.stringContaining('score 0.80: It greets.')]);
  testsOf('judge', `${head}      - { type: llm-rubric, value: is short }\n`);
  expect((await run('judge')).code).toBe(2);
  expect(requests - before).toBe(2);
});

test('tools return what the test says, and another api can replace all', async () => {
  place.write({
    'apis/asks.yaml':
      'id: asks\nprovider: scripted\nscript:\n  - when: { turn: 1 }\n    call: { tool: mail_search, arguments: { from: bill } }\n  - when: { any: true }\n    say: "{{lastToolResult}}"\n',
    'directors/reader.yaml': 'id: reader\nname: Reader\napiConfigId: real\ntools: [mail]\n',
  });
  const tools = '[{ when: { from: other }, returns: no }, { when: { from: bill }, returns: Paid. }]';
  testsOf(
    'tools',
    `director: reader\ndefaults: { api: asks }\ntests:\n  - message: Hi\n    tools: { mail_search: ${tools} }\n    assert: [{ type: contains, value: Paid }]\n  - message: Ho\n    assert: []\n`,
  );
  const { code, stdout } = await run('tools');
  expect(stdout).toMatch(
    /^✓ .*:4 {2}Hi .*\n\? .*:7 {2}Ho .*\n {4}could not run\n {4}no result: the director calls mail_search: .*tools:\n/,
  );
  expect(code).toBe(2);
});

test('a file with mistakes, an unknown file and a config without tests could not run', async () => {
  testsOf('broken', 'tests:\n  - { message: Hi, assert: [] }\n');
  const broken = await run('broken');
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('nobody gets this message')]);
  const unknown = await run('dsk');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no test dsk')]);
  const empty = makePlace();
  try {
    expect(await empty.run(['test'])).toMatchObject({ code: 2, stderr: expect.stringContaining('has no tests') });
  } finally {
    empty.remove();
  }
});

test('a test written from a run passes at once, and fails once the config does something else', async () => {
  expect((await place.run(['run', 'boss', '--email', 'mails/hello.eml'])).code).toBe(0);
  const written = await place.run(['test', '--from', 'last']);
  expect([written.code, written.stdout]).toEqual([0, expect.stringMatching(/As in run_\w+ .*\n1 test: 1 passed/)]);
  const name = /As in (run_\w+)/.exec(written.stdout)?.[1] ?? '';
  const text = readFileSync(join(place.dir, `config/tests/${name}.yaml`), 'utf8');
  expect(text).toMatch(/^# yaml-language-server: \$schema=.*test\.schema\.json\n/);
  expect(parse(text)).toEqual({
    director: 'boss',
    tests: [
      {
        description: `As in ${name}`,
        case: `cases/${name}`,
        assert: [
          { type: 'route', value: ['boss'] },
          {
            type: 'tool-called',
            value: { tool: 'workspace_add_item', arguments: { label: 'Note', mimeType: 'text/plain', data: 'noted' } },
          },
          { type: 'not-approval-asked' },
          { type: 'effect-none' },
          { type: 'unchanged' },
        ],
      },
    ],
  });
  const twice = await place.run(['test', '--from', 'last']);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('there is a test of this run already')]);
  place.write({ 'apis/main.yaml': `${FILES['apis/main.yaml']?.replace('say: done', 'say: over')}` });
  const changed = await place.run(['test', name]);
  place.write({ 'apis/main.yaml': `${FILES['apis/main.yaml']}` });
  expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('changed: answers')]);
});

test('a test written from a run with a model plays the recorded answers and asks nobody', async () => {
  answer = 'Good morning.';
  expect((await place.run(['run', 'real', '--message', 'Hi'], env)).code).toBe(0);
  const before = requests;
  const written = await place.run(['test', '--from', 'last']);
  expect([written.code, written.stdout, requests - before]).toEqual([0, expect.stringContaining('1 passed'), 0]);
  const name = /As in (run_\w+)/.exec(written.stdout)?.[1] ?? '';
  place.write({
    'directors/real.yaml':
      'id: real\nname: Real\napiConfigId: real\ntools: [workspace]\nprompt: [{ role: system, content: Sing. }]\n',
  });
  const missed = await place.run(['test', name]);
  expect([missed.code, missed.stdout]).toEqual([
    2,
    expect.stringContaining('no recorded answer: the director asks openai m'),
  ]);
  expect((await place.run(['test', 'desk', '--from', 'last'])).code).toBe(2);
});

test('--watch takes no --record, since each save would ask models', async () => {
  const watched = await run('real', '--watch', '--record', 'all');
  expect([watched.code, watched.stderr]).toEqual([2, expect.stringContaining('--watch takes no --record')]);
});

test('a cassette that cannot be read is recorded anew with --record all, and only then', async () => {
  testsOf('torn', 'director: real\ntests:\n  - message: Hi\n    assert: [{ type: contains, value: morning }]\n');
  const file = join(place.dir, 'cassettes/torn/1.json');
  mkdirSync(join(place.dir, 'cassettes/torn'), { recursive: true });
  writeFileSync(file, '<<<<<<< HEAD');
  const torn = await run('torn', '--record', 'new_episodes');
  expect([torn.code, torn.stdout]).toEqual([2, expect.stringContaining('record it again with --record all')]);
  answer = 'Good morning.';
  expect((await run('torn', '--record', 'all')).code).toBe(0);
  expect((await run('torn')).code).toBe(0);
});

test('answers that were paid for stay recorded where a read has no answer', async () => {
  place.write({ 'directors/reads.yaml': 'id: reads\nname: Reads\napiConfigId: real\ntools: [mail]\n' });
  testsOf('paid', 'director: reads\ntests:\n  - message: Hi\n    assert: [{ type: contains, value: morning }]\n');
  calls = [{ id: 'c1', type: 'function', function: { name: 'mail_search', arguments: '{"from":"bill"}' } }];
  const before = requests;
  const missed = await run('paid', '--record', 'new_episodes');
  expect([missed.code, missed.stdout, requests - before]).toEqual([
    2,
    expect.stringContaining('no result: the director calls mail_search'),
    2,
  ]);
  testsOf(
    'paid',
    'director: reads\ntests:\n  - message: Hi\n    tools: { mail_search: { returns: none } }\n    assert: [{ type: contains, value: morning }]\n',
  );
  answer = 'Good morning.';
  expect((await run('paid', '--record', 'new_episodes')).code).toBe(0);
  expect(requests - before).toBe(3);
});

test('no model is asked where a service finds private data, since it would get what the service hides', async () => {
  testsOf('hidden', 'director: real\ntests:\n  - message: Hi\n    assert: [{ type: contains, value: morning }]\n');
  const before = requests;
  place.write({
    'settings.yaml': 'test: { judge: real }\nprivacy: { recognizer: { url: "http://127.0.0.1:9/analyze" } }\n',
  });
  const refused = await run('hidden', '--record', 'all');
  place.write({ 'settings.yaml': 'test: { judge: real }\n' });
  expect([refused.code, refused.stdout, requests - before]).toEqual([
    2,
    expect.stringContaining('private data found by a service, which a play does not ask'),
    0,
  ]);
});

test('a judge elsewhere is not asked about a run whose director hides private data', async () => {
  place.write({ 'directors/private.yaml': 'id: private\nname: P\napiConfigId: main\nprivacy: {}\n' });
  testsOf(
    'private',
    'director: private\ntests:\n  - message: Hi\n    assert: [{ type: llm-rubric, value: is polite }]\n',
  );
  const before = requests;
  const refused = await run('private', '--record', 'all');
  expect([refused.code, refused.stdout, requests - before]).toEqual([
    2,
    expect.stringContaining('api real would get private data that the config hides from models'),
    0,
  ]);
});

test('a report that cannot be written could not run, with its path, after the results', async () => {
  const { code, stdout, stderr } = await place.run(['test', 'desk', '--junit', 'missing/out.xml']);
  expect([code, stdout]).toEqual([2, expect.stringContaining('2 tests: 2 passed')]);
  expect(stderr).toMatch(/^callsheet: .*missing\/out\.xml cannot be written: .*\(USAGE\)\n {2}/);
});

test('a test of a run is not written where its case cannot be', async () => {
  renameSync(join(place.dir, 'cases'), join(place.dir, 'kept'));
  writeFileSync(join(place.dir, 'cases'), '');
  expect((await place.run(['run', 'boss', '--email', 'mails/hello.eml'])).code).toBe(0);
  const before = readdirSync(join(place.dir, 'config/tests'));
  const { code, stderr } = await place.run(['test', '--from', 'last']);
  rmSync(join(place.dir, 'cases'));
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written')]);
  expect(readdirSync(join(place.dir, 'config/tests'))).toEqual(before);
});
