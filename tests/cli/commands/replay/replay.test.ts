import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ReplayReport } from '../../../../engine/src/replay/difference.ts';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { LETTER, makePlace, type Place } from '../../harness.ts';
import { type FakeTerminal, fakeTerminal } from '../../terminal/fake-terminal.ts';

/** A model and a tool of another machine, which count what reaches them. */
let peer: Server;
let asked = 0;
/** Called in place of an answer of the model. */
let hold: (() => void) | undefined;
let place: Place;
const ENV = { KEY: 'sk-test-key' };

const answerOf = (messages: { role: string }[]) =>
  messages.some(({ role }) => role === 'tool')
    ? { role: 'assistant', content: 'Told Ada Ray.' }
    : {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'tell', arguments: '{"text":"Ada Ray wrote"}' } },
          {
            id: 'c2',
            type: 'function',
            function: { name: 'workspace_add_item', arguments: '{"label":"Note","data":"from Ada Ray"}' },
          },
        ],
      };

const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [workspace, tell]\nuntrusted: { act: [tell] }\n';
const filesAt = (origin: string) => ({
  'apis/main.yaml': `id: main\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\nbaseUrl: ${origin}/v1\nprice: { inputPerMillion: 1, outputPerMillion: 1 }\n`,
  'directors/boss.yaml': `${BOSS}prompt: [{ role: system, content: Be brief. }, { role: user, content: '{{email}}' }]\npermissions: { allow: ["*"] }\n`,
  'directors/other.yaml': 'id: other\nname: Other\napiConfigId: main\n',
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'filters/all.yaml': 'id: all\nfield: Subject\nregex: ^hello\ndirectorId: [boss]\n',
  'tools/tell.yaml': `id: tell
kind: http
description: Tells somebody.
effects: write
allowHosts: [127.0.0.1]
parameters: { type: object, properties: { text: { type: string } } }
request: { method: POST, url: '${origin}/tell', json: { text: '{{text}}' } }
`,
});

