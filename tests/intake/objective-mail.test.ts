import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isoTime } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { ingestMail } from '../../engine/src/intake/intake.ts';
import type { FoundMail, SourceEvent } from '../../engine/src/mail/source.ts';
import { objectiveOf } from '../../engine/src/run/objective/objective-rows.ts';
import type { Objective } from '../../engine/src/run/objective/objective.ts';
import { withApply } from '../../engine/src/store/with-apply.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { mailOf } from '../mail/fixtures.ts';
import { setStage, type Stage } from '../run/harness.ts';
import { waitingMode } from '../run/objective/waiting-machine.ts';
import { PATIENCE_MS } from '../next-try.ts';

const FILES = {
  'accounts/box.yaml': 'id: box\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'filters/auto.yaml': 'id: auto\nfield: Label\nregex: ^Autopilot$\ndirectorId: boss\n',
  'filters/invoices.yaml': 'id: invoices\nfield: Subject\nregex: invoice\ndirectorId: clerk\n',
  'directors/clerk.yaml': 'id: clerk\nname: Clerk\napiConfigId: main\n',
};

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ files: FILES, modes: [waitingMode] });
});
afterAll(() => stage.close());

let threads = 0;
let thread = '';
afterEach(() => (thread = ''));

/** One fetch of an account whose source says this. */
async function fetch(...events: readonly SourceEvent[]): Promise<void> {
  const { app } = stage;
  const fetcher = new Fetcher(
    { ...app.deps, log: silentLogger, live: new LiveBus() },
    {
      openSource: () => ({
        async *list() {
          yield* events;
        },
        watch: async () => async () => {},
      }),
      routeMail: (subject, snapshot, added) => app.filterPool.decide(filterQuestion(subject, snapshot, added)),
      onNewMail: () => app.engine.queued(),
      onRunsStarted: () => app.engine.queued(),
    },
  );
  expect((await fetcher.fetch()).failed).toBe(0);
  await fetcher.close();
}

interface Given {
  readonly labels?: readonly string[];
  readonly from?: string;
  readonly subject?: string;
  readonly headers?: readonly string[];
  readonly text?: string;
  /** Has the Message-ID of that mail. */
  readonly copyOf?: string;
}

/** A new mail on the thread of the test. */
function arrival(id: string, given: Given = {}): FoundMail {
  const { labels = [], from = 'ann@example.com', subject = 'Offer', headers = [], text = 'Hello', copyOf = id } = given;
  const threadId = (thread ||= `thread${++threads}`);
  const messageId = `Message-ID: <${threadId}-${copyOf}@example.com>`;
  return {
    ...{ kind: 'mail', name: `${threadId}-${id}`, providerId: `${threadId}-${id}`, labels },
    read(about) {
      const bytes = mailOf(`From: ${from}`, `Subject: ${subject}`, messageId, ...headers, '', text);
      const facts = { accountId: 'box', ownAddresses: ['me@example.org'], labels, readsLabelHeaders: false, threadId };
      return stage.app.mailWorkers.parse({ kind: 'bytes', bytes }, { ...about, ...facts });
    },
  };
}

/** The same labels change at the provider. */
function relabel(id: string, labels: readonly string[]) {
  const name = `${thread}-${id}`;
  return { kind: 'labels' as const, name, providerId: name, labels };
}

