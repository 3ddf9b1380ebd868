import { afterEach, expect, test } from 'vitest';
import { readObjective } from '../../../engine/src/run/objective/objective-rows.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { wakeChanges } from '../../../engine/src/run/objective/wake.ts';
import type { Change, Store } from '../../../engine/src/store/store.ts';
import { nextTry } from '../../next-try.ts';
import { setStage } from '../harness.ts';
import { setSharedStage } from '../shared-harness.ts';
import { waitingMode } from './waiting-machine.ts';

let close = async () => {};
afterEach(() => close());

const reply = (id: string, text: string): Change[] =>
  wakeChanges(id, text, { why: 'reply', at: new Date().toISOString(), text }, Date.now());

/** The objective, once so many wakes have arrived. */
async function woken(store: Store, id: string, count: number): Promise<Objective> {
  for (let tries = 0; ; tries++) {
    const objective = await readObjective(store, id);
    if (objective !== undefined && objective.unread.length >= count) return objective;
    if (tries > 5000) throw new Error(`still ${objective?.unread.length} wakes`);
    await nextTry(tries);
  }
}

const texts = ({ unread }: Objective) => unread.map(({ text }) => text).sort();

test('a wake arrives once, whichever of several processes stores it, and whichever works on the objective', async () => {
  const stage = await setSharedStage(3, { each: () => ({ modes: [waitingMode] }) });
  ({ close } = stage);
  const ids = await Promise.all(Array.from({ length: 4 }, () => stage.begin()));
  for (const id of ids) await stage.until(id, ({ status }) => status === 'waiting');
  for (const id of ids) {
    const outcomes = await Promise.allSettled(
      stage.apps.flatMap(({ deps }) => ['one', 'two'].map((text) => deps.store.apply(reply(id, text)))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  }
  for (const id of ids) expect(texts(await woken(stage.store, id, 2))).toEqual(['one', 'two']);
  expect(await stage.store.count('timer')).toBe(0);
});

test('a wake that was stored when the process ended arrives after the restart, once', async () => {
  const stage = await setStage({ modes: [waitingMode] });
  ({ close } = stage);
  const id = await stage.begin();
  await stage.until(id, ({ status }) => status === 'waiting');
  await stage.app.deps.store.apply(reply(id, 'while it ended'));
  await stage.restart();
  expect(texts(await woken(stage.app.deps.store, id, 1))).toEqual(['while it ended']);
  await stage.restart();
  expect(texts(await woken(stage.app.deps.store, id, 1))).toEqual(['while it ended']);
  await expect(stage.app.deps.store.apply(reply(id, 'while it ended'))).rejects.toMatchObject({
    code: 'STORE_CONFLICT',
  });
});
