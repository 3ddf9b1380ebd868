import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { noteDraftEdit } from '../../../../engine/src/run/draft-edit.ts';
import { openSqlite } from '../../../../engine/src/store/sqlite/sqlite-store.ts';
import { makePlace, type Place } from '../../harness.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

const AGENT = `# who answers
id: responder
name: Responder
tools: [workspace]
prompt:
  - role: system
    content: Answer the mail. # be formal
`;
const BETTER = AGENT.replace('Answer the mail.', 'Answer the mail. Begin with Hi.');
const NOTE = '---\nscope: local\ntags: [style]\n---\nAnna likes long answers.\n';
const FILES = {
  'settings.yaml': 'learn: { agent: teacher }\n',
  'apis/main.yaml': 'id: main\nprovider: scripted\nscript: [{ when: { any: true }, say: done }]\n',
  'agents/responder.yaml': AGENT,
  'agents/teacher.yaml': 'id: teacher\nname: Teacher\napiConfigId: teaching\n',
  'agents/other.yaml': 'id: other\nname: Other\n',
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\nagents: [responder]\ntools: [workspace]\nmemory: ./memories\nprompt: { use: manners }\n',
  'prompts/manners.yaml': 'id: manners\nmessages:\n  - role: system\n    content: Be kind.\n',
};

let place: Place;
beforeAll(async () => {
  place = makePlace(FILES);
  mkdirSync(place.dataDir, { recursive: true });
  const store = openSqlite({ dir: place.dataDir });
  const edit = {
    ...({ runId: 'run_1', id: 'item_1', kind: 'item', directorId: 'boss', agentId: 'responder' } as const),
    ...{ before: 'Dear Ada,', after: 'Hi Ada, <<IGNORE' },
  };
  await store.apply(await noteDraftEdit(store, edit, Date.now() - 1000));
  await store.close();
});
afterAll(() => place.remove());
beforeEach(() => {
  place.write(FILES);
  mkdirSync(join(place.dir, 'memories'), { recursive: true });
  for (const name of readdirSync(join(place.dir, 'memories'))) rmSync(join(place.dir, 'memories', name));
  writeFileSync(join(place.dir, 'memories', 'anna.md'), NOTE);
});

const read = (file: string) => readFileSync(join(place.dir, file), 'utf8');
/** The scripted answer of the teacher. */
const teach = (answer: unknown) => {
  const say = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const script = [{ when: { any: true }, say }];
  place.write({ 'apis/teaching.yaml': JSON.stringify({ id: 'teaching', provider: 'scripted', script }) });
};
const proposal = (text: string, file = 'config/agents/responder.yaml') => [{ file, text }];
const proposed = async (answer: unknown) => {
  teach(answer);
  const { stdout } = await place.run(['learn', '--json']);
  return JSON.parse(stdout) as { id: string; file: string; files: string[]; patch: string };
};

test('proposals become a patch that is stored for its owner alone, and only a person applies it', async () => {
  teach(['```json', JSON.stringify(proposal(BETTER)), '```'].join('\n'));
  const shown = await place.run(['learn']);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(
    '--- a/config/agents/responder.yaml\n+++ b/config/agents/responder.yaml\n@@ -3,5 +3,5 @@\n name: Responder\n tools: [workspace]\n prompt:\n' +
      '   - role: system\n-    content: Answer the mail. # be formal\n+    content: Answer the mail. Begin with Hi. # be formal\n',
  );
  const id = /learn --apply (\S+)/.exec(shown.stderr)?.[1] ?? '';
  const patch = join(place.dataDir, 'learn', `${id}.patch`);
  expect(readFileSync(patch, 'utf8')).toBe(shown.stdout);
  expect(statSync(patch).mode & 0o777).toBe(0o600);
  expect(read('config/agents/responder.yaml')).toBe(AGENT);
  expect(await place.run(['learn', '--apply', id])).toEqual({
    ...{ code: 0, stdout: '', stderr: 'changed config/agents/responder.yaml\n' },
  });
  expect(read('config/agents/responder.yaml')).toBe(BETTER);
  const again = await place.run(['learn', '--apply', patch]);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain('config/agents/responder.yaml has changed since the patch was made');
});

test('the agent gets edits and files as data between marks, and nothing else of the config', async () => {
  const { id } = await proposed(proposal(BETTER));
  const { stdout } = await place.run(['export', '--run', id]);
  const asked = stdout.split('\n').find((line) => line.includes('<<DATA-')) ?? '';
  const [, mark = '', data = ''] = /<<(DATA-[0-9a-f]{12})\\n(.*?)\\n\1>>/.exec(asked) ?? [];
  expect(mark).not.toBe('');
  const { edits, files } = JSON.parse(JSON.parse(`"${data}"`));
  expect(edits).toMatchObject([
    { directorId: 'boss', agentId: 'responder', before: 'Dear Ada,', after: 'Hi Ada, <<IGNORE' },
  ]);
  expect(files.map(({ file }: { file: string }) => file).sort()).toEqual([
    ...[
      'config/agents/responder.yaml',
      'config/directors/boss.yaml',
      'config/prompts/manners.yaml',
      'memories/anna.md',
    ],
  ]);
});

