import { afterEach, expect, test } from 'vitest';
import { openSession, readSession } from '../../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../../engine/src/run/session/take-message.ts';
import { waitUntilSettled } from '../../../engine/src/run/wait-until-settled.ts';
import { readMessages } from '../../../engine/src/run/thread.ts';
import { playModels } from '../harness.ts';
import { setSharedStage, type SharedStage } from '../shared-harness.ts';

let stage: SharedStage;
afterEach(() => stage.close());

const HELPER = 'id: helper\nname: Helper\napiConfigId: main\n';

/** Takes a message in the first process, which works no runs, and waits there. */
async function say(id: string, content: string) {
  const { deps } = stage.apps[0]!;
  const run = await acceptMessage(deps, id, { content, by: 'jane' });
  await waitUntilSettled(deps, run.id, { ms: 30_000 });
  return stage.until(run.id, () => true);
}

test('messages that one process takes are worked by others, on the same thread', async () => {
  const seen = [0, 0, 0];
  stage = await setSharedStage(3, {
    idle: [0],
    files: { 'agents/helper.yaml': HELPER },
    each: (n) => ({
      models: playModels(({ messages }) => {
        seen[n]!++;
        return { content: `${messages.length}` };
      }),
    }),
  });
  const { id } = await openSession(stage.apps[0]!.deps, 'helper', 'jane');
  for (const content of ['one', 'two', 'three', 'four'])
    expect(await say(id, content)).toMatchObject({ status: 'completed' });
  expect((await readMessages(stage.store, id)).filter(({ role }) => role === 'assistant')).toMatchObject(
    ['2', '4', '6', '8'].map((content) => ({ content })),
  );
  expect(seen[0]).toBe(0);
  expect(await readSession(stage.store, id)).toMatchObject({ status: 'ongoing', runId: '' });
  expect(await stage.store.count('lease')).toBe(0);
});

test('the process that took a message learns that another one waits for a limit, without being told', async () => {
  stage = await setSharedStage(2, {
    idle: [0],
    files: { 'agents/helper.yaml': `${HELPER}limits: { requestsPerHour: 1 }\n` },
    each: () => ({ models: playModels(() => ({ content: 'Done.' })) }),
  });
  const { id } = await openSession(stage.apps[0]!.deps, 'helper', 'jane');
  await say(id, 'one');
  expect(await say(id, 'two')).toMatchObject({ status: 'waiting', waitingFor: 'limit', limit: 'agent helper' });
});
