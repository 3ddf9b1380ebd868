import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { auditLines } from '../trace/audit-lines.ts';
import { builtInToolTable } from '../../engine/src/app/tool-catalog.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { canonicalJson } from '../../engine/src/base/json.ts';
import type { WorldTool } from '../../engine/src/tool/tool.ts';
import { type Desk, letter, openDesk } from '../api/harness.ts';
import { hasBubblewrap } from '../available.ts';
import { call } from '../run/harness.ts';

const BOSS = 'id: boss\nname: Boss\napiConfigId: main\n';
const SETTINGS = { 'settings.yaml': 'roots: { lab: ./lab }\n' };
const LAB = 'tools: [notebook]\nscope: { notebooks: [lab], operations: [read, write, create, delete] }\n';

let desk: Desk;
afterEach(() => desk.close());

type Call = readonly [tool: string, args: object];

/** An app whose model makes these calls, one after the other, and repeats none. */
async function open(boss: string, calls: readonly Call[], more: Parameters<typeof openDesk>[0] = {}): Promise<void> {
  desk = await openDesk({
    play({ turn }) {
      const [name, args] = calls[turn - 1] ?? [];
      return name === undefined ? { content: 'done' } : { tool_calls: [call(`c${turn}`, name, args)] };
    },
    ...more,
    files: { ...SETTINGS, 'directors/boss.yaml': BOSS + boss, ...more.files },
  });
  mkdirSync(join(desk.stage.root, 'lab'));
}

const inLab = (path: string) => join(desk.stage.root, 'lab', path);
function put(path: string, text: string): void {
  mkdirSync(dirname(inLab(path)), { recursive: true });
  writeFileSync(inLab(path), text);
}

/** A run on a message of a person, until it ends or waits. */
async function ask(): Promise<string> {
  const id = await desk.stage.begin('boss', 'do it');
  await desk.rest();
  return id;
}

/** The codes of the errors that the model read; undefined for a call that ran. */
async function results(id: string): Promise<(string | undefined)[]> {
  const { dirThreadId } = await desk.stage.run(id);
  const messages = await desk.stage.messages(dirThreadId);
  return messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => /"error":\{"code":"([A-Z_]+)"/.exec(content ?? '')?.[1]);
}

const pending = async () => (await desk.get('/api/approvals?status=pending')).json.items;
async function allow(edited?: object): Promise<number> {
  const [approval] = await pending();
  const body = { decision: 'allow', ...(edited !== undefined && { arguments: edited }) };
  const { status } = await desk.post(`/api/approvals/${approval?.id}`, body);
  await desk.rest();
  return status;
}
function sent(): string[] {
  const outbox = join(desk.stage.root, 'outbox');
  return existsSync(outbox) ? readdirSync(outbox) : [];
}
async function change(files: Readonly<Record<string, string>>): Promise<void> {
  desk.stage.write(files);
  await desk.stage.app.config.refresh();
}

const mail = (to: readonly string[], more: object = {}): Call => [
  'mail_send',
  { to, subject: 'Hi', text: 'Hello.', ...more },
];
const COMPANY = 'tools: [mail]\npermissions: { allow: [mail_send(to=*@company.com)] }\n';

describe('a mail that a pattern allows', () => {
  test('goes to the company at once', async () => {
    await open(COMPANY, [mail(['Ann <ann@company.com>'], { cc: ['bob@company.com'] })]);
    expect(await results(await ask())).toEqual([undefined]);
    expect(sent()).toHaveLength(1);
  });

  test.each<[string, readonly string[], object]>([
    ['a stranger beside the company', ['ann@company.com', 'x@evil.com'], {}],
    ['a stranger in Cc', ['ann@company.com'], { cc: ['x@evil.com'] }],
    ['a stranger in Bcc', ['ann@company.com'], { bcc: ['x@evil.com'] }],
    ['the company as a display name', ['"ann@company.com" <x@evil.com>'], {}],
    ['two addresses in one text', ['ann@company.com, x@evil.com'], {}],
    ['a longer domain', ['ann@company.com.evil.com'], {}],
    ['a Cyrillic letter', ['ann@c\u043empany.com'], {}],
    ['a quoted local part', ['"x@evil.com "@company.com'], {}],
  ])('never goes unasked to %s', async (_name, to, more) => {
    await open(COMPANY, [mail(to, more)]);
    const id = await ask();
    const [error] = await results(id);
    expect([sent(), error ?? (await pending()).length]).toEqual([[], error ?? 1]);
  });
});

