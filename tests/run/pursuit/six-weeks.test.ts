import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Models } from '../../../engine/src/model/model.ts';
import { wakeChanges } from '../../../engine/src/run/objective/wake.ts';
import type { Objective, WakeNote } from '../../../engine/src/run/objective/objective.ts';
import { nextTry, PATIENCE_MS } from '../../next-try.ts';
import { director, type ObjectiveStage, objectiveStage } from './players.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Monday, 9:00 in Berlin; the clocks change on 25 October. */
const START = Date.parse('2026-10-12T07:00:00Z');
const KEYS = 'followUp: { afterHours: 72, max: 2 }, sendDrafts: never, maxDays: 60';

const clock = new SimulatedClock(START);
let stage: ObjectiveStage;
let restarts = 0;
/** Set while a piece of work hangs until the process is gone. */
let isHanging = false;
const interrupted = new Set<string>();

/** The first attempt of each piece of work never ends: only a restart goes on with it. */
function hangOnce(key: string): Promise<never> | undefined {
  if (interrupted.has(key)) return undefined;
  interrupted.add(key);
  isHanging = true;
  return new Promise(() => {});
}

/** Models that hang once at each request, and once where a wake looks whether they can be reached. */
function hanging(models: Models): Models {
  return {
    ...models,
    open: (api) => {
      const model = models.open(api);
      return {
        ...model,
        ask: async (request) => {
          await hangOnce(`ask ${request.messages.at(-1)?.content ?? ''}`);
          return model.ask(request);
        },
        available: async (options) => {
          await hangOnce(`available ${clock.now()}`);
          return model.available(options);
        },
      };
    },
  };
}

beforeAll(async () => {
  stage = await objectiveStage(KEYS, { clock }, hanging);
});
afterAll(() => stage.close());

/** Works until the objective waits for this, or is over, and restarts the process wherever it hangs. */
async function until(waitingFor: Objective['waitingFor'] | 'done'): Promise<Objective> {
  for (let tries = 0, began = Date.now(); ; tries++) {
    if (isHanging) {
      isHanging = false;
      await restart();
    }
    const rows = await stage.app.deps.store.list('objective', {});
    const found = rows[0] && (await stage.objective(rows[0].id));
    if (
      found !== undefined &&
      (found.status === waitingFor || (found.status === 'waiting' && found.waitingFor === waitingFor))
    ) {
      await restart();
      return found;
    }
    if (found?.status === 'error' || Date.now() - began > PATIENCE_MS) throw new Error(JSON.stringify(found, null, 2));
    // Timers that are due now fire once time moves.
    clock.advance(1);
    await nextTry(tries);
  }
}

async function restart(): Promise<void> {
  restarts++;
  await stage.restart();
}

/** Lets time pass, in one piece and then in hours, and never while something is due. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await nextTry(0);
}

async function happens(note: Omit<WakeNote, 'at'>): Promise<void> {
  const { store } = stage.app.deps;
  const [row] = await store.list('objective', {});
  const at = new Date(clock.now()).toISOString();
  await store.apply(wakeChanges(row?.id ?? '', `${note.why} ${at}`, { ...note, at }, clock.now()));
  stage.app.engine.queued();
}

const berlin = (iso: string | null) =>
  new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(iso ?? 0),
  );

const understood = {
  summary: 'Ann offers 500 flyers for 80 €.',
  dates: [],
  names: ['Ann'],
  openQuestions: [],
  wishes: [],
};

test('an objective lives for six weeks, with a restart between every two steps', async () => {
  stage.answer = (role, data) => {
    if (role === 'intake') {
      const isOpen = data.includes('nobody has said it yet');
      return isOpen ? { ...understood, userQuery: 'Order the flyers' } : understood;
    }
    if (role === 'writer') return data.includes('follow-up') ? 'Did my mail reach you?' : 'Can you do 70 €?';
    if (data.includes('Reason of this wake: reply'))
      return data.includes('70 is fine')
        ? { action: 'finish', reason: 'agreed', result: 'Ann agrees to 70 €.' }
        : { action: 'waitForReply', reason: 'Ann looks into it' };
    if (data.includes('Reason of this wake: date') && data.includes('the fair'))
      return { action: 'draft', reason: 'after the fair', instructions: 'ask' };
    if (data.includes('No more may leave') && data.includes('Reason of this wake: date'))
      return { action: 'askUser', reason: 'silence', question: 'Ann is silent. Shall I wait?' };
    if (data.includes('Wait until the fair')) return { action: 'waitUntil', reason: 'the fair', until: '2026-11-23' };
    return { action: 'draft', reason: 'Ann waits for an answer', instructions: 'ask for 70 €' };
  };
  await stage.fetch(stage.mail('1', { labels: ['Autopilot'], text: '500 flyers are 80 €.' }));
  const { id } = await until('answer');

  await pass(DAY);
  await stage.app.engine.message(id, { text: 'Get them for 70 €', by: 'user' });
  expect(await until('draft')).toMatchObject({ userQuery: 'Get them for 70 €', lastActionTime: expect.any(String) });

  // The user sends the draft on Wednesday; 72 hours later is Saturday, so the follow-up waits for Monday.
  await pass(DAY);
  await happens({ why: 'sent' });
  const waits = await until('reply');
  expect(berlin(waits.followUp.nextAt)).toBe('2026-10-19 09:00');
  const drafts = stage.asked.length;
  await pass(4 * DAY);
  expect(stage.asked).toHaveLength(drafts);

  // Monday: the first follow-up. The user sends it on Thursday; the next one is due after the clocks have changed.
  await pass(DAY);
  expect(await until('draft')).toMatchObject({ draft: { isFollowUp: true } });
  await pass(3 * DAY + HOUR);
  await happens({ why: 'sent' });
  const second = await until('reply');
  expect(second.followUp).toMatchObject({ sent: 1, max: 2 });
  expect(berlin(second.followUp.nextAt)).toBe('2026-10-26 09:00');

  // An automatic answer is no reply, and the config changes meanwhile: the next wake has it.
  await stage.fetch(stage.mail('2', { headers: ['Auto-Submitted: auto-replied'], text: 'I am away.' }));
  expect((await stage.objective(id)).waitingFor).toBe('reply');
  stage.write(director(KEYS.replace('72', '48')));
  await restart();
  await pass(5 * DAY);
  await until('draft');
  expect((await stage.run(id)).revision).toBe(stage.app.config.current().revision);
  await happens({ why: 'sent' });
  expect((await until('reply')).followUp).toMatchObject({ sent: 2, max: 2 });

  // Nobody answers the last follow-up: the planner asks the user, who names a date.
  await pass(3 * DAY);
  expect((await until('answer')).question).toBe('Ann is silent. Shall I wait?');
  await pass(2 * DAY);
  await stage.app.engine.message(id, { text: 'Wait until the fair is over', by: 'user' });
  await until('date');
  await pass(25 * DAY);
  await until('draft');
  await happens({ why: 'sent' });
  await until('reply');

  await pass(HOUR);
  await stage.fetch(stage.mail('3', { text: '70 is fine.' }));
  const done = await until('done');
  expect(done).toMatchObject({ outcome: 'reached', waitingFor: null, userQuery: 'Get them for 70 €' });
  expect(clock.now() - START).toBeGreaterThan(6 * 7 * DAY);
  expect(restarts).toBeGreaterThan(20);
  const story = done.history.map(({ at, text }) => `${berlin(at)}  ${text}`).join('\n');
  console.info(`${story}\n\n${restarts} restarts, ${stage.asked.length} model requests, ${done.wakes} wakes`);
});
