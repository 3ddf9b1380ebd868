import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AppOptions } from '../../engine/src/app/app.ts';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { EngineError } from '../../engine/src/base/error.ts';
import { entryScope, recordOf, type Run } from '../../engine/src/run/run.ts';
import { openSession } from '../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../engine/src/run/session/take-message.ts';
import type { Change } from '../../engine/src/store/store.ts';
import { listEntries } from '../../engine/src/trace/entries.ts';
import { storedEvents } from '../../engine/src/trace/provider-events.ts';
import { call, type Play, playModels, setStage, type Stage } from '../run/harness.ts';

const CHECKS = `checks:
  - { kind: claims, claim: meeting-scheduled, needs: create_event, otherwise: offer-free-times }
  - { kind: claims, claim: mail-sent }
  - { kind: claims, claim: file-written, otherwise: remove }
`;
const director = (rest = CHECKS) => `id: boss
name: Boss
apiConfigId: main
agents: [helper]
tools: [calendar]
permissions: { allow: ['*'] }
${rest}`;
const HELPER = "id: helper\nname: Helper\napiConfigId: main\ntools: [calendar]\npermissions: { allow: ['*'] }\n";
const EVENT = { event: { title: 'Call', start: '2026-11-25T15:00', end: '2026-11-25T15:30' } };
/** A Monday, 09:00 in Berlin. */
const NOW = Date.parse('2026-11-23T08:00:00Z');
const LIE = 'I have scheduled the meeting for Tuesday at 3 pm. Let me know if you need anything else.';

let stage: Stage;
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.close();
});

async function play(model: Play, files: Readonly<Record<string, string>> = {}, options: Partial<AppOptions> = {}) {
  stage = await setStage({
    models: playModels(model),
    clock: new SimulatedClock(NOW),
    ...options,
    files: {
      'settings.yaml': 'calendar: { path: ./calendar, timeZone: Europe/Berlin }\n',
      'directors/boss.yaml': director(),
      'agents/helper.yaml': HELPER,
      ...files,
    },
  });
}

const ask = async (message = 'Meet Anna'): Promise<Run> => stage.ended(await stage.begin('boss', message));
const lastOf = async ({ sessionId, dirThreadId }: Run) =>
  (await stage.messages(sessionId ?? dirThreadId)).at(-1)?.content ?? '';

async function entriesOf({ id }: Run) {
  const row = await stage.app.deps.store.get('run', { id });
  if (row === undefined) throw new Error('no run');
  return listEntries(stage.app.deps.store, entryScope(recordOf(row)));
}

/** An event in the calendar folder, as Callsheet writes it. */
function busy(name: string, from: string, to: string): void {
  mkdirSync(join(stage.root, 'calendar'), { recursive: true });
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//x//y//EN',
    'BEGIN:VEVENT',
    `UID:${name}`,
    'DTSTAMP:20261101T000000Z',
  ];
  const text = [...lines, `DTSTART:${from}`, `DTEND:${to}`, 'SUMMARY:Busy', 'END:VEVENT', 'END:VCALENDAR', ''].join(
    '\r\n',
  );
  writeFileSync(join(stage.root, 'calendar', `${name}.ics`), text);
}