test('a mail to a stranger asks, although mail_send is allowed, and the person reads who the stranger is', async () => {
  await open('tools: [mail]\npermissions: { allow: [mail_send] }\n', [mail(['x@evil.com'])]);
  await ask();
  expect(sent()).toEqual([]);
  expect(await pending()).toMatchObject([
    { reason: expect.stringContaining('x@evil.com, who took no part') as string },
  ]);
});

const TEAM = ['ann@company.com', 'ben@company.com', 'cem@company.com'];
test.each([
  ['in Cc, which the rule says nothing about', mail(TEAM, { cc: ['x@evil.com'] })],
  ['the last one of a long list, so that the rule allows no part of it', mail([...TEAM, 'x@evil.com'])],
])('a card names the stranger alone, not those whom a rule lists: %s', async (_name, letterTo) => {
  await open(COMPANY, [letterTo]);
  await ask();
  expect(sent()).toEqual([]);
  expect(await pending()).toMatchObject([
    { reason: expect.stringMatching(/no rule lists x@evil\.com, who took no part/) as string },
  ]);
});

test('a mail of the attacker cannot name who else gets the answer: Reply-To is no part of the thread', async () => {
  await open('tools: [mail]\npermissions: { allow: [mail_send] }\n', [['mail_send', { text: 'Gladly.' }]]);
  desk.drop('a.eml', letter('Offer').replace(/^To:/m, 'Reply-To: x@evil.com\nTo:'));
  await desk.fetch();
  expect(sent()).toEqual([]);
  expect(await pending()).toMatchObject([
    { reason: expect.stringContaining('x@evil.com, who took no part') as string },
  ]);
});

test('an agent cannot send what its director denies to one recipient, whatever the others are', async () => {
  const files = { 'agents/helper.yaml': "id: helper\nname: Helper\ntools: [mail]\npermissions: { allow: ['*'] }\n" };
  await open("agents: [helper]\npermissions: { allow: ['*'], deny: ['*(to=*@rival.com)'] }\n", [], {
    files,
    play: ({ role, turn }) => {
      if (turn > 1) return { content: 'done' };
      const [name, args] =
        role === 'agent' ? mail(['ann@company.com', 'X@Rival.com']) : (['agent__helper', { input: 'go' }] as const);
      return { tool_calls: [call('a', name, args)] };
    },
  });
  await ask();
  expect([sent(), await pending()]).toEqual([[], []]);
  const lines = await auditLines(desk.stage.app.deps.store);
  expect(lines).toContainEqual(expect.objectContaining({ actionType: 'mail_send', wasAllowed: false }));
});

const DRAFTS = `${LAB}permissions: { allow: [notebook_write_file(path=drafts/**)], deny: ['notebook_*(path=private/**)'] }\n`;
const write = (path: string): Call => ['notebook_write_file', { path, content: 'changed' }];

