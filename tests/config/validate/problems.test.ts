import { describe, expect, test } from 'vitest';
import { validateConfig } from '../../../engine/src/config/validate-folder.ts';
import { CODES } from '../../../engine/src/config/problem.ts';
import { brief, env, type Files, catalog, makeFolder, problemsOf, VALID } from '../folder.ts';
import { BROKEN_LINKS, EXFILTRATION, LOCALITY } from '../link/cases.ts';
import { CLI_AGENTS } from '../link/cli-cases.ts';
import { agent, api, director, type ProblemCase, testProblems } from '../problem-cases.ts';
import { CHATS } from '../chat/chat-cases.ts';
import { TESTS } from '../test/test-cases.ts';
import { SCOPES } from '../link/scope-cases.ts';
import { MODES, OUTPUTS } from './output-cases.ts';
import { PROMPTS } from './prompt-cases.ts';
import { GATES } from './gate-cases.ts';
import { DECLARED_TOOLS } from './tool-cases.ts';

const CASES: readonly ProblemCase[] = [
  // read
  {
    name: 'a folder that holds no kind',
    files: { 'agent/x.yaml': 'id: x\n' },
    found: ['agent/x.yaml:1:1 CONFIG_WRONG_FOLDER'],
    says: '"agents"',
  },
  {
    name: 'a folder below a kind folder',
    files: { 'agents/a/x.yaml': 'id: x\n' },
    found: ['agents/a/x.yaml:1:1 CONFIG_WRONG_FOLDER'],
  },
  {
    name: 'a stray file at the root',
    files: { 'setting.yaml': 'a: 1\n' },
    found: ['setting.yaml:1:1 CONFIG_WRONG_FOLDER'],
    says: '"settings"',
  },
  {
    name: 'a file above the size limit',
    files: agent(`description: ${'x'.repeat(300_000)}\n`),
    found: ['agents/reader.yaml:1:1 CONFIG_TOO_LARGE'],
  },
  {
    name: 'two files for one id',
    files: { 'agents/spare.yaml': 'id: spare\n', 'agents/spare.json': '{ "id": "spare" }\n' },
    found: ['agents/spare.json:1:1 CONFIG_DUPLICATE_ID', 'agents/spare.yaml:1:1 CONFIG_DUPLICATE_ID'],
  },
  // parse
  { name: 'broken YAML', files: { 'agents/x.yaml': 'id: x\ntools: [a\n' }, found: ['agents/x.yaml:3:1 CONFIG_SYNTAX'] },
  {
    name: 'broken JSON',
    files: { 'agents/x.json': '{\n  "id": "x",\n}\n' },
    found: ['agents/x.json:3:1 CONFIG_SYNTAX'],
    says: 'trailing comma',
  },
  {
    name: 'a tab that indents',
    files: { 'agents/x.yaml': 'id: x\nbudget:\n\tmaxMinutes: 1\n' },
    found: ['agents/x.yaml:3:1 CONFIG_SYNTAX'],
    says: 'tab',
  },
  {
    name: 'two documents in a file',
    files: { 'agents/x.yaml': 'id: x\n---\nid: y\n' },
    found: ['agents/x.yaml:2:1 CONFIG_SYNTAX'],
  },
  { name: 'an unknown tag', files: { 'agents/x.yaml': 'id: !!js x\n' }, found: ['agents/x.yaml:1:5 CONFIG_SYNTAX'] },
  {
    name: 'an alias without an anchor',
    files: { 'agents/x.yaml': 'id: x\nname: *who\n' },
    found: ['agents/x.yaml:2:7 CONFIG_SYNTAX'],
    says: '&who',
  },
  {
    name: 'brackets without end',
    files: { 'agents/x.yaml': `id: ${'['.repeat(5000)}` },
    found: ['agents/x.yaml:1:1 CONFIG_SYNTAX'],
    says: 'nested',
  },
  {
    name: 'a duplicate key',
    files: { 'agents/x.yaml': 'id: x\nname: A\nname: B\n' },
    found: ['agents/x.yaml:3:1 CONFIG_DUPLICATE_KEY'],
  },
  {
    name: 'a duplicate key in JSON',
    files: { 'agents/x.json': '{ "id": "x",\n  "id": "x" }\n' },
    found: ['agents/x.json:2:3 CONFIG_DUPLICATE_KEY'],
  },
  {
    name: 'an alias bomb',
    files: {
      'agents/x.yaml': `id: x\na: &a [1,1,1,1,1,1]\nb: &b [${'*a,'.repeat(20)}1]\nc: &c [${'*b,'.repeat(20)}1]\nd: [${'*c,'.repeat(20)}1]\n`,
    },
    found: ['agents/x.yaml:3:8 CONFIG_ALIASES'],
  },
  {
    name: 'an alias to itself',
    files: { 'agents/x.yaml': 'id: x\ntools: &t [*t]\n' },
    found: ['agents/x.yaml:2:12 CONFIG_ALIASES'],
  },
  // validate
  {
    name: 'a root that contains the config folder',
    files: { 'settings.yaml': 'virtualRoot: .\n' },
    found: ['settings.yaml:1:14 CONFIG_ROOT'],
    says: 'the folder "." contains the config folder name a folder of its own, such as ./documents',
  },
  {
    name: 'a root that is the config folder',
    files: { 'settings.yaml': 'virtualRoot: ./config\n' },
    found: ['settings.yaml:1:14 CONFIG_ROOT'],
    says: 'is the config folder',
  },
  {
    name: 'a root in the config folder',
    files: { 'settings.yaml': 'virtualRoot: ./config/agents\n' },
    found: ['settings.yaml:1:14 CONFIG_ROOT'],
    says: 'lies in the config folder',
  },
  {
    name: 'a root that is the data folder, spelled otherwise',
    files: { 'settings.yaml': 'virtualRoot: ./documents/../data/\n' },
    found: ['settings.yaml:1:14 CONFIG_ROOT'],
    says: 'is the data folder',
  },
  { name: 'an empty document', files: { 'agents/x.yaml': '# nothing\n' }, found: ['agents/x.yaml:1:1 CONFIG_TYPE'] },
  { name: 'a list for a document', files: { 'agents/x.yaml': '- id: x\n' }, found: ['agents/x.yaml:1:1 CONFIG_TYPE'] },
  {
    name: 'an unknown key',
    files: agent('promt: []\n'),
    found: ['agents/reader.yaml:2:1 CONFIG_UNKNOWN_KEY'],
    says: 'did you mean "prompt"?',
  },
  {
    name: 'an unknown key in the settings',
    files: { 'settings.yaml': 'fetch:\n  everySecond: 5\n' },
    found: ['settings.yaml:2:3 CONFIG_UNKNOWN_KEY'],
    says: '"everySeconds"',
  },
  {
    name: 'a key in the wrong place',
    files: { 'agents/x.yaml': 'id: x\nmaxMinutes: 2\n' },
    found: ['agents/x.yaml:2:1 CONFIG_UNKNOWN_KEY'],
    says: 'under "budget"',
  },
  {
    name: 'a missing key',
    files: { 'filters/x.yaml': 'id: x\nfield: To\nregex: a\n' },
    found: ['filters/x.yaml:1:1 CONFIG_MISSING_KEY'],
    says: '"directorId"',
  },
  {
    name: 'a field without a regex',
    files: { 'filters/x.yaml': 'id: x\nfield: To\ndirectorId: boss\n' },
    found: ['filters/x.yaml:1:1 CONFIG_MISSING_KEY'],
    says: '"regex"',
  },
  {
    name: 'a filter without a condition',
    files: { 'filters/x.yaml': 'id: x\ndirectorId: boss\n' },
    found: ['filters/x.yaml:1:1 CONFIG_MISSING_KEY'],
    says: 'exactly one of "field", "allOf", "anyOf" or "not"',
  },
  {
    name: 'a filter with two conditions',
    files: { 'filters/x.yaml': 'id: x\nfield: To\nregex: a\nnot: { field: To, regex: b }\ndirectorId: boss\n' },
    found: ['filters/x.yaml:1:1 CONFIG_VALUE'],
    says: '"field" and "not"',
  },
  {
    name: 'no provider',
    files: { 'apis/x.yaml': 'id: x\nmodel: m\n' },
    found: ['apis/x.yaml:1:1 CONFIG_MISSING_KEY'],
    says: 'openai | anthropic | ollama | cli | scripted',
  },
  {
    name: 'an unknown provider',
    files: { 'apis/x.yaml': 'id: x\nprovider: olama\n' },
    found: ['apis/x.yaml:2:11 CONFIG_VALUE'],
    says: '"ollama"',
  },
  {
    name: 'a rule that says and calls',
    files: {
      'apis/x.yaml':
        'id: x\nprovider: scripted\nscript:\n  - when: { any: true }\n    say: a\n    call: { tool: search }\n',
    },
    found: ['apis/x.yaml:4:5 CONFIG_VALUE'],
  },
  {
    name: 'a number for a text',
    files: { 'agents/x.yaml': 'id: x\nname: 12\n' },
    found: ['agents/x.yaml:2:7 CONFIG_TYPE'],
    says: 'quote it: "12"',
  },
  {
    name: 'yes for true',
    files: { 'agents/x.yaml': 'id: x\nenabled: yes\n' },
    found: ['agents/x.yaml:2:10 CONFIG_TYPE'],
    says: 'true or false',
  },
  {
    name: 'a text for a list',
    files: { 'agents/x.yaml': 'id: x\ntools: workspace\n' },
    found: ['agents/x.yaml:2:8 CONFIG_TYPE'],
    says: '[workspace]',
  },
  {
    name: 'a field that mails do not have',
    files: { 'filters/x.yaml': 'id: x\nfield: subject\nregex: a\ndirectorId: boss\n' },
    found: ['filters/x.yaml:2:8 CONFIG_VALUE'],
    says: 'did you mean "Subject"?',
  },
  {
    name: 'a host that others can reach',
    files: { 'settings.yaml': 'server: { host: 0.0.0.0 }\n' },
    found: ['settings.yaml:1:17 CONFIG_VALUE'],
    says: 'publicUrl',
  },
  {
    name: 'a host that is no address',
    files: { 'settings.yaml': 'server: { host: 1.2.3.999 }\n' },
    found: ['settings.yaml:1:17 CONFIG_VALUE'],
  },
  {
    name: 'a public address with a path',
    files: { 'settings.yaml': 'server: { publicUrl: https://desk.example.org/desk }\n' },
    found: ['settings.yaml:1:22 CONFIG_VALUE'],
  },
  {
    name: 'a proxy that is no network',
    files: { 'settings.yaml': 'server: { proxies: [10.0.0.0/40] }\n' },
    found: ['settings.yaml:1:21 CONFIG_VALUE'],
  },
  {
    name: 'a role that does not exist',
    files: { 'settings.yaml': 'login: { users: [{ email: jane@example.org, role: owner }] }\n' },
    found: ['settings.yaml:1:51 CONFIG_VALUE'],
  },
  {
    name: 'a number out of range',
    files: { 'settings.yaml': 'runs:\n  concurrency: 0\n' },
    found: ['settings.yaml:2:16 CONFIG_VALUE'],
  },
  {
    name: 'an id that is no id',
    files: { 'agents/a b.yaml': 'id: a b\n' },
    found: ['agents/a b.yaml:1:5 CONFIG_VALUE'],
  },
  {
    name: 'an id of another file',
    files: { 'agents/x.yaml': 'id: y\n' },
    found: ['agents/x.yaml:1:5 CONFIG_ID_MISMATCH'],
    says: 'y.yaml',
  },
  {
    name: 'a key in the open',
    files: { 'apis/x.yaml': 'id: x\nprovider: openai\nmodel: m\napiKey: sk-hush\n' },
    found: ['apis/x.yaml:4:9 CONFIG_SECRET_LITERAL'],
    says: '${env:NAME}',
  },
  {
    name: 'a password in an address, which is not repeated',
    files: {
      'accounts/team.yaml':
        'id: team\nprovider: imap\nemail: t@x.org\nimap: { host: "imaps://t:hush@x.org" }\nauth: { user: t, pass: "${env:KEY}" }\n',
    },
    found: ['accounts/team.yaml:4:15 CONFIG_VALUE'],
    says: '"imap.host" is "imaps://…@x.org"',
  },
  {
    name: 'a pattern that does not compile',
    files: { 'filters/x.yaml': 'id: x\nallOf:\n  - { field: To, regex: "(" }\ndirectorId: boss\n' },
    found: ['filters/x.yaml:3:25 CONFIG_REGEX'],
  },
  {
    name: 'a rule pattern that does not compile',
    files: { 'apis/x.yaml': 'id: x\nprovider: scripted\nscript:\n  - when: { text: "(" }\n    say: a\n' },
    found: ['apis/x.yaml:4:19 CONFIG_REGEX'],
  },
  {
    name: 'an unknown tool',
    files: { 'agents/x.yaml': 'id: x\ntools: [workspace, serch]\n' },
    found: ['agents/x.yaml:2:20 CONFIG_UNKNOWN_TOOL'],
    says: 'did you mean "search"?',
  },
  {
    name: 'an unknown tool in permissions',
    files: { 'agents/x.yaml': 'id: x\npermissions: { deny: [workspace_remov_item] }\n' },
    found: ['agents/x.yaml:2:23 CONFIG_UNKNOWN_TOOL'],
    says: '"workspace_remove_item"',
  },
  {
    name: 'a family in permissions',
    files: { 'agents/x.yaml': 'id: x\npermissions: { deny: [workspace] }\n' },
    found: ['agents/x.yaml:2:23 CONFIG_UNKNOWN_TOOL'],
    says: '"workspace_*"',
  },
  {
    name: 'the tool of an agent that is not there',
    files: director('permissions: { deny: [agent__nobody] }\n'),
    found: ['directors/boss.yaml:3:23 CONFIG_UNKNOWN_TOOL'],
  },
  {
    name: 'a permission outside the tools',
    files: { 'agents/x.yaml': 'id: x\npermissions: { ask: [mail_send] }\n' },
    found: ['agents/x.yaml:2:22 CONFIG_PERMISSION_UNUSED'],
  },
  {
    name: 'a glob that matches nothing',
    files: { 'agents/x.yaml': 'id: x\npermissions: { ask: [calendar_*] }\n' },
    found: ['agents/x.yaml:2:22 CONFIG_GLOB_UNMATCHED'],
  },
  {
    name: 'an unknown variable',
    files: { 'agents/x.yaml': 'id: x\nprompt:\n  - role: user\n    content: "{{emial}}"\n' },
    found: ['agents/x.yaml:4:14 CONFIG_UNKNOWN_VARIABLE'],
    says: 'did you mean "email"?',
  },
  {
    name: 'an unknown variable in a script',
    files: {
      'apis/x.yaml':
        'id: x\nprovider: scripted\nscript:\n  - when: { any: true }\n    call: [{ tool: search, arguments: { q: "{{email}}" } }]\n',
    },
    found: ['apis/x.yaml:5:44 CONFIG_UNKNOWN_VARIABLE'],
  },
  {
    name: 'a script that calls no tool of ours',
    files: {
      'apis/x.yaml': 'id: x\nprovider: scripted\nscript:\n  - when: { any: true }\n    call: { tool: serch }\n',
    },
    found: ['apis/x.yaml:5:19 CONFIG_SCRIPT_TOOL'],
  },
  {
    name: 'a template variable with a built-in name',
    files: { 'prompts/x.yaml': 'id: x\nvariables: { email: a }\nmessages: [{ role: user, content: a }]\n' },
    found: ['prompts/x.yaml:2:14 CONFIG_RESERVED_VARIABLE'],
  },
  {
    name: 'a mail in role system',
    files: { 'agents/x.yaml': 'id: x\nprompt:\n  - { role: system, content: "{{email.subject}}" }\n' },
    found: ['agents/x.yaml:3:30 CONFIG_UNTRUSTED_VARIABLE'],
  },
  {
    name: 'a message in role assistant',
    files: { 'agents/x.yaml': 'id: x\nprompt:\n  - { role: assistant, content: "{{message}}" }\n' },
    found: ['agents/x.yaml:3:33 CONFIG_UNTRUSTED_VARIABLE'],
  },
  {
    name: 'a thread in an imprint',
    files: { 'agents/x.yaml': 'id: x\nimprint: "{{thread}}"\n' },
    found: ['agents/x.yaml:2:10 CONFIG_UNTRUSTED_VARIABLE'],
  },
  {
    name: 'a variable in a template value',
    files: director('prompt: { use: mood, with: { language: "{{date}}" } }\n'),
    found: ['directors/boss.yaml:3:40 CONFIG_LITERAL_VARIABLE'],
  },
  {
    name: 'a variable of the environment that is not set',
    files: api('provider: openai\nmodel: m\napiKey: ${env:NOPE}\n'),
    found: ['apis/main.yaml:4:9 CONFIG_ENV_UNSET'],
    says: 'NOPE',
  },
  {
    name: 'an environment variable with a password that is not set',
    files: {
      'accounts/team.yaml':
        'id: team\nprovider: imap\nemail: team@example.org\nimap: { host: imap.example.org }\nauth:\n  user: team\n  pass: ${env:TEAM_PASSWORD}\n',
    },
    found: ['accounts/team.yaml:7:9 CONFIG_ENV_UNSET'],
    says: 'this account has no password',
  },
  {
    name: 'a sign-in in one cloud of Microsoft and a Graph in another',
    files: {
      'accounts/team.yaml':
        'id: team\nprovider: outlook\nemail: t@x.org\noauth: { clientId: c }\nendpoints:\n  auth: https://login.microsoftonline.us/\n',
    },
    found: ['accounts/team.yaml:6:3 CONFIG_TWO_CLOUDS'],
    says: 'write `api: https://graph.microsoft.us` or `api: https://dod-graph.microsoft.us`',
  },
  {
    name: 'a Graph of a national cloud without its sign-in',
    files: {
      'accounts/team.yaml':
        'id: team\nprovider: outlook\nemail: t@x.org\noauth: { clientId: c }\nendpoints:\n  api: https://microsoftgraph.chinacloudapi.cn\n',
    },
    found: ['accounts/team.yaml:6:3 CONFIG_TWO_CLOUDS'],
    says: 'write `auth: https://login.partner.microsoftonline.cn`',
  },
  {
    name: 'a reference where none is looked up',
    files: agent('name: ${env:KEY}\n'),
    found: ['agents/reader.yaml:2:7 CONFIG_REFERENCE_LITERAL'],
  },
  {
    name: 'an api marked local at a public address',
    files: api('provider: openai\nmodel: m\napiKey: ${secret:K}\nlocality: local\n'),
    found: ['apis/main.yaml:5:11 CONFIG_LOCAL_ADDRESS'],
    says: 'api.openai.com looks like a public address',
  },
  {
    name: 'a password for sending that is not set',
    files: {
      'accounts/team.yaml':
        'id: team\nprovider: imap\nemail: a@example.org\nimap: { host: a }\nauth: { user: a, pass: "${env:KEY}" }\nsmtp: { host: a, auth: { user: b, pass: "${env:OTHER}" } }\n',
    },
    found: ['accounts/team.yaml:6:41 CONFIG_ENV_UNSET'],
    says: 'this account cannot send',
  },
  {
    name: "a variable of the engine's own",
    files: {
      'apis/spare.yaml': 'id: spare\nprovider: openai\nmodel: m\napiKey: ${env:VX_MAILAGENT_KEY}\n',
    },
    found: ['apis/spare.yaml:4:9 CONFIG_ENV_OWN'],
    says: 'use another name',
  },
];