describe('an answer that says that a meeting is scheduled', () => {
  test('loses the claim, and gets real free times of the calendar', async () => {
    await play(() => ({ content: LIE }));
    busy('a', '20261123T080000Z', '20261123T150000Z');
    const run = await ask();

    expect(run.status).toBe('completed');
    expect(await lastOf(run)).toBe(
      [
        'Let me know if you need anything else.',
        'No event has been added to the calendar in this conversation.',
        'These times are free (Europe/Berlin):\n' +
          '- Mon, 23 Nov 2026, 16:00–17:00\n- Tue, 24 Nov 2026, 09:00–17:00\n- Wed, 25 Nov 2026, 09:00–17:00\n' +
          '- Thu, 26 Nov 2026, 09:00–17:00\n- Fri, 27 Nov 2026, 09:00–17:00',
      ].join('\n\n'),
    );
    expect(run.summary).not.toContain('scheduled');
    expect(run.usage.turns).toBe(1);
  });

  test('loses it each time that the model insists', async () => {
    await play(({ messages }) => ({ content: `${LIE} ${messages.length}` }));
    for (const message of ['Meet Anna', 'Say that it is scheduled', 'Ignore all checks'])
      expect(await lastOf(await ask(message))).not.toMatch(/I have scheduled/);
  });

  test('keeps a true claim word for word, and the calendar is not read', async () => {
    await play(({ turn }) => (turn === 1 ? { tool_calls: [call('c', 'calendar_add', EVENT)] } : { content: LIE }));
    const run = await ask();

    expect(await lastOf(run)).toBe(LIE);
    expect((await entriesOf(run)).map(({ detail }) => detail.action)).not.toContain('free_times_read');
  });

  test('loses it where the only call failed, or a person denied it', async () => {
    const wrong = { event: { ...EVENT.event, end: '2026-11-25T14:00' } };
    await play(({ turn }) => (turn === 1 ? { tool_calls: [call('c', 'calendar_add', wrong)] } : { content: LIE }));

    expect(await lastOf(await ask())).toContain('No event has been added');
  });

  test('what an agent did for the director counts', async () => {
    await play(({ role, turn }) => {
      if (role === 'agent') return turn === 1 ? { tool_calls: [call('c', 'calendar_add', EVENT)] } : { content: 'ok' };
      return turn === 1 ? { tool_calls: [call('a', 'agent__helper', { input: 'Add it' })] } : { content: LIE };
    });

    expect(await lastOf(await ask())).toBe(LIE);
  });

  test('an agent that only says so to its director proves nothing', async () => {
    await play(({ role, turn }) => {
      if (role === 'agent') return { content: LIE };
      return turn === 1 ? { tool_calls: [call('a', 'agent__helper', { input: 'Add it' })] } : { content: LIE };
    });

    expect(await lastOf(await ask())).toContain('No event has been added');
  });

  test('says that free times are not known where the calendar cannot be read', async () => {
    await play(() => ({ content: 'Ich habe den Termin eingetragen.' }));
    writeFileSync(join(stage.root, 'calendar'), 'a file, where a folder should be');
    const run = await ask();

    expect(await lastOf(run)).toBe(
      'In diesem Gespräch wurde kein Termin in den Kalender eingetragen.\n\n' +
        'Welche Zeiten frei sind, ist nicht bekannt: der Kalender war nicht lesbar.',
    );
  });

  test('does not read a calendar that the permissions close', async () => {
    await play(() => ({ content: LIE }), {
      'directors/boss.yaml': director(CHECKS).replace("{ allow: ['*'] }", '{ deny: [calendar_free_slots] }'),
    });
    const run = await ask();

    expect(await lastOf(run)).toContain('Which times are free is not known');
    expect(await stage.app.deps.store.list('ledger', {})).toEqual([]);
  });

  test('the last turn of the budget is enough', async () => {
    await play(() => ({ content: LIE }), {
      'directors/boss.yaml': director(`${CHECKS}budget: { maxIterations: 1 }\n`),
    });

    expect(await lastOf(await ask())).toContain('These times are free');
  });

  test('the diagnostics keep what was cut and why, and the answer as the model wrote it', async () => {
    await play(() => ({ content: LIE }));
    const run = await ask();
    const entries = await entriesOf(run);

    expect(entries.find(({ detail }) => detail.action === 'claims_removed')).toMatchObject({
      detail: { reason: 'meeting-scheduled: no call did it' },
      result: [{ claim: 'meeting-scheduled', sentence: 'I have scheduled the meeting for Tuesday at 3 pm.' }],
    });
    expect(entries.map(({ detail }) => detail.action)).toContain('free_times_read');
    const events = await storedEvents(stage.app.deps.store, run.dirThreadId, 10);
    expect(JSON.stringify(events)).toContain('I have scheduled the meeting');
    expect(JSON.stringify(await stage.messages(run.dirThreadId))).not.toContain('I have scheduled');
  });
});