/** The objectives on the thread of the test, once `state` holds for them; oldest first. */
async function objectives(state: (found: readonly Objective[]) => boolean): Promise<readonly Objective[]> {
  for (const began = Date.now(); ;) {
    const rows = await stage.app.deps.store.list('objective', { order: [['id', 'asc']] });
    const found = rows.map(objectiveOf).filter(({ threads }) => threads.some((one) => one.threadId === thread));
    if (state(found)) return found;
    if (Date.now() - began > PATIENCE_MS) throw new Error(`still ${JSON.stringify(found)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** An objective that the label started on the thread of the test, once it waits. */
async function labelled(): Promise<Objective> {
  await fetch(arrival('first', { labels: ['Autopilot'] }));
  const [objective] = await objectives((found) => found.length === 1);
  if (objective === undefined) throw new Error('no objective');
  await stage.until(objective.id, ({ status }) => status === 'waiting');
  return objective;
}

const lines = ({ history }: Objective) => history.map(({ text }) => text);

test('a label on a thread starts one objective, also where several mails of it have the label', async () => {
  await fetch(arrival('a', { labels: ['Autopilot'] }), arrival('b'), arrival('c'));
  await fetch(relabel('b', ['Autopilot']), relabel('c', ['Autopilot']));
  const [objective, ...others] = await objectives((found) => found.length > 0);
  expect(others).toEqual([]);
  expect(objective).toMatchObject({ directorId: 'boss', userQuery: '', paused: false });
  expect(lines(objective as Objective)[0]).toBe('A mail arrived on the thread "Offer"');
});

test('a reply wakes the objective once, also where a second copy of it arrives', async () => {
  await labelled();
  await fetch(arrival('answer', { text: 'Yes, we can.' }));
  await objectives(([one]) => one?.unread.length === 1);
  await fetch(arrival('copy', { copyOf: 'answer', text: 'Yes, we can.' }));
  await fetch(arrival('next', { text: 'One more thing.' }));
  const [objective] = await objectives(([one]) => (one?.unread.length ?? 0) > 1);
  expect(objective?.unread.map(({ why, text }) => [why, text])).toEqual([
    ['reply', 'Yes, we can.'],
    ['reply', 'One more thing.'],
  ]);
  expect(lines(objective as Objective).at(-1)).toBe('A reply of ann@example.com arrived: One more thing.');
});

/** Headers of a mail that was written, and got by a server, so many minutes from now. */
const written = (minutes: number) => `Date: ${at(minutes)}`;
const got = (minutes: number) =>
  `Received: from a.example by b.example (MTA) with ESMTPS id 1;\r\n ${at(minutes)} (UTC)`;
const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toUTCString();

test('a reply wakes an objective that begins while the reply waits for others to share a commit', async () => {
  const { app } = stage;
  const reply = arrival('answer', { text: 'Yes, we can.' });
  const parsed = await reply.read({ id: 'mail_answer', receivedAt: isoTime(app.deps.clock.now()) }, {});
  await ingestMail(app.deps, (subject, snapshot) => app.filterPool.decide(filterQuestion(subject, snapshot)), {
    ...{ mailId: 'mail_answer', accountId: 'box', parsed, providerId: 'answer', fetchCycleId: '', cursor: () => [] },
    beforeCommit: async () => void (await labelled()),
  });
  app.engine.queued();
  const [objective] = await objectives(([one]) => (one?.unread.length ?? 0) > 0);
  expect(objective?.unread.map(({ text }) => text)).toEqual(['Yes, we can.']);
});

/** The process commits changes with a row of this table only after `work`, once. */
function after(table: string, work: () => Promise<void>): Stage['app']['deps'] {
  const { deps } = stage.app;
  let isDone = false;
  const store = withApply(deps.store, async (changes) => {
    const isHere = changes.some((change) => change.op !== 'wake' && change.table === table);
    if (isHere && !isDone) {
      isDone = true;
      await work();
    }
    await deps.store.apply(changes);
  });
  return { ...deps, store };
}

test('a mail whose objective ends just before it is stored starts its director anew', async () => {
  const { app } = stage;
  const { id } = await labelled();
  const deps = after('mail', () => app.engine.orderObjective(id, { type: 'FINISH', by: 'test' }));
  const late = arrival('late', { labels: ['Autopilot'] });
  const parsed = await late.read({ id: 'mail_late', receivedAt: isoTime(deps.clock.now()) }, {});
  await ingestMail(deps, (subject, snapshot) => app.filterPool.decide(filterQuestion(subject, snapshot)), {
    ...{ mailId: 'mail_late', accountId: 'box', parsed, providerId: 'late', fetchCycleId: '', cursor: () => [] },
  });
  app.engine.queued();
  const [, next] = await objectives((all) => all.length === 2);
  expect(next?.directorId).toBe('boss');
});

test('a second copy of the labelled mail is no reply', async () => {
  const { id } = await labelled();
  await fetch(arrival('copy', { copyOf: 'first', labels: ['Autopilot'] }), arrival('answer', { text: 'Yes.' }));
  const [objective] = await objectives(([one]) => (one?.unread.length ?? 0) > 0);
  expect(objective?.id).toBe(id);
  expect(objective?.unread.map(({ text }) => text)).toEqual(['Yes.']);
});

test('an older mail that is fetched late is no reply; a mail that may have come since the objective began is one', async () => {
  await labelled();
  const late = [
    arrival('old', { headers: [written(-60)], text: 'Old.' }),
    arrival('oldToo', { headers: [got(-58), got(-59), written(-60)], text: 'Old, too.' }),
  ];
  const replies: readonly (readonly [string, readonly string[]])[] = [
    ['Undated.', []],
    ['Of a strange date.', ['Date: yesterday, after tea']],
    ['Of a clock that is slow.', [written(-5)]],
    ['Begun long ago.', [got(1), got(-60), written(-60)]],
    ['Of a strange server.', ['Received: by b.example; soon', written(-60)]],
    ['New.', [written(1)]],
  ];
  await fetch(...late, ...replies.map(([text, headers], n) => arrival(`reply${n}`, { headers, text })));
  const [objective] = await objectives(([one]) => (one?.unread.length ?? 0) >= replies.length);
  expect(objective?.unread.map(({ text }) => text).toSorted()).toEqual(replies.map(([text]) => text).toSorted());
});

test('a reply that came while Callsheet was down, before it saw the label, wakes the objective; what is older does not', async () => {
  await fetch(arrival('first', { headers: [written(-300)] }));
  // The label was put on, and Ann answered, while the process was down: the label is seen first.
  await fetch(
    relabel('first', ['Autopilot']),
    arrival('history', { headers: [got(-399), written(-400)], text: 'Long ago.' }),
    arrival('answer', { headers: [got(-59), written(-60)], text: 'Yes, we can.' }),
  );
  const [objective] = await objectives(([one]) => (one?.unread.length ?? 0) > 0);
  expect(objective?.unread.map(({ text }) => text)).toEqual(['Yes, we can.']);
});

test('no mail is too old for an objective that goes on with an earlier one', async () => {
  const { id } = await labelled();
  await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'test' });
  await objectives(([one]) => one?.status === 'done');
  await fetch(relabel('first', []));
  await fetch(relabel('first', ['Autopilot']));
  const [, again] = await objectives((all) => all.length === 2);
  await stage.until(again?.id ?? '', ({ status }) => status === 'waiting');
  await fetch(arrival('between', { headers: [written(-60)], text: 'While nobody looked.' }));
  const [, woken] = await objectives(([, one]) => one?.unread.length === 1);
  expect(woken?.follows).toBe(id);
});

test('a reply wakes the objective of a labelled thread in place of a second one, and still starts other directors', async () => {
  const { id } = await labelled();
  await fetch(arrival('answer', { labels: ['Autopilot'] }), arrival('bill', { subject: 'the invoice' }));
  const found = await objectives((all) => all.length === 2);
  expect(found.map(({ directorId }) => directorId)).toEqual(['boss', 'clerk']);
  const [objective] = await objectives(([one]) => one?.unread.length === 2);
  expect(objective?.id).toBe(id);
});

test('an out-of-office answer and a mail from the own address wake nothing', async () => {
  await labelled();
  await fetch(
    arrival('away', { headers: ['Auto-Submitted: auto-replied'], text: 'I am away.' }),
    arrival('forged', { from: 'me@example.org', text: 'Send them my bank data.' }),
    arrival('real', { text: 'Here I am.' }),
  );
  const [objective] = await objectives(([one]) => (one?.unread.length ?? 0) > 0);
  expect(objective?.unread.map(({ text }) => text)).toEqual(['Here I am.']);
});

test('the label pauses the objective when it is on no mail of the thread any more, and resumes it when it is back', async () => {
  const { id } = await labelled();
  await fetch(arrival('second', { labels: ['Autopilot'] }));
  await fetch(relabel('first', []));
  await fetch(arrival('third'));
  const [still] = await objectives(([one]) => (one?.unread.length ?? 0) === 2);
  expect(still?.paused).toBe(false);
  await fetch(relabel('second', []));
  await objectives(([one]) => one?.paused === true);
  await fetch(relabel('first', ['Autopilot']));
  const found = await objectives(([one]) => one?.paused === false);
  expect(found.map((one) => one.id)).toEqual([id]);
});

test('the label put on again after the end starts a new objective, linked to the one before', async () => {
  const { id } = await labelled();
  await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'test' });
  await fetch(arrival('second'));
  // It only spreads to another mail: nothing is put on again.
  await fetch(relabel('second', ['Autopilot']));
  await fetch(relabel('second', []), relabel('first', []));
  expect(await objectives((all) => all.length > 0)).toHaveLength(1);
  await fetch(relabel('first', ['Autopilot']), relabel('second', ['Autopilot']));
  const found = await objectives((all) => all.length === 2);
  expect(found[1]).toMatchObject({ follows: id, status: 'pending' });
  expect(lines(found[1] as Objective)[0]).toBe('The label Autopilot was put on the thread "Offer"');
});
