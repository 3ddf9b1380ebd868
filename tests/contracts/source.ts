import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mailOf as mailOfRow, type StoredMail } from '../../engine/src/mail/mail-store.ts';
import type { MailWorkers } from '../../engine/src/mail/parse/mail-workers.ts';
import type { MailSource } from '../../engine/src/mail/source.ts';
import type { Fetcher } from '../../engine/src/intake/fetcher.ts';
import { recordOf, type Run } from '../../engine/src/run/run.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { mailOf } from '../mail/fixtures.ts';
import { BOX, fetcherOf } from '../intake/fetching.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

/** A provider with an account named `box`, and what another program does to the account. Each source has one. */
export interface SourceWorld {
  /** Two labels that can be added to mails. The provider may add others by itself. */
  readonly labels: readonly [string, string];
  /** Opens a source as a new process does. */
  open(): MailSource;
  /** Delivers a mail to the account; returns its name for the methods below. */
  deliver(mime: Uint8Array): Promise<string>;
  label(mail: string, change: { readonly add?: readonly string[]; readonly remove?: readonly string[] }): Promise<void>;
  /** Removes the mail from the account. */
  remove(mail: string): Promise<void>;
  /** Restores the removed mail as the same mail, where the provider can do that. */
  restore?(mail: string): Promise<void>;
  /** Makes every cursor invalid: everything must be listed again. */
  forget?(): Promise<void>;
  close(): Promise<void>;
}

/** `other` takes every mail that comes and ends it there; beside it there will be a filter `put` on the first label. */
const FILES = {
  ...BOX,
  'directors/other.yaml': 'id: other\nname: Other\napiConfigId: main\n',
  'filters/other.yaml': 'id: other\norder: 1\nfield: From\nregex: client\ndirectorId: other\nstop: true\n',
};

const letter = (subject: string, answers = '') =>
  mailOf(
    ...['From: ann@client.example', 'To: team@example.org', `Subject: ${subject}`],
    ...[
      `Message-ID: <${subject}@client.example>`,
      ...(answers === '' ? [] : [`In-Reply-To: <${answers}@client.example>`]),
    ],
    ...['', `The text of ${subject}.`],
  );

const quote = (label: string) => label.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * What every source does, tested with a whole engine and a store: each mail once, and changes of known mails as events.
 */
