import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkStoredWork } from '../../../engine/src/app/check-stored-work.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { InFlight } from '../../../engine/src/run/in-flight/in-flight.ts';
import { openSession } from '../../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../../engine/src/run/session/take-message.ts';
import { BASIC, call, playModels, setStage, type Stage } from '../harness.ts';

const FILES = {
  'directors/shy.yaml':
    'id: shy\nname: Shy\napiConfigId: main\ntools: [workspace, look]\npermissions: { ask: [workspace_add_item] }\n',
  'directors/auto.yaml':
    'id: auto\nname: Auto\nmode: objective\napiConfigId: main\nagents: [planner]\ntools: [mail]\nobjective: { planner: planner }\n',
  'agents/planner.yaml': 'id: planner\nname: Planner\nprompt: [{ role: system, content: You are planner. }]\n',
  'agents/helper.yaml': 'id: helper\nname: Helper\napiConfigId: main\ntools: [memory]\n',
  'tools/look.yaml':
    'id: look\nkind: http\ndescription: Looks.\nrequest: { method: GET, url: https://example.com }\nparameters: { type: object }\n',
};
const NOTE = call('c1', 'workspace_add_item', { label: 'Note', mimeType: 'text/plain', data: 'x' });

let stage: Stage;
const ids = { run: '', session: '', objective: '' };

beforeAll(async () => {
  const models = playModels(({ actorId, messages, role }) => {
    if (messages.some(({ content }) => content?.includes('You are planner')))
      return { content: JSON.stringify({ action: 'askUser', reason: 'test', question: 'When?' }) };
    if (actorId === 'shy') return { tool_calls: [NOTE] };
    return { content: role === 'director' ? JSON.stringify({ summary: 'A wish.', constraints: {} }) : 'Hello.' };
  });
  stage = await setStage({ models, files: FILES });
  const { deps, engine } = stage.app;
  ids.objective = await stage.begin('auto', 'Wait for Ann');
  ids.run = await stage.begin('shy');
  ids.session = (await openSession(deps, 'helper', 'jane')).id;
  const said = await acceptMessage(deps, ids.session, { content: 'Hi', by: 'jane' });
  engine.queued();
  await stage.ended(said.id);
  await stage.until(ids.run, ({ waitingFor }) => waitingFor === 'approval');
  await stage.until(ids.objective, ({ waitingFor }) => waitingFor === 'answer');
});
afterAll(() => stage.close());
beforeEach(() => stage.write({ ...BASIC, ...FILES }));

/** What becomes of the open work under the files as they are now; the server of the stage works on. */
async function check(): Promise<Readonly<Record<keyof typeof ids, InFlight | undefined>>> {
  const found = await checkStoredWork({
    ...{ configDir: join(stage.root, 'config'), dataDir: join(stage.root, 'data') },
    ...{ env: (name) => (name === 'KEY' ? 'sk-test-key' : undefined), redactor: createRedactor() },
  });
  expect(found).toHaveLength(3);
  const of = (id: string) => found?.find((one) => one.id === id);
  return { run: of(ids.run), session: of(ids.session), objective: of(ids.objective) };
}

test('work goes on as before under the config that it began with', async () => {
  expect(await check()).toEqual({
    run: { kind: 'run', id: ids.run, actor: 'director shy', status: 'waiting', fate: 'same', reasons: [] },
    session: { kind: 'session', id: ids.session, actor: 'agent helper', status: 'ongoing', fate: 'same', reasons: [] },
    objective: {
      ...{ kind: 'objective', id: ids.objective, actor: 'director auto', status: 'waiting', fate: 'same', reasons: [] },
    },
  });
});

test('a run changes by stricter permissions and tools that are gone, never by looser ones', async () => {
  stage.write({
    'directors/shy.yaml': FILES['directors/shy.yaml'].replace('ask:', 'deny:'),
    'tools/look.yaml': `${FILES['tools/look.yaml']}enabled: false\n`,
  });
  expect((await check()).run).toMatchObject({
    fate: 'changes',
    reasons: [
      'look is gone from the config',
      'workspace_add_item of director shy is denied and no longer asks: director shy: permissions.deny has "workspace_add_item"',
      expect.stringMatching(
        /^the call of workspace_add_item that waits for a person \(\S+\) is denied by director shy \(newest\)$/,
      ),
    ],
  });
  stage.write({ ...FILES, 'directors/shy.yaml': FILES['directors/shy.yaml'].replace('ask:', 'allow:') });
  expect((await check()).run).toMatchObject({ fate: 'same', reasons: [] });
});

test('a session takes the newest agent, and is refused where there is none', async () => {
  stage.write({ 'agents/helper.yaml': FILES['agents/helper.yaml'].replace('[memory]', '[workspace]') });
  const { reasons = [] } = (await check()).session ?? {};
  expect(reasons[0]).toBe('the next message takes the new version of agents/helper');
  expect(reasons).toContain('memory_add of agent helper is no longer offered');
  expect(reasons).toContain('workspace_add_item of agent helper is new and runs');
  stage.write({ 'agents/helper.yaml': `${FILES['agents/helper.yaml']}enabled: false\n` });
  expect((await check()).session).toMatchObject({
    ...{ fate: 'refused', code: 'NOT_FOUND', reasons: ['there is no agent "helper"'] },
  });
});

test('an objective takes the newest config, or goes on as it was without its director or api', async () => {
  stage.write({ 'directors/auto.yaml': FILES['directors/auto.yaml'].replace('mode: objective', 'mode: orchestrate') });
  expect((await check()).objective).toMatchObject({
    fate: 'changes',
    reasons: ['its director has mode orchestrate now', 'the next wake takes the new version of directors/auto'],
  });
  stage.write({ 'directors/auto.yaml': `${FILES['directors/auto.yaml']}enabled: false\n` });
  expect((await check()).objective).toMatchObject({
    ...{ fate: 'changes', reasons: ['its director was deleted or disabled: it goes on as it was'] },
  });
  stage.write({ ...FILES, 'apis/main.yaml': `${BASIC['apis/main.yaml']}enabled: false\n` });
  expect((await check()).objective).toMatchObject({
    reasons: ['its director was deleted or disabled: it goes on as it was'],
  });
});

test('a machine of a version that this one does not know is refused', async () => {
  const { store } = stage.app.deps;
  const version = (value: string) =>
    store.apply([{ op: 'update', table: 'machine', key: { id: ids.run }, set: { version: value } }]);
  const stored = (await store.get('machine', { id: ids.run }))?.version ?? '';
  await version('99');
  try {
    expect((await check()).run).toMatchObject({ fate: 'refused', code: 'MACHINE_VERSION' });
  } finally {
    await version(stored);
  }
});
