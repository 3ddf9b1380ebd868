import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isoTime, SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { objectiveStage, untilMoved } from './players.ts';

const HOUR = 3_600_000;
const OFFICE = '{ start: "09:00", end: "17:00", days: [mon, tue, wed, thu, fri] }';

test('a follow-up that a pause has held up until the evening leaves when the working hours begin', async () => {
  // A Monday, ten o'clock in Berlin.
  const clock = new SimulatedClock(Date.parse('2026-11-02T09:00:00Z'));
  const stage = await objectiveStage(`followUp: { afterHours: 2, workingHours: ${OFFICE} }, sendDrafts: allow`, {
    clock,
  });
  const until = (state: (objective: Objective) => boolean) => untilMoved(stage, clock, state);
  const sent = () => readdirSync(join(stage.root, 'outbox')).length;
  stage.answer = (role) => {
    if (role === 'intake') return { summary: 'Ann was asked.', dates: [], names: [], openQuestions: [], wishes: [] };
    return role === 'planner' ? { action: 'draft', reason: 'it is time', instructions: 'ask' } : 'What do you think?';
  };
  try {
    await stage.fetch(stage.mail('1', { labels: ['Autopilot'], text: 'Do you want it?' }));
    const { id } = await until(({ waitingFor }) => waitingFor === 'answer');
    await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
    await until(({ waitingFor }) => waitingFor === 'reply');
    await stage.app.engine.orderObjective(id, { type: 'PAUSE', by: 'user' });
    clock.advance(13 * HOUR);
    await stage.app.engine.orderObjective(id, { type: 'RESUME', by: 'user' });
    const waits = await until(({ waitingFor, wakes }) => waitingFor === 'reply' && wakes > 2);
    expect(waits.history.at(-1)?.text).toBe('The follow-up waits for the working hours, until Tue 3 Nov 2026, 09:00');
    expect(waits.followUp).toMatchObject({ sent: 0, nextAt: '2026-11-03T08:00:00.000Z' });
    expect(sent()).toBe(1);
    clock.advance(Date.parse('2026-11-03T08:00:00Z') - clock.now());
    await until(({ followUp, waitingFor }) => followUp.sent === 1 && waitingFor === 'reply');
    expect(sent()).toBe(2);
    expect(isoTime(clock.now())).toMatch(/^2026-11-03T08:/);
  } finally {
    await stage.close();
  }
});
