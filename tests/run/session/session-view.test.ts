import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { openSession, readSession, viewSession } from '../../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../../engine/src/run/session/take-message.ts';
import { call, type Play, playModels, setStage, type Stage } from '../harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const FILES = {
  'settings.yaml': 'roots: { lab: ./lab }\n',
  'agents/helper.yaml': `id: helper
name: Helper
apiConfigId: main
tools: [notebook]
scope: { notebooks: [lab], operations: [read, write, create] }
permissions: { allow: [notebook_create_file, notebook_write_file] }
`,
};

/** A stage on which the agent writes; returns the id of a session. */
async function open(play: Play): Promise<string> {
  stage = await setStage({ files: FILES, models: playModels(play) });
  mkdirSync(join(stage.root, 'lab'), { recursive: true });
  return (await openSession(stage.app.deps, 'helper', 'jane')).id;
}

async function say(id: string, content: string): Promise<string> {
  const run = await acceptMessage(stage.app.deps, id, { content, by: 'jane' });
  stage.app.engine.queued();
  return run.id;
}

const view = async (id: string) =>
  viewSession(stage.app.deps, await readSession(stage.app.deps.store, id), { messages: false });

/** Writes the file that the person names, then says so. */
const writes: Play = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: 'Written.' };
  const path = String(last?.content);
  return { tool_calls: [call('a', 'notebook_create_file', { path, content: `text of ${path}` })] };
};

test('a session counts tokens, calls and changed files over all its messages', async () => {
  const id = await open(writes);
  expect(await view(id)).toMatchObject({ status: 'pending', tokensUsed: 0, apiCallsMade: 0, filesModified: [] });
  await stage.ended(await say(id, '/a.md'));
  expect(await view(id)).toMatchObject({ tokensUsed: 22, apiCallsMade: 2, filesModified: ['lab:/a.md'] });
  await stage.ended(await say(id, '/b.md'));
  expect(await view(id)).toMatchObject({
    status: 'completed',
    threadStatus: 'ongoing',
    tokensUsed: 44,
    apiCallsMade: 4,
    filesModified: ['lab:/a.md', 'lab:/b.md'],
  });
});

test('a session counts also while the agent works, and goes on after a restart of the process', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const id = await open(async (request) => {
    if (request.messages.at(-1)?.role === 'tool') await promise;
    return writes(request);
  });
  const runId = await say(id, '/a.md');
  const isHeld = async () => (await view(id)).filesModified.length > 0;
  await expect.poll(isHeld).toBe(true);
  expect(await view(id)).toMatchObject({ status: 'running', tokensUsed: 11, apiCallsMade: 1 });
  await stage.restart({ models: playModels(writes) });
  resolve();
  expect((await stage.ended(runId)).status).toBe('completed');
  expect(await view(id)).toMatchObject({ status: 'completed', apiCallsMade: 2, filesModified: ['lab:/a.md'] });
  await stage.ended(await say(id, '/b.md'));
  expect(await view(id)).toMatchObject({ apiCallsMade: 4, filesModified: ['lab:/a.md', 'lab:/b.md'] });
});

test('a session whose newest message failed says why, until one succeeds', async () => {
  let isDown = true;
  const id = await open((request) => {
    if (isDown) throw new ModelError('MODEL_AUTH', 'the key is wrong');
    return writes(request);
  });
  await stage.ended(await say(id, '/a.md'));
  expect(await view(id)).toMatchObject({ status: 'failed', error: { code: 'MODEL_AUTH' } });
  isDown = false;
  await stage.ended(await say(id, '/a.md'));
  expect(await view(id)).toMatchObject({ status: 'completed' });
  expect(await view(id)).not.toHaveProperty('error');
});