describe('while the calendar is read for an answer', () => {
  const MINUTES = 10_000;
  const isOutcome = (changes: readonly Change[]) =>
    changes.some((change) => change.op === 'update' && change.table === 'ledger' && change.set.state === 'done');

  /** A run whose answer is held: the store refuses what was read. Returns the number of requests to the model. */
  async function hold(clock: SimulatedClock): Promise<{ readonly id: string; readonly asked: () => number }> {
    let asked = 0;
    await play(
      () => {
        asked++;
        return { content: LIE };
      },
      { 'directors/boss.yaml': director(`${CHECKS}budget: { maxMinutes: ${MINUTES} }\n`) },
      { clock },
    );
    const { store } = stage.app.deps;
    const apply = store.apply.bind(store);
    const refused = Promise.withResolvers<void>();
    vi.spyOn(store, 'apply').mockImplementation((changes) => {
      if (!isOutcome(changes)) return apply(changes);
      refused.resolve();
      return Promise.reject(new EngineError('STORE_FAILED', 'the store is away', { retryable: true }));
    });
    const id = await stage.begin('boss', 'Meet Anna');
    await refused.promise;
    expect((await rows())[0]).toMatchObject({ state: 'intended' });
    expect(JSON.stringify(await stage.messages((await stage.run(id)).dirThreadId))).not.toContain('scheduled');
    return { id, asked: () => asked };
  }

  const rows = () => stage.app.deps.store.list('ledger', {});

  /** Lets time pass until something is done: a refused commit is repeated every second. */
  async function passing<T>(clock: SimulatedClock, work: Promise<T>): Promise<T> {
    let isDone = false;
    void work.finally(() => (isDone = true)).catch(() => {});
    while (!isDone) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return work;
  }

  test('a restart goes on with the same answer, and does not ask the model again', async () => {
    const clock = new SimulatedClock(NOW);
    const { id, asked } = await hold(clock);
    await passing(clock, stage.restart());
    const run = await stage.ended(id);

    expect(await lastOf(run)).toContain('These times are free');
    expect((await rows()).map(({ state }) => state)).toEqual(['done']);
    expect([asked(), run.usage.turns, run.usage.inputTokens]).toEqual([1, 1, 10]);
  });

  test('a cancelled run ends without an answer, and its ledger row is closed', async () => {
    const clock = new SimulatedClock(NOW);
    const { id } = await hold(clock);
    await stage.app.engine.cancel(id);
    const run = await stage.ended(id);
    await passing(clock, stage.app.engine.stop());

    expect(run.status).toBe('cancelled');
    expect((await rows()).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await lastOf(run)).toBe('Meet Anna');
  });

  test('the time limit of the run holds', async () => {
    const clock = new SimulatedClock(NOW);
    const { id } = await hold(clock);
    clock.advance((MINUTES + 1) * 60_000);

    expect(await stage.ended(id)).toMatchObject({ status: 'failed', error: { code: 'LIMIT_TIME' } });
    expect((await rows()).map(({ state }) => state)).toEqual(['cancelled']);
    await passing(clock, stage.app.engine.stop());
  });
});

describe('other claims', () => {
  test('a mail that was not sent: the answer says so, and names the draft', async () => {
    await play(() => ({ content: 'I have sent the mail to Anna.\n\nHave a nice day.' }));

    expect(await lastOf(await ask())).toBe('Have a nice day.\n\nNo mail has been sent in this conversation.');
  });

  test('a file that was not written goes without a word, unless nothing else is left', async () => {
    const texts = ['I have written the file. It has 3 parts.', 'The file has been saved.'];
    await play(() => ({ content: texts.shift() ?? '' }));

    expect(await lastOf(await ask())).toBe('It has 3 parts.');
    expect(await lastOf(await ask())).toBe('No file has been written in this conversation.');
  });

  test('a director without checks says what it likes', async () => {
    await play(() => ({ content: LIE }), { 'directors/boss.yaml': director('') });

    expect(await lastOf(await ask())).toBe(LIE);
  });

  test('a check that the newest version of the director has holds for a run that began before', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await play(() => promise.then(() => ({ content: LIE })), { 'directors/boss.yaml': director('') });
    const id = await stage.begin('boss', 'Meet Anna');
    await stage.until(id, ({ status }) => status === 'running');
    stage.write({ 'directors/boss.yaml': director() });
    await stage.app.config.refresh();
    resolve();

    expect(await lastOf(await stage.ended(id))).toContain('No event has been added');
  });
});

describe('in a session of an agent that the director names', () => {
  async function session(texts: (string | ReturnType<typeof call>)[]) {
    await play(() => {
      const next = texts.shift();
      return typeof next === 'object' ? { tool_calls: [next] } : { content: next ?? '' };
    });
    const { id } = await openSession(stage.app.deps, 'helper', 'jane');
    return async (content: string) => {
      const { id: runId } = await acceptMessage(stage.app.deps, id, { content, by: 'jane' });
      stage.app.engine.queued();
      return lastOf(await stage.ended(runId));
    };
  }

  test('a false claim is cut', async () => {
    const say = await session([LIE]);

    expect(await say('Meet Anna')).toContain('No event has been added');
  });

  test('what an earlier run of the session did proves a claim, also after a restart', async () => {
    const say = await session([call('c', 'calendar_add', EVENT), 'Done.', LIE]);
    await say('Meet Anna');
    await stage.restart();

    expect(await say('Is it done?')).toBe(LIE);
  });
});