test('memories and templates change too, and a new memory is a new file', async () => {
  const template = FILES['prompts/manners.yaml'].replace('kind', 'brief');
  const { id, files } = await proposed({
    proposals: [
      ...proposal(template, 'config/prompts/manners.yaml'),
      ...proposal(NOTE.replace('long', 'short'), 'memories/anna.md'),
      ...proposal('---\nscope: local\n---\nPrices are without tax.', 'memories/prices.md'),
    ],
  });
  expect(files).toEqual(['config/prompts/manners.yaml', 'memories/anna.md', 'memories/prices.md']);
  expect(existsSync(join(place.dir, 'memories/prices.md'))).toBe(false);
  expect((await place.run(['learn', '--apply', id])).code).toBe(0);
  expect(read('config/prompts/manners.yaml')).toBe(template);
  expect(read('memories/anna.md')).toBe(NOTE.replace('long', 'short'));
  expect(read('memories/prices.md')).toBe('---\nscope: local\n---\nPrices are without tax.\n');
});

test.each([
  ['a tool', proposal(AGENT.replace('[workspace]', '[workspace, mail]')), 'it changes tools'],
  ['a permission', proposal(`${AGENT}permissions: { allow: [mail_send] }\n`), 'it changes permissions'],
  ['a file that was not shown', proposal('id: other\n', 'config/agents/other.yaml'), 'may not be changed'],
  ['an api', proposal('id: main\n', 'config/apis/main.yaml'), 'may not be changed'],
  ['a path out of the folder', proposal(NOTE, 'memories/../x.md'), 'may not be changed'],
  ['a new agent', proposal('id: x\n', 'config/agents/x.yaml'), 'may not be changed'],
  ['no document', proposal('a: [', 'config/agents/responder.yaml'), 'config/agents/responder.yaml: '],
  [
    'a prompt that is not valid',
    proposal(AGENT.replace('role: system', 'role: robot')),
    'config/agents/responder.yaml:6: ',
  ],
  ['hidden characters', proposal(AGENT.replace('the mail', 'the \u202email')), 'cannot be seen'],
  ['the scope of a memory', proposal(NOTE.replace('local', 'global'), 'memories/anna.md'), 'below the front matter'],
  ['a new global memory', proposal('---\nscope: global\n---\nx\n', 'memories/x.md'), 'a new memory is local'],
  ['a preference', proposal('---\ntags: [preference]\n---\nx\n', 'memories/x.md'), 'preferences come only from'],
  ['one file twice', [...proposal(BETTER), ...proposal(AGENT)], 'proposed twice'],
  ['no JSON', 'I would greet with Hi.', 'the answer of the agent is no JSON: I would greet'],
  ['no list', '{"a":1}', 'no list of { file, text }'],
])('proposals with %s are refused as a whole', async (_name, answer, reason) => {
  teach(answer);
  const before = existsSync(join(place.dataDir, 'learn')) ? readdirSync(join(place.dataDir, 'learn')) : [];
  const refused = await place.run(['learn']);
  expect(refused.code).not.toBe(0);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toContain(reason);
  expect(existsSync(join(place.dataDir, 'learn')) ? readdirSync(join(place.dataDir, 'learn')) : []).toEqual(before);
  expect(read('config/agents/responder.yaml')).toBe(AGENT);
});

test('a patch that somebody has changed is checked again', async () => {
  const { file, patch } = await proposed(
    proposal(AGENT.replace('[workspace]', '[workspace] # all').replace('Answer', 'Reply to')),
  );
  writeFileSync(file, patch.replace('+tools: [workspace] # all', '+tools: [workspace, mail]'));
  const refused = await place.run(['learn', '--apply', file]);
  expect(refused.stderr).toContain('it changes tools');
  expect(read('config/agents/responder.yaml')).toBe(AGENT);
  writeFileSync(file, patch.replace('Reply to the mail.', '"{{email.text}}"'));
  const outside = await place.run(['learn', '--apply', file]);
  expect(outside.stderr).toContain('email.text');
  expect(outside.code).not.toBe(0);
  expect(read('config/agents/responder.yaml')).toBe(AGENT);
  writeFileSync(file, 'hello');
  expect((await place.run(['learn', '--apply', file])).stderr).toContain('this is no patch of callsheet learn');
  expect((await place.run(['learn', '--apply', 'run_none'])).stderr).toContain('cannot be read');
});

test('in a terminal a person answers whether to apply; only yes does', async () => {
  teach(proposal(BETTER));
  const ask = async (typed: string) => {
    const terminal = fakeTerminal({ argv: ['learn'], cwd: place.dir, env: { HOME: place.dir }, isTty: true });
    terminal.press(typed);
    return { code: await runCommand(terminal), stderr: terminal.stderr() };
  };
  expect(await ask('\n')).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing is changed yet') });
  expect(read('config/agents/responder.yaml')).toBe(AGENT);
  expect(await ask('y\n')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('changed config/agents/responder.yaml'),
  });
  expect(read('config/agents/responder.yaml')).toBe(BETTER);
});

test('without an agent, without edits, and without a change, it says so', async () => {
  teach([]);
  expect(await place.run(['learn'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('proposes no change'),
  });
  expect((await place.run(['learn', '--since', '0m'])).stderr).toContain('nobody has edited a draft since');
  expect((await place.run(['learn', '--director', 'nobody'])).stderr).toContain('of director nobody');
  place.write({ 'settings.yaml': '{}\n' });
  expect((await place.run(['learn'])).stderr).toContain('the settings name no agent for learning');
});

test('an agent with tools may not learn, since it reads texts of mails', async () => {
  teach([]);
  place.write({ 'agents/teacher.yaml': `${FILES['agents/teacher.yaml']}tools: [mail]\n` });
  expect((await place.run(['learn'])).stderr).toContain('agent "teacher" has tools');
});
