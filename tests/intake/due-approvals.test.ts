import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { readApproval } from '../../engine/src/guard/approval.ts';
import { listNotifications } from '../../engine/src/notification/notification-rows.ts';
import { call, playModels, setStage, type Stage } from '../run/harness.ts';

/** 2026-11-22T12:00:00Z. */
const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let stage: Stage;
let clock: SimulatedClock;
afterEach(() => stage.close());

const BOSS = 'id: boss\nname: Boss\napiConfigId: main\npermissions: { ask: [workspace_add_item] }\n';

/** A run that waits for a person, under these settings. */
async function waits(settings: string, boss = '') {
  clock = new SimulatedClock(NOW);
  stage = await setStage({
    clock,
    files: { 'settings.yaml': settings, 'directors/boss.yaml': BOSS + boss },
    models: playModels(({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', 'workspace_add_item', { data: 'x' })] } : { content: 'Done.' },
    ),
  });
  stage.app.notices.start();
  const id = await stage.begin();
  await stage.until(id, ({ status }) => status === 'waiting');
  const [row] = await stage.app.deps.store.list('approval');
  return { id, approvalId: row?.id ?? '', due: row?.due };
}

/** The run, once it is over. The clock goes on, since what is due may be looked for a moment later. */
async function ended(id: string) {
  const isOver = async () => (await stage.run(id)).status === 'completed' || (clock.advance(1), false);
  await expect.poll(isOver).toBe(true);
  return stage.run(id);
}

const approvalOf = (id: string) => readApproval(stage.app.deps.store, id);
const told = async () => {
  const notifications = await listNotifications(stage.app.deps.store, { limit: 100 });
  return notifications.map(({ title, isEscalation }) => [title, isEscalation === true]);
};
const answerOf = async (id: string) => {
  const messages = await stage.messages((await stage.run(id)).dirThreadId);
  return JSON.parse(String(messages.find(({ role }) => role === 'tool')?.content)) as object;
};

describe('an approval', () => {
  test('never expires by default', async () => {
    const { id, due } = await waits('');
    expect(due).toBe(0);
    clock.advance(2 * DAY);
    expect(await stage.run(id)).toMatchObject({ status: 'waiting' });
  });

  test('expires after the days of the settings; nothing is done, and the model reads that nobody denied it', async () => {
    const { id, approvalId } = await waits('approvals: { expireAfterDays: 2 }\n');
    expect(await approvalOf(approvalId)).toMatchObject({ expiresAt: '2026-11-24T12:00:00.000Z' });
    clock.advance(2 * DAY - 1);
    expect(await stage.run(id)).toMatchObject({ status: 'waiting' });
    clock.advance(1);
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    expect(await approvalOf(approvalId)).toMatchObject({
      status: 'expired',
      decidedAt: expect.stringMatching(/^2026-11-24T12:00:00/),
    });
    expect(await answerOf(id)).toMatchObject({
      error: { code: 'APPROVAL_EXPIRED', message: expect.stringContaining('Nobody has denied it') },
    });
  });

  test('expires at the next start where nothing ran when it was due', async () => {
    const { id, approvalId } = await waits('approvals: { expireAfterDays: 2 }\n');
    await stage.restart();
    clock.advance(3 * DAY);
    stage.app.notices.start();
    await ended(id);
    expect(await approvalOf(approvalId)).toMatchObject({ status: 'expired' });
  });

  test('cannot be answered any more after it was due, also where nothing has ended it yet', async () => {
    const { id, approvalId } = await waits('approvals: { expireAfterDays: 2 }\n');
    await stage.app.notices.stop();
    clock.advance(2 * DAY);
    await expect(stage.app.engine.decide(approvalId, { decision: 'allow', by: 'jane' })).rejects.toMatchObject({
      code: 'APPROVAL_EXPIRED',
    });
    await ended(id);
    expect(await approvalOf(approvalId)).toMatchObject({ status: 'expired' });
  });

  test('of a director expires as the director says', async () => {
    const { due } = await waits('approvals: { expireAfterDays: 2 }\n', 'approvals: { expireAfterDays: 0.5 }\n');
    expect(due).toBe(NOW + 12 * HOUR);
  });

  test('escalates once, waits on, and then expires', async () => {
    const { id, approvalId } = await waits('approvals: { expireAfterDays: 2, escalateTo: { afterHours: 3 } }\n');
    clock.advance(3 * HOUR);
    await expect.poll(told).toEqual([
      ['Boss still waits to call workspace_add_item', true],
      ['Boss asks to call workspace_add_item', false],
    ]);
    expect(await approvalOf(approvalId)).toMatchObject({ status: 'pending', escalatedAt: '2026-11-22T15:00:00.000Z' });
    clock.advance(2 * DAY);
    await ended(id);
    expect(await told()).toHaveLength(2);
    expect(await approvalOf(approvalId)).toMatchObject({ status: 'expired' });
  });

  test('that was answered does not escalate', async () => {
    const { id, approvalId } = await waits('approvals: { escalateTo: { afterHours: 3 } }\n');
    await stage.app.engine.decide(approvalId, { decision: 'deny', by: 'jane' });
    await ended(id);
    clock.advance(DAY);
    await stage.app.notices.stop();
    expect(await told()).toHaveLength(1);
  });
});
