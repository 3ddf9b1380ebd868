import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { setStage, type Stage } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

/** The research assistant of the examples, without its prompt. */
const ASSISTANT = `id: research-assistant
name: Research assistant
description: Works on notebook files within its scope, on its own or for a director.
apiConfigId: main
tools: [notebook]
scope:
  notebooks: [lab]
  folders: [/experiments/*, /notes]
  fileTypes: ["*.md", "*.txt", "*.json"]
  operations: [read, write, create]
permissions:
  allow: [notebook_read_file, notebook_list_files, notebook_search_content, notebook_get_metadata]
  ask: [notebook_write_file, notebook_create_file, notebook_update_properties]
  deny: [notebook_delete_file]
limits: { requestsPerHour: 50, maxTokensPerRequest: 4000 }
budget: { maxIterations: 20 }
`;

const SCOPE = `You work on files in the notebook lab. You can:
- read, list and search files
- change files and their properties (a person must confirm each call)
- create new files (a person must confirm each call)
You can access these folders: /experiments/*, /notes, and there only these file names: *.md, *.txt, *.json.
Explain what you are going to change before you change it.
If a task is outside this scope, say what you cannot do and why.
Respect how the notebook is organised.`;

const SCRIPT = `id: main
provider: scripted
script:
  - when: { role: director, turn: 1 }
    call: { tool: agent__research-assistant, arguments: { input: Sum up the experiments. } }
  - when: { role: agent, turn: 1 }
    call: { tool: notebook_search_content, arguments: { query: seedlings } }
  - when: { role: agent, turn: 2 }
    call: { tool: notebook_create_file, arguments: { path: /notes/summary.md, content: "They grow.\\n" } }
  - when: { any: true }
    say: done
`;

async function open(prompt: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  stage = await setStage({
    log: silentLogger,
    files: {
      'settings.yaml': 'roots: { lab: ./notebooks/lab }\n',
      'apis/main.yaml': SCRIPT,
      'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [research-assistant]\n',
      'agents/research-assistant.yaml': ASSISTANT + prompt,
      ...more,
    },
  });
  mkdirSync(join(stage.root, 'notebooks/lab/experiments/1'), { recursive: true });
  writeFileSync(join(stage.root, 'notebooks/lab/experiments/1/log.md'), 'The seedlings grow.\n');
}

async function firstOfAgent(): Promise<string> {
  const threads = await stage.app.deps.store.list('thread', { where: [['kind', '=', 'agent']] });
  const [first] = await stage.messages(threads[0]?.id ?? '');
  return String(first?.content);
}

test('a run of the research assistant with the scripted model searches, asks before it writes, and has its scope in its prompt', async () => {
  await open('prompt:\n  - { role: system, content: "You help with a laboratory journal. {{scope}}" }\n');
  expect(stage.app.config.problems().filter(({ file }) => file.includes('research'))).toEqual([]);
  const run = await stage.begin();
  await stage.until(run, ({ status }) => status === 'waiting');
  expect(await firstOfAgent()).toBe(`You help with a laboratory journal. ${SCOPE}`);
  const [approval] = await stage.app.deps.store.list('approval');
  expect(JSON.parse(approval?.body ?? '{}')).toMatchObject({ tool: 'notebook_create_file', status: 'pending' });
  await stage.app.engine.decide(approval?.id ?? '', { decision: 'allow', by: 'jane' });
  expect((await stage.ended(run)).status).toBe('completed');
  const changes = await stage.app.deps.store.list('fileChange');
  expect(changes.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { path: '/notes/summary.md', operation: 'create', author: { by: 'agent', agentId: 'research-assistant' } },
  ]);
});

test('an agent without a system message gets one of its name, its description and its scope', async () => {
  await open('');
  const run = await stage.begin();
  await stage.until(run, ({ status }) => status === 'waiting');
  expect(await firstOfAgent()).toBe(
    `You are Research assistant. Works on notebook files within its scope, on its own or for a director.\n\n${SCOPE}`,
  );
});

test('a director that denies a tool takes the operation out of the text', async () => {
  await open('', {
    'directors/boss.yaml':
      'id: boss\nname: Boss\napiConfigId: main\nagents: [research-assistant]\npermissions: { deny: [notebook_write_file, notebook_update_properties], ask: ["notebook_*"] }\n',
  });
  const run = await stage.begin();
  await stage.until(run, ({ status }) => status === 'waiting');
  const text = await firstOfAgent();
  expect(text).not.toContain('change files');
  expect(text).toContain('read, list and search files (a person must confirm each call)');
});
