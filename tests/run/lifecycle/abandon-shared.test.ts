import { afterEach, expect, test } from 'vitest';
import type { Store } from '../../../engine/src/store/store.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';
import { call, type Play, playModels } from '../harness.ts';
import { setSharedStage, type SharedStage } from '../shared-harness.ts';

let stage: SharedStage;
afterEach(() => stage.close());

/** The store as a process reads it that does not know the version of the machine of a session. */
function unknowing(store: Store): Store {
  const known = store.get.bind(store);
  const get: Store['get'] = async (table, key) => {
    const row = await known(table, key);
    return row !== undefined && 'kind' in row && row.kind === 'session' ? { ...row, version: '99' } : row;
  };
  return Object.assign(
    withApply(store, (changes) => store.apply(changes)),
    { get },
  );
}

test('a run that a process ends which cannot read a machine of it does not go on in another one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const play: Play = async ({ turn, actorId }) => {
    asked.push(`${actorId} ${turn}`);
    if (actorId === 'boss') return { tool_calls: [call('a', 'agent__helper', { input: 'x' })] };
    await promise;
    return turn < 3 ? { tool_calls: [call('b', 'no_such_tool', {})] } : { content: 'Done.' };
  };
  stage = await setSharedStage(2, {
    idle: [0],
    each: () => ({ models: playModels(play) }),
    storeOf: (store, n) => (n === 0 ? unknowing(store) : store),
  });
  const id = await stage.begin();
  await expect.poll(() => asked).toEqual(['boss 1', 'helper 1']);
  await stage.apps[0]!.engine.cancel(id);
  expect(await stage.ended(id)).toMatchObject({ status: 'cancelled', error: { code: 'MACHINE_VERSION' } });
  resolve();
  await expect.poll(() => stage.apps[1]!.engine.load()).toMatchObject({ effects: 0, working: 0 });
  expect(asked).toEqual(['boss 1', 'helper 1']);
  expect(await stage.ended(id)).toMatchObject({ status: 'cancelled' });
  expect(await stage.store.count('machine', [['status', '!=', 'done']])).toBe(0);
  expect(await stage.store.count('lease')).toBe(0);
});