export function sourceContract(name: string, build: (workers: MailWorkers) => Promise<SourceWorld>): void {
  describe(`${name} as a source`, { timeout: 60_000 }, () => {
    let stage: Stage;
    let world: SourceWorld;
    let fetcher: Fetcher;
    /** Ids of mails in the live stream. */
    let announced: string[];
    beforeEach(async () => {
      stage = await setStage({ files: FILES, models: playModels(() => ({ content: 'Done.' })) });
      world = await build(stage.app.mailWorkers);
      const regex = JSON.stringify(`^${quote(world.labels[0])}$`);
      stage.write({ 'filters/put.yaml': `id: put\norder: 2\nfield: Label\nregex: ${regex}\ndirectorId: boss\n` });
      await stage.app.config.refresh();
      fetcher = openFetcher();
    });
    afterEach(async () => {
      await fetcher.stop();
      await world.close();
      await stage.close();
    });

    function openFetcher(): Fetcher {
      announced = [];
      const live = new LiveBus();
      live.subscribe(({ name: event, data }) => event === 'mail' && announced.push(String(data['id'])));
      return fetcherOf(stage, () => world.open(), live);
    }

    /** Continues as the next process. */
    async function restart(): Promise<void> {
      await fetcher.stop();
      fetcher = openFetcher();
    }

    /** Fetches once without errors; returns the number of new mails. */
    async function fetchOnce(): Promise<number> {
      const { taken } = await fetcher.fetch();
      expect(fetcher.status().accounts).toMatchObject([{ state: 'idle', unreadable: [] }]);
      return taken;
    }

    async function mails(): Promise<StoredMail[]> {
      const rows = await stage.app.deps.store.list('mail', { order: [['id', 'asc']] });
      return rows.map((row) => mailOfRow(row));
    }

    /** Those of the two labels that the stored mail has. */
    async function labelsOf(subject: string): Promise<string[]> {
      const mail = (await mails()).find(({ summary }) => summary.subject === subject);
      return world.labels.filter((label) => mail?.summary.labels.includes(label));
    }

    /** Whether each mail is marked as gone, by subject. */
    async function marks(): Promise<Record<string, boolean>> {
      return Object.fromEntries(
        (await mails()).map(({ summary, removedAt }) => [summary.subject, removedAt !== undefined]),
      );
    }

    async function runsOf(directorId: string): Promise<Run[]> {
      const rows = await stage.app.deps.store.list('run', { order: [['id', 'asc']] });
      return rows.map((row) => recordOf(row).run).filter((run) => run.directorId === directorId);
    }

    test('emits each mail once, also to the next process', async () => {
      for (const subject of ['one', 'two']) await world.deliver(letter(subject));
      expect(await fetchOnce()).toBe(2);
      expect(await fetchOnce()).toBe(0);
      await world.deliver(letter('three'));
      await restart();
      expect(await fetchOnce()).toBe(1);
      expect((await mails()).map(({ summary }) => summary.subject).toSorted()).toEqual(['one', 'three', 'two']);
    });

    test('emits labels that are added to and removed from a known mail', async () => {
      const [first, second] = world.labels;
      const one = await world.deliver(letter('one'));
      await world.deliver(letter('two'));
      await fetchOnce();
      announced = [];
      await world.label(one, { add: [first, second] });
      expect(await fetchOnce()).toBe(0);
      expect(await labelsOf('one')).toEqual([first, second]);
      expect(await labelsOf('two')).toEqual([]);
      const id = (await mails()).find(({ summary }) => summary.subject === 'one')?.summary.id;
      expect(new Set(announced)).toEqual(new Set([id]));
      await world.label(one, { remove: [first] });
      await fetchOnce();
      expect(await labelsOf('one')).toEqual([second]);
    });

    test('starts a director once per thread for a label, even where events repeat', async () => {
      const [first] = world.labels;
      const one = await world.deliver(letter('one'));
      const two = await world.deliver(letter('two', 'one'));
      await fetchOnce();
      expect(await runsOf('boss')).toEqual([]);
      await world.label(one, { add: [first] });
      await fetchOnce();
      const [run, ...others] = await runsOf('boss');
      expect(others).toEqual([]);
      expect(run).toMatchObject({ filterId: 'put', trigger: { kind: 'mail', labels: [first] } });
      await world.label(one, { remove: [first] });
      await fetchOnce();
      await world.label(one, { add: [first] });
      await restart();
      await fetchOnce();
      await world.label(two, { add: [first] });
      await fetchOnce();
      expect(await labelsOf('two')).toEqual([first]);
      expect(await runsOf('boss')).toHaveLength(1);
      // Filters without a label condition were decided when the mails came.
      expect(await runsOf('other')).toHaveLength(2);
    });

    test('changes nothing where all events repeat', async () => {
      const [first] = world.labels;
      const one = await world.deliver(letter('one'));
      await fetchOnce();
      const { store } = stage.app.deps;
      const before = await store.get('account', { id: 'box' });
      await world.label(one, { add: [first] });
      await fetchOnce();
      const state = async () => [await mails(), (await runsOf('boss')).length];
      const reached = await state();
      if (before === undefined) await store.apply([{ op: 'delete', table: 'account', where: { id: 'box' } }]);
      else await store.apply([{ op: 'put', table: 'account', row: before }]);
      await restart();
      expect(await fetchOnce()).toBe(0);
      await store.apply([{ op: 'delete', table: 'account', where: { id: 'box' } }]);
      await restart();
      expect(await fetchOnce()).toBe(0);
      expect(await state()).toEqual(reached);
      expect(reached[1]).toBe(1);
    });

    test('marks a mail that is gone, and keeps it', async () => {
      const one = await world.deliver(letter('one'));
      await world.deliver(letter('two'));
      await fetchOnce();
      await world.remove(one);
      await fetchOnce();
      expect(await marks()).toEqual({ one: true, two: false });
      if (world.restore === undefined) return;
      await world.restore(one);
      expect(await fetchOnce()).toBe(0);
      expect(await marks()).toEqual({ one: false, two: false });
      expect(await runsOf('other')).toHaveLength(2);
    });

    test('marks mails that went while the cursor was lost, and no others', async () => {
      if (world.forget === undefined) return;
      const [one] = [await world.deliver(letter('one')), await world.deliver(letter('two'))];
      await fetchOnce();
      await world.remove(one);
      await world.forget();
      await world.deliver(letter('three'));
      await restart();
      expect(await fetchOnce()).toBe(1);
      expect(await marks()).toEqual({ one: true, two: false, three: false });
      if (world.restore !== undefined) {
        await world.restore(one);
        await fetchOnce();
        expect(await marks()).toEqual({ one: false, two: false, three: false });
      }
    });

    test('ends an aborted fetch', async () => {
      await world.deliver(letter('one'));
      const controller = new AbortController();
      controller.abort(new Error('enough'));
      const read = async () => {
        for await (const _ of world.open().list({ seen: () => undefined, signal: controller.signal })) continue;
      };
      await expect(read()).rejects.toThrow('enough');
    });
  });
}