describe('validate', () => {
  test('finds nothing wrong with a valid config', async () => {
    expect(await problemsOf(VALID)).toEqual([]);
  });

  testProblems(CASES);

  test('every code has a case, but for those that only a running engine, the disk or a part of the config can show', () => {
    const told = new Set(
      [
        ...CASES,
        ...PROMPTS,
        ...DECLARED_TOOLS,
        ...GATES,
        ...OUTPUTS,
        ...MODES,
        ...SCOPES,
        ...CHATS,
        ...CHATS,
        ...BROKEN_LINKS,
        ...LOCALITY,
        ...CLI_AGENTS,
        ...EXFILTRATION,
        ...TESTS,
      ].flatMap(({ found }) => found.map((line) => line.split(' ').at(-1))),
    );
    const left = Object.keys(CODES).filter((code) => !told.has(code));
    expect(left).toEqual([
      'CONFIG_UNREADABLE',
      // In costly.test.ts.
      'CONFIG_MORE_ERRORS',
      'CONFIG_MORE_WARNINGS',
      'CONFIG_LINK_OUTSIDE',
      'CONFIG_FILE_NAME',
      'CONFIG_SECRET_UNSET',
      'CONFIG_DEPENDS_ON_INVALID',
      'CONFIG_DELETED_IN_USE',
      'CONFIG_SECRET_NEW_HOST',
    ]);
  });

  test('reports all problems of a document at once, whatever stage finds them', async () => {
    const text =
      'id: x\npromt: 1\ntools: [serch]\napiConfigId: mian\nbudget: { maxMinutes: soon }\nimprint: "{{email}}"\n';
    expect(brief(await problemsOf({ ...VALID, 'agents/x.yaml': text }))).toEqual([
      'agents/x.yaml:2:1 CONFIG_UNKNOWN_KEY',
      'agents/x.yaml:3:9 CONFIG_UNKNOWN_TOOL',
      'agents/x.yaml:4:14 CONFIG_UNKNOWN_API',
      'agents/x.yaml:5:23 CONFIG_TYPE',
      'agents/x.yaml:6:10 CONFIG_UNTRUSTED_VARIABLE',
    ]);
  });

  test('never repeats a key that stands in the open', async () => {
    for (const text of [
      'apiKey: sk-hush-hush',
      'apiKey: 123456789',
      'apikey: sk-hush-hush',
      'apiKey: [sk-hush-hush]',
    ]) {
      const problems = await problemsOf({ 'apis/x.yaml': `id: x\nprovider: openai\nmodel: m\n${text}\n` });
      expect(problems).not.toHaveLength(0);
      expect(JSON.stringify(problems)).not.toMatch(/hush|123456789/);
    }
    const broken = await problemsOf({ 'apis/x.json': '{ "id": "x", "apiKey": sk-hush }' });
    expect(JSON.stringify(broken)).not.toContain('hush');
  });

  test('a file that is not UTF-8 is said to be so', async () => {
    const { dir } = await makeFolder(VALID);
    const { writeFile } = await import('node:fs/promises');
    await writeFile(`${dir}/agents/x.yaml`, Buffer.from([0x69, 0x64, 0x3a, 0x20, 0xff, 0xfe]));
    const { problems } = await validateConfig({ dir, catalog, env });
    expect(brief(problems)).toEqual(['agents/x.yaml:1:1 CONFIG_UNREADABLE']);
  });

  test('a byte order mark and CRLF do no harm', async () => {
    expect(await problemsOf({ ...VALID, 'agents/x.yaml': '\uFEFFid: x\r\nname: X\r\n' })).toEqual([]);
  });

  test('what editors leave behind is no document', async () => {
    const left = [
      'agents/.x.yaml.swp',
      'agents/x.yaml~',
      'agents/x.yaml.tmp',
      'agents/#x.yaml#',
      'agents/.#x.yaml',
      'agents/4913',
      '.git/a.yaml',
    ];
    expect(await problemsOf({ ...VALID, ...Object.fromEntries(left.map((path) => [path, 'broken: ['])) })).toEqual([]);
  });
});