describe('a file that a pattern allows', () => {
  test.each([
    ['another folder', 'notes/a.md'],
    ['a way out', 'drafts/../notes/a.md'],
    ['a folder that begins alike', 'drafts2/a.md'],
    ['a link in the folder', 'drafts/link/a.md'],
  ])('is never written unasked: %s', async (_name, path) => {
    await open(DRAFTS, [write('drafts/b.md'), write(path)]);
    put('notes/a.md', 'before');
    put('drafts/x.md', '');
    symlinkSync('../notes', inLab('drafts/link'));
    const id = await ask();
    const [first, error] = await results(id);
    expect([first, readFileSync(inLab('notes/a.md'), 'utf8')]).toEqual([undefined, 'before']);
    expect(error ?? (await pending()).length).toEqual(error ?? 1);
  });

  test.each(['private/a.md', '/private/a.md', './private//a.md', 'drafts/link/a.md'])(
    'is refused where a rule denies its real path: %s',
    async (path) => {
      await open(DRAFTS, [['notebook_read_file', { path }], write(path)]);
      put('private/a.md', 'before');
      put('drafts/x.md', '');
      symlinkSync('../private', inLab('drafts/link'));
      expect(await results(await ask())).toEqual(['TOOL_DENIED', 'TOOL_DENIED']);
      expect(readFileSync(inLab('private/a.md'), 'utf8')).toBe('before');
    },
  );
});

test('a call out of scope is refused before anybody is asked', async () => {
  const scope = 'tools: [notebook]\nscope: { notebooks: [lab], operations: [read, write], folders: [notes] }\n';
  await open(`${scope}permissions: { ask: ['notebook_*'] }\n`, [write('other/a.md')]);
  put('other/a.md', 'before');
  expect(await results(await ask())).toEqual(['OUT_OF_SCOPE']);
  expect([await pending(), readFileSync(inLab('other/a.md'), 'utf8')]).toEqual([[], 'before']);
});

test('a read out of scope leaves no row in the ledger: nothing of it begins', async () => {
  const scope = 'tools: [notebook]\nscope: { notebooks: [lab], operations: [read], folders: [notes] }\n';
  await open(scope, [['notebook_read_file', { path: 'other/a.md' }]]);
  put('other/a.md', 'before');
  expect(await results(await ask())).toEqual(['OUT_OF_SCOPE']);
  expect(await desk.stage.app.deps.store.list('ledger', {})).toEqual([]);
});

describe('arguments that a person edits', () => {
  const scope =
    'tools: [notebook]\nscope: { notebooks: [lab], operations: [read, write], folders: [notes, private] }\n';
  const rules = "permissions: { ask: [notebook_write_file], deny: ['*(path=private/**)'] }\n";

  test.each([
    ['out of scope', 'other/a.md'],
    ['under a rule that denies them', 'private/a.md'],
  ])('are guarded again: %s', async (_name, path) => {
    await open(scope + rules, [write('notes/a.md')]);
    for (const file of ['notes/a.md', path]) put(file, 'before');
    await ask();
    await allow({ path, content: 'changed' });
    expect(readFileSync(inLab(path), 'utf8')).toBe('before');
    expect(readFileSync(inLab('notes/a.md'), 'utf8')).toBe('before');
  });
});

const ACT = (permissions: string) => `tools: [outside]\npermissions: ${permissions}\n`;
const outside = (run: WorldTool['run']): WorldTool => ({
  ...{ name: 'act', family: 'outside', effects: 'write', repeat: 'key', description: 'Acts.' },
  parameters: { type: 'object', properties: { to: { type: 'string' } } },
  run,
});

