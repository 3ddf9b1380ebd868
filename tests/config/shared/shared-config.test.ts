import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import type { ConfigChange, ConfigService } from '../../../engine/src/config/config.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';
import { createRevisionStore } from '../../../engine/src/config/revision/revision-store.ts';
import { brief, catalog, open, save, statesOf, VALID } from '../folder.ts';
import { type Machine, makeMachines, openStore, settled, until } from './processes.ts';

const NEWER = 'id: reader\nname: Newer\n';
const BROKEN = 'id: reader\ntools: [\n';
const nameOf = (config: ConfigService) => config.current().agents.get('reader')?.name;

/** Three processes: one that decides, one that would, and one without a folder. */
async function three(second = VALID): Promise<{ machines: Machine[]; configs: ConfigService[] }> {
  const machines = await makeMachines([VALID, second, {}]);
  const configs = [await machines[0]!.open(), await machines[1]!.open(), await machines[2]!.open({ isFollower: true })];
  return { machines, configs };
}

/** A commit that is checked out where a config folder lies. */
async function checkOut(dir: string, commit: string): Promise<void> {
  const git = join(dirname(dir), '.git');
  await mkdir(git, { recursive: true });
  await writeFile(join(git, 'HEAD'), `${commit}\n`);
}

describe('of several processes on one store', () => {
  test('all run what is saved in the folder of the one that decides, once they are told of it', async () => {
    const [first, ...others] = await makeMachines([VALID, VALID, {}]);
    const decider = await first!.open({ clock: systemClock, watch: true });
    const followers = [await others[0]!.open(), await others[1]!.open({ isFollower: true })];
    await decider.watching();
    const seen = followers.map(
      (config) =>
        new Promise<void>((resolve) => {
          config.onChange(() => nameOf(config) === 'Newer' && resolve());
        }),
    );
    await save(first!.dir, 'agents/reader.yaml', NEWER);
    // Their clocks stand still: nobody looks by itself.
    await Promise.all(seen);
    expect(followers[0]?.current().revision).toBe(decider.current().revision);
  });

  test('one without a folder waits until there is a config, or until it is told not to', async () => {
    const [worker, starter, other] = await makeMachines([{}, VALID, {}]);
    const stop = new AbortController();
    const never = other!.open({ isFollower: true, signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(never).rejects.toThrow('stopped');
    const waiting = worker!.open({ isFollower: true });
    await settled();
    expect(worker!.logged).toHaveLength(1);
    await starter!.open();
    expect((await waiting).current().agents.size).toBe(1);
  });

  test('all show what is wrong where it is decided', async () => {
    const { machines, configs } = await three();
    const [decider, , follower] = configs;
    const heard: ConfigChange[] = [];
    follower?.onChange((change) => heard.push(change));
    await save(machines[0]!.dir, 'agents/reader.yaml', BROKEN);
    await save(machines[0]!.dir, 'agents/bad.yaml', 'id: bad\ntools: [\n');
    await decider?.refresh();
    await settled();
    for (const config of configs) {
      expect(statesOf(config)).toEqual({ ...statesOf(decider!), 'agents/reader': 'stale', 'agents/bad': 'invalid' });
      expect(brief(config.problems())).toEqual([
        'agents/bad.yaml:3:1 CONFIG_SYNTAX',
        'agents/reader.yaml:3:1 CONFIG_SYNTAX',
      ]);
    }
    expect(heard.map(({ snapshot, previous, changed }) => [snapshot === previous, changed])).toEqual([[true, []]]);
    expect(follower?.read('agent', 'reader')).toMatchObject({
      text: VALID['agents/reader.yaml'],
      value: { name: 'Reader' },
    });
    expect(follower?.read('agent', 'bad')).toMatchObject({ text: '', value: undefined, state: { state: 'invalid' } });
    expect(() => follower?.read('agent', 'nobody')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  test('an edit is made where it is decided, and refused elsewhere with who decides', async () => {
    const { machines, configs } = await three();
    const [decider, second, follower] = configs;
    await decider?.write('agent', 'reader', { id: 'reader', name: 'Edited' });
    await settled();
    expect(configs.map(nameOf)).toEqual(['Edited', 'Edited', 'Edited']);
    for (const config of [second, follower]) {
      const refusal = { code: 'CONFIG_ELSEWHERE', message: expect.stringContaining('host0') as string };
      await expect(config?.write('agent', 'reader', { id: 'reader', name: 'Mine' })).rejects.toMatchObject(refusal);
      await expect(config?.create('agent', 'new', {})).rejects.toMatchObject(refusal);
      await expect(config?.remove('agent', 'reader')).rejects.toMatchObject(refusal);
      await expect(config?.reorder('filter', ['all'])).rejects.toMatchObject(refusal);
    }
    expect(await readFile(join(machines[1]!.dir, 'agents/reader.yaml'), 'utf8')).toBe(VALID['agents/reader.yaml']);
  });

  test('one that missed a message looks when it hears again', async () => {
    const { machines, configs } = await three();
    machines[2]!.signals.setAway(true);
    await save(machines[0]!.dir, 'agents/reader.yaml', NEWER);
    await configs[0]?.refresh();
    await settled();
    expect(configs.map(nameOf)).toEqual(['Newer', 'Newer', 'Reader']);
    machines[2]!.signals.setAway(false);
    await settled();
    expect(nameOf(configs[2]!)).toBe('Newer');
  });

  test('a run of any of them names the commit that is checked out at the decider', async () => {
    const [first, second] = await makeMachines([VALID, VALID]);
    await checkOut(first!.dir, 'a'.repeat(40));
    await checkOut(second!.dir, 'b'.repeat(40));
    const decider = await first!.open();
    const follower = await second!.open();
    expect([decider.gitCommit(), follower.gitCommit()]).toEqual(['a'.repeat(40), 'a'.repeat(40)]);
    await checkOut(first!.dir, 'c'.repeat(40));
    await first!.pass(5000);
    await until(() => follower.gitCommit() === 'c'.repeat(40));
    expect(decider.gitCommit()).toBe('c'.repeat(40));
    expect(follower.current().revision).toBe(decider.current().revision);
  });

  test('what was decided and could not be written is tried again', async () => {
    const store = await openStore();
    let isAway = false;
    const shaky = withApply(store, async (changes) => {
      if (isAway && changes.some((change) => change.op !== 'wake' && change.table === 'counter'))
        throw new Error('connection refused');
      await store.apply(changes);
    });
    const [first, second] = await makeMachines([VALID, {}], shaky);
    const decider = await first!.open();
    const follower = await second!.open({ isFollower: true });
    await save(first!.dir, 'agents/reader.yaml', NEWER);
    isAway = true;
    await expect(decider.refresh()).rejects.toThrow('connection refused');
    expect([nameOf(decider), nameOf(follower)]).toEqual(['Reader', 'Reader']);
    isAway = false;
    await first!.pass(1000);
    await until(() => nameOf(follower) === 'Newer');
    expect(nameOf(decider)).toBe('Newer');
  });

  test('the first one goes on from the last good set of the time before', async () => {
    const store = await openStore();
    const [first] = await makeMachines([VALID], store);
    await (await open(first!.dir, { place: createRevisionStore(store) })).close();
    await save(first!.dir, 'agents/reader.yaml', BROKEN);
    const config = await first!.open();
    expect(nameOf(config)).toBe('Reader');
    expect(statesOf(config)['agents/reader']).toBe('stale');
  });
});

test('a decision whose revision one process, alone with the store, has forgotten is decided over', async () => {
  const store = await openStore();
  const [first, second] = await makeMachines([VALID, VALID], store);
  const config = await first!.open();
  const { revision } = config.current();
  await config.close();
  await first!.claims.close();
  await store.apply([{ op: 'delete', table: 'revision', where: { id: revision } }]);
  expect((await second!.open()).current().revision).toBe(revision);
  expect(await second!.revisions.number()).toBe(2);
});

describe('the turn to decide', () => {
  test('goes to another at once when the process ends, and nobody notices but by what runs', async () => {
    const { machines, configs } = await three({ ...VALID, 'agents/reader.yaml': NEWER });
    const [decider, second, follower] = configs;
    expect(nameOf(second!)).toBe('Reader');
    const changed: (readonly string[])[] = [];
    second?.onChange((change) => changed.push(change.changed));
    await decider?.close();
    await machines[0]!.claims.close();
    await until(() => nameOf(follower!) === 'Newer');
    expect(nameOf(second!)).toBe('Newer');
    expect(changed).toEqual([['agents/reader']]);
    await second?.write('agent', 'reader', { id: 'reader', name: 'Written' });
    await settled();
    expect(nameOf(follower!)).toBe('Written');
  });

  test('begins with the last good set of whoever decided before', async () => {
    const { machines, configs } = await three({ ...VALID, 'agents/reader.yaml': BROKEN });
    const [decider, second] = configs;
    await save(machines[0]!.dir, 'agents/reader.yaml', NEWER);
    await decider?.refresh();
    await decider?.close();
    await machines[0]!.claims.close();
    await until(() => statesOf(second!)['agents/reader'] === 'stale');
    expect(nameOf(second!)).toBe('Newer');
  });

  test('is over for a process that was frozen: what it finds in its folder afterwards changes nothing', async () => {
    const { machines, configs } = await three({ ...VALID, 'agents/reader.yaml': NEWER });
    const [frozen, , follower] = configs;
    machines[0]!.signals.setAway(true);
    for (let i = 0; i < 6; i++) await machines[1]!.pass(5000);
    await until(() => nameOf(follower!) === 'Newer');
    expect(nameOf(frozen!)).toBe('Reader');
    await save(machines[0]!.dir, 'agents/reader.yaml', 'id: reader\nname: Late\n');
    await expect(frozen?.refresh()).rejects.toMatchObject({ code: 'CONFIG_ELSEWHERE' });
    await settled();
    expect(configs.map(nameOf)).toEqual(['Newer', 'Newer', 'Newer']);
    for (let i = 0; i < 6; i++) for (const one of [machines[1]!, machines[0]!]) await one.pass(5000);
    expect(configs.map(nameOf)).toEqual(['Newer', 'Newer', 'Newer']);
    expect(follower?.problems()).toEqual([]);
  });

  test('that is over keeps a process that was frozen from writing an edit into its files', async () => {
    const { machines, configs } = await three({ ...VALID, 'agents/other.yaml': 'id: other\n' });
    machines[0]!.signals.setAway(true);
    for (let i = 0; i < 6; i++) await machines[1]!.pass(5000);
    await until(() => statesOf(configs[2]!)['agents/other'] === 'live');
    const edit = configs[0]!.write('agent', 'reader', { id: 'reader', name: 'Late' });
    await expect(edit).rejects.toMatchObject({
      code: 'CONFIG_ELSEWHERE',
      message: expect.stringContaining('host1') as string,
    });
    expect(await readFile(join(machines[0]!.dir, 'agents/reader.yaml'), 'utf8')).toBe(VALID['agents/reader.yaml']);
  });

  test('is given back by a process whose folder is empty', async () => {
    const [first, empty, third] = await makeMachines([VALID, {}, { ...VALID, 'agents/reader.yaml': NEWER }]);
    const decider = await first!.open();
    const second = await empty!.open();
    await decider.close();
    await first!.claims.close();
    await until(() => empty!.logged.some(({ fields }) => fields['code'] === 'CONFIG_UNREADABLE'));
    expect(nameOf(second)).toBe('Reader');
    await third!.open();
    await until(() => nameOf(second) === 'Newer');
  });
});

describe('a config that a newer version has decided', () => {
  const old = { ...catalog, tools: new Map([...catalog.tools].filter(([name]) => name !== 'search')) };
  const SEARCHES = 'id: reader\nname: Searcher\ntools: [search]\n';

  async function withOld(version: string, isFollower = true) {
    const [first, second] = await makeMachines([VALID, VALID]);
    const decider = await first!.open({ version });
    const follower = await second!.open({ isFollower, catalog: old });
    await save(first!.dir, 'agents/reader.yaml', SEARCHES);
    await decider.refresh();
    await settled();
    return { first: first!, second: second!, decider, follower };
  }

  test('leaves an older process on what it ran before, which is said once', async () => {
    const { first, second, decider, follower } = await withOld('1.1.0');
    expect([nameOf(decider), nameOf(follower)]).toEqual(['Searcher', 'Reader']);
    await save(first.dir, 'agents/other.yaml', 'id: other\n');
    await decider.refresh();
    await settled();
    expect(nameOf(follower)).toBe('Reader');
    expect(second.logged.map(({ fields }) => fields['code'])).toEqual(['CONFIG_TOO_NEW']);
    await save(first.dir, 'agents/reader.yaml', NEWER);
    await decider.refresh();
    await settled();
    expect(nameOf(follower)).toBe('Newer');
  });

  test('is refused by a code of its own where a run is pinned to it; what is not kept is not found', async () => {
    const { decider, follower } = await withOld('1.1.0');
    await expect(follower.revision(decider.current().revision)).rejects.toMatchObject({ code: 'CONFIG_TOO_NEW' });
    await expect(follower.revision('0'.repeat(64))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is invalid for good where the version is the same', async () => {
    const { decider, follower } = await withOld('1.0.0');
    await expect(follower.revision(decider.current().revision)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  test('is not decided over by an older process that gets the turn', async () => {
    const { first, second, decider, follower } = await withOld('1.1.0', false);
    const { revision } = decider.current();
    await decider.close();
    await first.claims.close();
    await until(() => second.logged.some(({ message }) => message.includes('cannot publish')));
    await settled();
    expect((await second.revisions.newest())?.revision).toBe(revision);
    expect(second.claims.isHeld('config')).toBe(false);
    expect(nameOf(follower)).toBe('Reader');
  });
});