describe('validate with paths', () => {
  const files: Files = { ...VALID, 'agents/x.yaml': 'id: x\napiConfigId: main\nnme: X\n', 'filters/x.yaml': 'id: x\n' };

  test('reports on the named file alone, with its links followed in its own config', async () => {
    const { dir } = await makeFolder(files);
    const { problems } = await validateConfig({
      dir: '/nowhere/config',
      paths: [`${dir}/agents/x.yaml`],
      catalog,
      env,
    });
    expect(brief(problems)).toEqual(['agents/x.yaml:3:1 CONFIG_UNKNOWN_KEY']);
  });

  test('takes a kind folder, and a config folder', async () => {
    const { dir } = await makeFolder(files);
    const inFolder = await validateConfig({ dir, paths: [`${dir}/agents`], catalog, env });
    expect(brief(inFolder.problems)).toEqual(['agents/x.yaml:3:1 CONFIG_UNKNOWN_KEY']);
    const inAll = await validateConfig({ dir: '/nowhere/config', paths: [dir], catalog, env });
    expect(inAll.problems.length).toBeGreaterThan(1);
  });

  test('a named file that can be no document is a problem', async () => {
    const { dir } = await makeFolder({ ...VALID, 'agents/x.txt': 'id: x' });
    const { problems } = await validateConfig({ dir, paths: [`${dir}/agents/x.txt`], catalog, env });
    expect(brief(problems)).toEqual(['agents/x.txt:1:1 CONFIG_FILE_NAME']);
  });

  test('a path that is not there is a mistake of the caller', async () => {
    await expect(validateConfig({ dir: '/nowhere/config', catalog, env })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
