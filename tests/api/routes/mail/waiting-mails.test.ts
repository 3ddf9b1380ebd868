import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingMails } from '../../../../engine/src/api/routes/mail/mail-state.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({
    files: { 'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [ask_user]\n' },
    play: () => ({ tool_calls: [call('q', 'ask_user', { question: 'Which day?' })] }),
  });
  desk.drop('Question.eml', letter('Question'));
  await desk.fetch();
});
afterAll(() => desk.close());

test('waiting runs are read in batches, all of them', async () => {
  const { store } = desk.services.deps;
  const [row] = await store.list('run', { where: [['status', '=', 'waiting']] });
  if (row === undefined) throw new Error('no run waits');
  for (let i = 0; i < 250; i++)
    await store.apply([{ op: 'insert', table: 'run', row: { ...row, id: `run_0${i}`, mail: `mail_${i}` } }]);
  const limits: (number | undefined)[] = [];
  const list: typeof store.list = (table, query) => {
    limits.push(query?.limit);
    return store.list(table, query);
  };
  expect((await waitingMails({ ...store, list })).size).toBe(251);
  expect(limits).toEqual([100, 100, 100]);
});