beforeAll(async () => {
  peer = createServer((request, response) => {
    asked++;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (hold !== undefined) return hold();
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.url === '/tell') return response.end('{"ok":true}');
      const message = answerOf((JSON.parse(body) as { messages: { role: string }[] }).messages);
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
      return response.end(
        JSON.stringify({
          id: 'x',
          object: 'chat.completion',
          created: 1,
          model: 'm',
          choices: [{ index: 0, message, finish_reason }],
          usage,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  place = makePlace(filesAt(`http://127.0.0.1:${(peer.address() as AddressInfo).port}`));
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first');
  writeFileSync(join(place.dir, 'letter.eml'), LETTER.replace(/\n/g, '\r\n'));
  const { code, stderr } = await place.run(['run', 'boss', '--email', 'letter.eml'], ENV);
  if (code !== 0 || asked !== 3) throw new Error(`${asked} requests: ${stderr}`);
  asked = 0;
}, 120_000);

afterAll(() => {
  place.remove();
  peer.close();
});

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: place.dir, stdio: 'ignore' });
}

/** Replays everything under the config with these files, which are put back afterwards. */
async function replay(files: Readonly<Record<string, (text: string) => string>>, ...args: string[]) {
  const before = Object.keys(files).map(
    (name) => [name, readFileSync(join(place.dir, 'config', name), 'utf8')] as const,
  );
  place.write(Object.fromEntries(before.map(([name, text]) => [name, files[name]?.(text) ?? text])));
  try {
    const { code, stdout, stderr } = await place.run(['replay', '--since', '30d', '--json', ...args], ENV);
    if (stdout === '') throw new Error(stderr);
    return { code, report: JSON.parse(stdout) as ReplayReport };
  } finally {
    place.write(Object.fromEntries(before));
  }
}

const found = ({ changed }: ReplayReport) =>
  changed.flatMap(({ tier, differences }) => differences.map(({ kind, text }) => `${tier} ${kind}: ${text}`));

describe('callsheet replay', () => {
  test('finds no difference under the config of the run, and reaches nobody', async () => {
    const { code, report } = await replay({});
    expect([code, found(report), report.leftOut, report.warnings]).toEqual([0, [], [], []]);
    expect(report.tiers).toMatchObject([
      { tier: 'routing', total: 1 },
      { tier: 'recorded', total: 1, missed: 0 },
    ]);
    expect(report.summary).toEqual(['Nothing changed: 1 mails, 1 recorded runs.']);
    expect(asked).toBe(0);
  });

  test('finds a changed filter', async () => {
    const { code, report } = await replay({ 'filters/all.yaml': (text) => text.replace('[boss]', '[other]') });
    expect([code, found(report)]).toEqual([1, ['routing routing: went to boss, now to other']]);
    expect(report.summary[0]).toBe('1 of 1 mails is routed differently.');
  });

  test('finds a changed prompt, and shows where the request differs', async () => {
    const { code, report } = await replay({ 'directors/boss.yaml': (text) => text.replace('Be brief.', 'Be polite.') });
    expect(code).toBe(1);
    expect(found(report)).toEqual([
      expect.stringMatching(
        /^recorded requests: the director asks openai m something else: message 1 \(system\): .*brief.*, now .*polite/,
      ),
    ]);
    expect(report.changed[0]?.differences[0]?.words).toContainEqual({ text: 'polite', state: 'added' });
    expect(report.tiers[1]?.missed).toBe(1);
  });

  test('finds a stricter permission, by rules alone', async () => {
    const { code, report } = await replay(
      { 'directors/boss.yaml': (text) => text.replace('allow: ["*"]', 'allow: [workspace_*], ask: [tell]') },
      '--routing',
    );
    expect([code, found(report), report.warnings]).toEqual([1, ['routing permissions: tell now asks a person'], []]);
  });

  test('warns where a change permits more than the running config', async () => {
    place.write({ 'directors/boss.yaml': `${BOSS}permissions: { allow: [workspace_*], ask: [tell] }\n` });
    const { stdout } = await place.run(['replay', '--since', '30d', '--json', '--routing', '--against', 'HEAD'], ENV);
    place.write({
      'directors/boss.yaml': execFileSync('git', ['show', 'HEAD:config/directors/boss.yaml'], {
        cwd: place.dir,
        encoding: 'utf8',
      }),
    });
    expect((JSON.parse(stdout) as ReplayReport).warnings).toEqual([
      'tell of director boss runs without asking now; it was "ask"',
    ]);
  });

  test('finds a smaller budget', async () => {
    const { code, report } = await replay({ 'directors/boss.yaml': (text) => `${text}budget: { maxIterations: 1 }\n` });
    expect([code, report.changed.flatMap(({ differences }) => differences.map(({ kind }) => kind))]).toEqual([
      1,
      expect.arrayContaining(['budgets']),
    ]);
    expect(found(report)[0]).toBe('routing budgets: used 2 turns, and budget.maxIterations is 1 now');
  });

  test('takes the exit code from the kinds of --fail-on alone', async () => {
    const changed = { 'directors/boss.yaml': (text: string) => text.replace('Be brief.', 'Be polite.') };
    expect((await replay(changed, '--fail-on', 'routing,permissions')).code).toBe(0);
    expect((await replay(changed, '--fail-on', 'requests')).code).toBe(1);
  });

  test('prints annotations and a job summary for GitHub, and writes a page that loads nothing', async () => {
    place.write({ 'filters/all.yaml': 'id: all\nfield: Subject\nregex: ^hello\ndirectorId: [other]\n' });
    const summary = join(place.dir, 'summary.md');
    const page = join(place.dir, 'report.html');
    const { code, stdout } = await place.run(['replay', '--since', '30d', '--format', 'github', '--html', page], {
      ...ENV,
      GITHUB_STEP_SUMMARY: summary,
    });
    git('checkout', '-q', 'config/filters');
    expect([code, stdout]).toEqual([
      1,
      '::notice title=Replay against the config folder::1 of 1 mails is routed differently.\n',
    ]);
    expect(readFileSync(summary, 'utf8')).toContain('| routing | hello<br>');
    expect(readFileSync(page, 'utf8')).toContain('went to boss, now to other');
    expect(readFileSync(page, 'utf8')).toContain("default-src 'none'");
  });

  test.each([
    [['replay'], 'name runs, or pass --since or --mails'],
    [['replay', 'last', '--mails', 'cases'], 'it takes no runs and no --since'],
    [['replay', '--since', '1d', '--mails', 'cases'], 'it takes no runs and no --since'],
    [['replay', 'run_zzz'], 'there is no run "run_zzz"'],
    [['replay', '--since', '1d', '--against', 'nowhere'], 'git cannot read "nowhere"'],
    [['replay', '--since', '1d', '--live'], 'say how much with --max-cost'],
    [['replay', '--since', '1d', '--fail-on', 'moods'], '--fail-on takes routing'],
    [['replay', '--since', '1d', '--tools', 'all'], '--tools takes live'],
    [['replay', '--since', '1d', '--format', 'fancy'], 'Allowed choices are pretty, json, github'],
  ])('exits with 2 where it cannot run: %s', async (args, message) => {
    const { code, stderr } = await place.run(args, ENV);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('exits with 2 for an error of the engine, since 1 says that something changed', async () => {
    mkdirSync(join(place.dir, 'torn/callsheet.db'), { recursive: true });
    const { code, stderr } = await place.run(['replay', '--since', '1d', '--data', 'torn'], ENV);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^callsheet: /)]);
  });

  test('leaves no copy of the config behind where the store cannot be opened', async () => {
    const temporary = join(place.dir, 'temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const { code } = await place.run(['replay', '--since', '1d', '--against', 'HEAD', '--data', 'nothing'], ENV);
    vi.unstubAllEnvs();
    expect([code, readdirSync(temporary)]).toEqual([2, []]);
  });

  test('reads the config at a ref where the folder is reached by a symbolic link', async () => {
    const link = join(place.dir, 'link');
    symlinkSync(place.dir, link);
    const { code, stdout } = await place.run(
      ['replay', 'last', '--json', '--config', 'link/config', '--data', 'data', '--against', 'HEAD'],
      ENV,
    );
    rmSync(link);
    expect([code, found(JSON.parse(stdout) as ReplayReport)]).toEqual([0, []]);
  });

  test('on Ctrl-C asks no more models and prints the report so far', async () => {
    let interrupt: (signal: 'SIGINT') => void = () => {};
    const argv = ['replay', 'last', '--json', '--live', '--max-cost', '1', '--repeat', '9'];
    const terminal: FakeTerminal = {
      ...fakeTerminal({ argv, cwd: place.dir, env: { PATH: process.env['PATH'] ?? '', HOME: place.dir, ...ENV } }),
      onSignal: (listener) => ((interrupt = listener), () => {}),
    };
    terminal.end();
    asked = 0;
    hold = () => interrupt('SIGINT');
    const code = await runCommand(terminal);
    hold = undefined;
    const report = JSON.parse(terminal.stdout()) as ReplayReport;
    expect([code, asked, report.isInterrupted]).toEqual([130, 1, true]);
    expect(report.tiers).toMatchObject([
      { tier: 'routing' },
      { tier: 'recorded', total: 1 },
      { tier: 'live', total: 0, cost: expect.any(Number) as number },
    ]);
    expect(report.tiers[2]?.cost).toBeGreaterThan(0);
    asked = 0;
  });

  test('prints the report before it fails to write it elsewhere', async () => {
    const { code, stdout, stderr } = await place.run(['replay', 'last', '--html', 'missing/x.html'], ENV);
    expect([code, stdout]).toEqual([2, expect.stringContaining('Nothing changed')]);
    expect(stderr).toMatch(/missing\/x\.html cannot be written: .*\(USAGE\)/);
  });

  test('asks nobody where a service finds private data, since models would get what it hides', async () => {
    const service = 'privacy: { recognizer: { url: "http://127.0.0.1:9/analyze" } }\n';
    const tried = replay({ 'directors/boss.yaml': (text) => `${text}${service}` }, '--live', '--max-cost', '1');
    await expect(tried).rejects.toThrow('private data found by a service, which a replay does not ask');
    expect(asked).toBe(0);
  });

  test('asks models with --live, and stops writes all the same', async () => {
    asked = 0;
    const { code, report } = await replay({}, '--live', '--max-cost', '1');
    expect([code, report.tiers[2]]).toMatchObject([0, { tier: 'live', total: 1 }]);
    expect([asked, report.tiers[2]?.cost]).toEqual([2, expect.closeTo(0.00003, 6)]);
    asked = 0;
  });

  test('says before models are asked what they cost at most, and asks none once that is spent', async () => {
    asked = 0;
    const args = ['replay', 'last', '--json', '--live', '--max-cost', '0.00001', '--repeat', '2'];
    const { stdout, stderr } = await place.run(args, ENV);
    expect(stderr).toContain('asks models for 1 run, 2 times each (as recorded: $0.0001); costs at most $0.00001');
    const report = JSON.parse(stdout) as ReplayReport;
    expect([asked, report.leftOut.map(({ why }) => why), report.tiers[2]?.total]).toEqual([
      1,
      ['not asked to the end: --max-cost 0.00001 is used up'],
      0,
    ]);
    asked = 0;
  });

  test.each([
    ['no price', { 'apis/main.yaml': (text: string) => text.replace(/price: .*/, '') }],
    [
      'a stand-in without a price',
      {
        'apis/main.yaml': (text: string) => `${text}fallback: [spare]\n`,
        'apis/spare.yaml': () =>
          'id: spare\nprovider: openai\nmodel: m2\napiKey: ${env:KEY}\nbaseUrl: http://127.0.0.1:9/v1\n',
      },
    ],
  ])('asks nobody where a model that could be asked has %s', async (name, files) => {
    place.write({ 'apis/spare.yaml': 'id: spare\nprovider: scripted\nscript: [{ when: { any: true }, say: ok }]\n' });
    const tried = replay(files, '--live', '--max-cost', '1');
    await expect(tried).rejects.toThrow(
      name === 'no price'
        ? /unknown: api main \(openai m\)[^]*price: \{[^]*apis\/main\.yaml/
        : /api spare \(openai m2\)/,
    );
    expect(asked).toBe(0);
    const local = {
      ...files,
      'apis/main.yaml': () => 'id: main\nprovider: scripted\nscript: [{ when: { any: true }, say: ok }]\n',
    };
    expect((await replay(local, '--live', '--max-cost', '1')).report.tiers[2]?.cost).toBe(0);
    expect(asked).toBe(0);
  });
});

describe('callsheet record', () => {
  test('says at once that its folder cannot be made, before it plays a run', async () => {
    writeFileSync(join(place.dir, 'taken'), '');
    const { code, stderr } = await place.run(['record', 'no-such-run', '--into', 'taken/cases'], ENV);
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      `callsheet: ${join(place.dir, 'taken/cases')} cannot be written: ENOTDIR: not a directory, mkdir '${join(place.dir, 'taken/cases')}' (USAGE)`,
    ]);
  });

  test('writes a case that replays without a store', async () => {
    const { code, stderr } = await place.run(['record', 'last', '--into', 'cases'], ENV);
    expect([code, stderr]).toEqual([0, expect.stringContaining('cases')]);
    const clone = makePlace(Object.fromEntries(Object.entries(filesAt('http://127.0.0.1:9'))));
    const { code: fine, stdout } = await clone.run(['replay', '--mails', join(place.dir, 'cases'), '--json'], ENV);
    clone.remove();
    const report = JSON.parse(stdout) as ReplayReport;
    expect([fine, found(report), report.tiers.map(({ total }) => total)]).toEqual([0, [], [1, 1]]);
    expect(asked).toBe(0);
  });

  test('leaves no original value in a redacted case, which still plays', async () => {
    const { code } = await place.run(['record', 'last', '--into', 'safe', '--redact'], ENV);
    expect(code).toBe(0);
    const [name = ''] = readdirSync(join(place.dir, 'safe'));
    const texts = readdirSync(join(place.dir, 'safe', name)).map((file) =>
      readFileSync(join(place.dir, 'safe', name, file), 'utf8'),
    );
    for (const value of ['Ada Ray', 'Ada', 'ada@example.org', 'me@example.org', '1@example.org'])
      expect(texts.filter((text) => text.toLowerCase().includes(value.toLowerCase()))).toEqual([]);
    expect(texts.join('\n')).toContain('@example.org');
    const { code: fine, stdout } = await place.run(['replay', '--mails', 'safe', '--json'], ENV);
    expect([fine, found(JSON.parse(stdout) as ReplayReport)]).toEqual([0, []]);
    expect(asked).toBe(0);
  });

  test('says that a file is no case', async () => {
    const [name = ''] = readdirSync(join(place.dir, 'cases'));
    const file = join(place.dir, 'cases', name, 'cassette.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, '{}');
    const { code, stderr } = await place.run(['replay', '--mails', 'cases'], ENV);
    writeFileSync(file, text);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is no cassette')]);
  });
});