describe('a permission that is revoked', () => {
  test('holds for the next call of a run that works', async () => {
    const acted: number[] = [];
    const tool = outside(async () => {
      acted.push(1);
      await change({ 'directors/boss.yaml': BOSS + ACT('{ deny: [act] }') });
      return {};
    });
    await open(
      ACT('{ allow: [act] }'),
      [
        ['act', {}],
        ['act', {}],
      ],
      { app: { tools: [tool] } },
    );
    expect(await results(await ask())).toEqual([undefined, 'TOOL_DENIED']);
    expect(acted).toHaveLength(1);
  });

  test('holds for a call that waits for its approval', async () => {
    const acted: number[] = [];
    const tool = outside(async () => void acted.push(1));
    await open(ACT('{ ask: [act] }'), [['act', {}]], { app: { tools: [tool] } });
    const id = await ask();
    await change({ 'directors/boss.yaml': BOSS + ACT('{ deny: [act] }') });
    await allow();
    expect(acted).toEqual([]);
    expect(await results(id)).not.toContain(undefined);
  });

  test.each([
    ['denied', '{ deny: [act] }'],
    ['asked about', '{ ask: [act] }'],
    ['denied with these arguments', "{ allow: [act], deny: ['act(to=x*)'] }"],
  ])('holds for a call that was launched and has not begun: it is now %s', async (_name, permissions) => {
    let attempts = 0;
    // The store refuses the first attempt, so that the call waits to begin.
    const tool = outside(async () => {
      attempts++;
      await change({ 'directors/boss.yaml': BOSS + ACT(permissions) });
      throw new EngineError('STORE_FAILED', 'no room');
    });
    await open(ACT('{ allow: [act] }'), [['act', { to: 'x' }]], { app: { tools: [tool] } });
    expect(await results(await ask())).toEqual(['TOOL_DENIED']);
    expect(attempts).toBe(1);
    const lines = await auditLines(desk.stage.app.deps.store);
    expect(lines).toMatchObject([{ actionType: 'act', wasAllowed: false }]);
  });

  test('holds after a restart for a call that was under way', async () => {
    let attempts = 0;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const tool = outside((_args, { signal }) => {
      attempts++;
      begin();
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    await open(ACT('{ allow: [act] }'), [['act', { to: 'x' }]], { app: { tools: [tool] } });
    const id = await desk.stage.begin('boss', 'do it');
    await begun;
    await change({ 'directors/boss.yaml': BOSS + ACT("{ allow: [act], deny: ['act(to=x*)'] }") });
    await desk.restart('a-token-for-tests-0123456789');
    await desk.rest();
    expect(attempts).toBe(1);
    expect(await results(id)).toEqual(['TOOL_OUTCOME_UNKNOWN']);
  });

  test('a tool that is disabled is refused, also after its approval', async () => {
    const document = `id: count\nkind: command\ndescription: Counts.\nargv: [touch, made]\ncwd: ./lab\neffects: write\n`;
    await open('tools: [count]\n', [['count', {}]], { files: { 'tools/count.yaml': document } });
    const id = await ask();
    await change({ 'tools/count.yaml': `${document}enabled: false\n` });
    await allow();
    expect(existsSync(inLab('made'))).toBe(false);
    expect(await results(id)).not.toContain(undefined);
  });
});

describe('configuration, credentials and permissions', () => {
  const RULES = "permissions: { allow: ['*'] }\n";

  /** Everything that decides what an agent may do, as one text. */
  async function powers(): Promise<string> {
    const { app, root } = desk.stage;
    await app.config.refresh();
    const files = readdirSync(join(root, 'config'), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => [file.name, readFileSync(join(file.parentPath, file.name), 'utf8')]);
    return canonicalJson([files, app.config.current().revision, await app.deps.store.list('secret', {})]);
  }

  /** Values that lead to the config, or would give more rights. */
  const hostile = () => {
    const config = join(desk.stage.root, 'config', 'directors', 'boss.yaml');
    return [
      config,
      '../config/directors/boss.yaml',
      `file://${config}`,
      '/config/directors/boss.yaml',
      'link/boss.yaml',
    ];
  };

  test('no built-in tool can change them, with any value for each of its arguments', { timeout: 120_000 }, async () => {
    const table = builtInToolTable();
    const families = [...new Set(Array.from(table.values(), ({ family }) => family))];
    let calls: Call[] = [];
    await open(
      `tools: [${families.join(', ')}]\nscope: { notebooks: ['*'], operations: [read, write, create, delete] }\n${RULES}`,
      [],
      {
        files: {
          'settings.yaml': 'roots: { lab: ./lab }\nvirtualRoot: ./documents\nruns: { maxCallsPerAnswer: 100 }\n',
        },
        play: ({ turn }) =>
          turn === 1 ? { tool_calls: calls.map(([name, args], n) => call(`c${n}`, name, args)) } : { content: 'done' },
      },
    );
    mkdirSync(join(desk.stage.root, 'documents'));
    for (const folder of ['lab', 'documents'])
      symlinkSync(join(desk.stage.root, 'config', 'directors'), join(desk.stage.root, folder, 'link'));
    const before = await powers();
    for (const value of hostile()) {
      calls = [...table].map(([name, { parameters }]) => [name, filled(parameters, value)]);
      await ask();
    }
    expect(await powers()).toBe(before);
  });

  test('no notebook and no documents can lie in the config or the data folder', async () => {
    await open(LAB + RULES, [['notebook_write_file', { notebook: 'lab', path: 'directors/boss.yaml', content: BOSS }]]);
    const before = await powers();
    await change({ 'settings.yaml': 'roots: { lab: ./config, data: ./data }\n' });
    await ask();
    await change(SETTINGS);
    expect(await powers()).toBe(before);
  });

  test.skipIf(!hasBubblewrap)(
    'a command in a sandbox cannot change or read them, also where they lie in its folder (left out without bubblewrap)',
    async () => {
      const boss = '../config/directors/boss.yaml';
      const script = `cat ${boss} ../.env; echo "enabled: false" >> ${boss}; touch ../data/x made; ls ../data`;
      const files = {
        'tools/shell.yaml': `id: shell\nkind: command\ndescription: Runs.\nargv: [sh, -c, ${JSON.stringify(script)}]\neffects: write\nsandbox: true\ncwd: ./lab\nfolders: [{ path: ., write: true }]\n`,
      };
      const env = (name: string) => (name === 'PATH' ? process.env['PATH'] : 'sk-test-key');
      await open(`tools: [shell]\n${RULES}`, [['shell', {}]], { files, app: { env } });
      writeFileSync(join(desk.stage.root, '.env'), 'KEY=hush\n');
      const before = await powers();
      const id = await ask();
      const { dirThreadId } = await desk.stage.run(id);
      const answer = (await desk.stage.messages(dirThreadId)).find(({ role }) => role === 'tool')?.content ?? '';
      expect(await powers()).toBe(before);
      // The command has run, and has written what it may.
      expect([existsSync(inLab('made')), answer.includes('"exitCode"')]).toEqual([true, true]);
      expect(answer).not.toContain('apiConfigId');
      expect(answer).not.toContain('hush');
      expect(existsSync(join(desk.stage.root, 'data', 'x'))).toBe(false);
    },
  );

  test.each(['./config', './config/directors', './data'])('a command cannot work in %s', async (cwd) => {
    const files = {
      'tools/shell.yaml': `id: shell\nkind: command\ndescription: Runs.\nargv: [touch, x]\ncwd: ${cwd}\neffects: write\n`,
    };
    await open(`tools: [shell]\n${RULES}`, [['shell', {}]], { files });
    expect(desk.stage.app.config.current().tools.has('shell')).toBe(false);
    expect(existsSync(join(desk.stage.root, cwd, 'x'))).toBe(false);
  });
});

/** Arguments for a JSON Schema: `value` as each text, and as each element of a list. */
function filled(schema: unknown, value: string): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, unknown> };
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valueOf(part, value)]));
}

function valueOf(schema: unknown, value: string): unknown {
  const part = schema as {
    type?: string;
    enum?: readonly unknown[];
    items?: unknown;
    const?: unknown;
    minimum?: number;
  };
  if (part.enum !== undefined) return part.enum[0];
  if (part.type === 'object') return filled(part, value);
  if (part.type === 'array') return [valueOf(part.items ?? {}, value)];
  if (part.type === 'integer' || part.type === 'number') return part.minimum ?? 1;
  return part.type === 'boolean' ? true : value;
}
