import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Logger } from '../../../engine/src/base/log.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { brief, catalog, makeFolder, MemoryPlace, open, save, statesOf, VALID } from '../folder.ts';

const BROKEN = 'id: reader\ntools: [\n';

describe('a change', () => {
  test('that is valid runs at once, as a new revision', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const before = config.current();
    await save(dir, 'agents/reader.yaml', 'id: reader\nname: Newer\n');
    await config.refresh();
    expect(config.current().agents.get('reader')?.name).toBe('Newer');
    expect(config.current().revision).not.toBe(before.revision);
    expect(before.agents.get('reader')?.name).toBe('Reader');
  });

  test('that changes nothing but the time of the file leaves the very same snapshot', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const before = config.current();
    await save(dir, 'agents/reader.yaml', VALID['agents/reader.yaml'] ?? '');
    await config.refresh();
    expect(config.current()).toBe(before);
  });

  test('that is broken leaves the last good version running, marked stale', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const before = config.current();
    await save(dir, 'agents/reader.yaml', BROKEN);
    await config.refresh();
    expect(config.current()).toBe(before);
    expect(statesOf(config)['agents/reader']).toBe('stale');
    expect(brief(config.problems())).toEqual(['agents/reader.yaml:3:1 CONFIG_SYNTAX']);
  });

  test('that is broken holds up no other document', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await save(dir, 'agents/reader.yaml', BROKEN);
    await save(dir, 'directors/boss.yaml', 'id: boss\nname: Chief\napiConfigId: main\nagents: [reader]\n');
    await config.refresh();
    expect(config.current().directors.get('boss')?.name).toBe('Chief');
    expect(config.current().agents.get('reader')?.name).toBe('Reader');
  });

  test('that mends a broken document makes it live again', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await save(dir, 'agents/reader.yaml', BROKEN);
    await config.refresh();
    await save(dir, 'agents/reader.yaml', 'id: reader\nname: Mended\n');
    await config.refresh();
    expect(config.current().agents.get('reader')?.name).toBe('Mended');
    expect(statesOf(config)['agents/reader']).toBe('live');
    expect(config.problems()).toEqual([]);
  });

  test('that names what is not there falls back, and is told where', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await save(dir, 'directors/boss.yaml', 'id: boss\nname: Chief\napiConfigId: main\nagents: [reader, nobody]\n');
    await config.refresh();
    expect(config.current().directors.get('boss')?.name).toBe('Boss');
    expect(statesOf(config)['directors/boss']).toBe('stale');
    expect(brief(config.problems())).toEqual(['directors/boss.yaml:4:18 CONFIG_UNKNOWN_AGENT']);
  });

  test('of a template that its users cannot follow leaves the last good template running', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await save(dir, 'prompts/mood.yaml', 'id: mood\nmessages: [{ role: system, content: Be brief. }]\n');
    await config.refresh();
    expect(config.current().prompts.get('mood')?.messages[0]?.content).toBe('Answer in {{language}}.');
    expect(statesOf(config)).toMatchObject({ 'prompts/mood': 'stale', 'directors/boss': 'live' });
    expect(brief(config.problems())).toEqual(['directors/boss.yaml:6:30 CONFIG_UNKNOWN_VARIABLE']);
  });

  test('of a document without a last good leaves out what depends on it, and nothing else', async () => {
    const { dir } = await makeFolder({ ...VALID, 'agents/reader.yaml': BROKEN, 'agents/other.yaml': 'id: other\n' });
    const config = await open(dir);
    expect(statesOf(config)).toMatchObject({
      'agents/reader': 'invalid',
      'directors/boss': 'invalid',
      'agents/other': 'live',
    });
    expect(config.current().filters).toEqual([]);
    expect([...config.current().agents.keys()]).toEqual(['other']);
  });

  test('that makes two files of one document leaves its last good running', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await save(dir, 'agents/reader.json', '{ "id": "reader", "name": "Twin" }');
    await config.refresh();
    expect(config.current().agents.get('reader')?.name).toBe('Reader');
    await rm(join(dir, 'agents/reader.yaml'));
    await config.refresh();
    expect(config.current().agents.get('reader')?.name).toBe('Twin');
    expect(config.problems()).toEqual([]);
  });

  test('that puts a fallback into a circle falls back', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await save(dir, 'apis/offline.yaml', `${VALID['apis/offline.yaml']}fallback: [main]\n`);
    await config.refresh();
    expect(config.current().apis.get('offline')?.fallback).toEqual([]);
    expect(statesOf(config)).toMatchObject({ 'apis/offline': 'stale', 'apis/main': 'live' });
  });

  test('that puts a fallback into a circle through a disabled api is taken, and enabling that one is not', async () => {
    const api = (id: string, rest: string) => `id: "${id}"\nprovider: ollama\nmodel: m\n${rest}\n`;
    const { dir } = await makeFolder({
      'apis/off.yaml': api('off', 'fallback: [later]\nenabled: false'),
      'apis/runs.yaml': api('runs', 'fallback: ["off"]'),
    });
    const config = await open(dir);
    await save(dir, 'apis/later.yaml', api('later', 'fallback: [runs]'));
    await config.refresh();
    expect(statesOf(config)).toEqual({ 'apis/later': 'live', 'apis/off': 'live', 'apis/runs': 'live' });
    expect(brief(config.problems())).toEqual(['apis/runs.yaml:4:12 CONFIG_DISABLED_IN_USE']);
    await save(dir, 'apis/off.yaml', api('off', 'fallback: [later]'));
    await config.refresh();
    expect([...config.current().apis.keys()]).toEqual(['later', 'runs']);
    expect(statesOf(config)['apis/off']).toBe('stale');
  });
});

describe('a deleted document', () => {
  test('that nobody names is gone', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await rm(join(dir, 'filters/all.yaml'));
    await config.refresh();
    expect(config.current().filters).toEqual([]);
    expect(config.problems()).toEqual([]);
  });

  test('that is still named runs on as stale until nobody names it', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await rm(join(dir, 'agents/reader.yaml'));
    await config.refresh();
    expect(config.current().agents.get('reader')?.name).toBe('Reader');
    expect(statesOf(config)['agents/reader']).toBe('stale');
    expect(brief(config.problems())).toEqual(['directors/boss.yaml:5:10 CONFIG_DELETED_IN_USE']);
    await save(dir, 'directors/boss.yaml', 'id: boss\napiConfigId: main\n');
    await config.refresh();
    expect(config.current().agents.size).toBe(0);
    expect(statesOf(config)['agents/reader']).toBeUndefined();
    expect(config.problems()).toEqual([]);
  });

  test('keeps what it names itself', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    for (const path of ['directors/boss.yaml', 'agents/reader.yaml', 'prompts/mood.yaml']) await rm(join(dir, path));
    await config.refresh();
    expect(statesOf(config)).toMatchObject({
      'directors/boss': 'stale',
      'agents/reader': 'stale',
      'prompts/mood': 'stale',
    });
    expect(config.current().filters).toHaveLength(1);
  });

  test('that only a stale document names is told of at its own file', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await save(dir, 'directors/boss.yaml', 'id: [\n');
    await rm(join(dir, 'agents/reader.yaml'));
    await config.refresh();
    expect(brief(config.problems())).toEqual([
      'agents/reader.yaml:1:1 CONFIG_DELETED_IN_USE',
      'directors/boss.yaml:2:1 CONFIG_SYNTAX',
    ]);
  });

  test('cannot be named anew once it is gone', async () => {
    const { dir } = await makeFolder({ ...VALID, 'agents/spare.yaml': 'id: spare\n' });
    const config = await open(dir);
    await rm(join(dir, 'agents/spare.yaml'));
    await config.refresh();
    await save(dir, 'directors/boss.yaml', 'id: boss\napiConfigId: main\nagents: [reader, spare]\n');
    await config.refresh();
    expect(brief(config.problems())).toEqual(['directors/boss.yaml:3:18 CONFIG_UNKNOWN_AGENT']);
  });

  test('that is renamed together with its users is no problem', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await rm(join(dir, 'agents/reader.yaml'));
    await save(dir, 'agents/scholar.yaml', 'id: scholar\n');
    await save(dir, 'directors/boss.yaml', 'id: boss\napiConfigId: main\nagents: [scholar]\n');
    await config.refresh();
    expect(config.problems()).toEqual([]);
    expect([...config.current().agents.keys()]).toEqual(['scholar']);
  });
});

describe('a disabled document', () => {
  test('is accepted, and left out of the snapshot and of the lists that name it', async () => {
    const { dir } = await makeFolder({ ...VALID, 'agents/reader.yaml': 'id: reader\nenabled: false\n' });
    const config = await open(dir);
    expect(config.current().agents.size).toBe(0);
    expect(config.current().directors.get('boss')?.agents).toEqual([]);
    expect(config.current().documents.has('agents/reader')).toBe(true);
    await save(dir, 'agents/reader.yaml', 'id: reader\n');
    await config.refresh();
    expect(config.current().directors.get('boss')?.agents).toEqual(['reader']);
  });

  test('that a running director cannot do without stays on, as a deleted one does', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await save(dir, 'apis/main.yaml', `${VALID['apis/main.yaml']}enabled: false\n`);
    await config.refresh();
    expect(config.current().apis.has('main')).toBe(true);
    expect(statesOf(config)).toMatchObject({ 'apis/main': 'stale', 'directors/boss': 'live' });
    expect(brief(config.problems())).toEqual(['directors/boss.yaml:3:14 CONFIG_DISABLED']);
  });

  test('may name what is not there', async () => {
    const { dir } = await makeFolder({ 'directors/x.yaml': 'id: x\nenabled: false\napiConfigId: none\n' });
    const config = await open(dir);
    expect(config.problems()).toEqual([]);
    expect(config.current().directors.size).toBe(0);
  });

  test('settings are the defaults', async () => {
    const { dir } = await makeFolder({ 'settings.yaml': 'enabled: false\nruns: { concurrency: 3 }\n' });
    expect((await open(dir)).current().settings.runs.concurrency).toBe(16);
  });
});

describe('a restart', () => {
  test('with a broken file keeps its last good version', async () => {
    const { dir } = await makeFolder(VALID);
    const place = new MemoryPlace();
    const first = await open(dir, { place });
    const { revision } = first.current();
    await first.close();
    await save(dir, 'agents/reader.yaml', BROKEN);
    const second = await open(dir, { place });
    expect(second.current().revision).toBe(revision);
    expect(second.current().agents.get('reader')?.name).toBe('Reader');
    expect(statesOf(second)['agents/reader']).toBe('stale');
  });

  test('after a deletion keeps the document while it is named, and drops it otherwise', async () => {
    const { dir } = await makeFolder({ ...VALID, 'agents/spare.yaml': 'id: spare\n' });
    const place = new MemoryPlace();
    await (await open(dir, { place })).close();
    await rm(join(dir, 'agents/reader.yaml'));
    await rm(join(dir, 'agents/spare.yaml'));
    const second = await open(dir, { place });
    expect([...second.current().agents.keys()]).toEqual(['reader']);
    await second.close();
    expect([...place.good.keys()].filter((name) => name.startsWith('agents/'))).toEqual(['agents/reader']);
  });

  test('with an empty folder drops everything', async () => {
    const { dir } = await makeFolder(VALID);
    const place = new MemoryPlace();
    await (await open(dir, { place })).close();
    await rm(dir, { recursive: true });
    const second = await open(dir, { place });
    await second.close();
    expect(second.current().documents.size).toBe(0);
    expect(place.good.size).toBe(0);
  });

  test('without a tool that the last good version names leaves that version out', async () => {
    const { dir } = await makeFolder({ 'agents/x.yaml': 'id: x\ntools: [search]\n' });
    const place = new MemoryPlace();
    await (await open(dir, { place })).close();
    await save(dir, 'agents/x.yaml', 'id: [\n');
    const tools = new Map([...catalog.tools].filter(([name]) => name !== 'search'));
    const second = await open(dir, { place, catalog: { ...catalog, tools } });
    expect(statesOf(second)['agents/x']).toBe('invalid');
  });

  test('the user’s broken file is never rewritten', async () => {
    const { dir } = await makeFolder({ 'agents/x.yaml': BROKEN });
    const config = await open(dir);
    expect(config.read('agent', 'x').text).toBe(BROKEN);
  });
});

test('a last good set that could not be saved is saved with the next change', async () => {
  const { dir } = await makeFolder(VALID);
  const place = new MemoryPlace();
  place.isBroken = true;
  const errors: string[] = [];
  const log: Logger = { ...silentLogger, error: (message) => errors.push(message) };
  const config = await open(dir, { place, log });
  await save(dir, 'agents/more.yaml', 'id: more\n');
  await new Promise((resolve) => setImmediate(resolve));
  place.isBroken = false;
  await config.refresh();
  await config.close();
  expect(errors).toHaveLength(1);
  expect([...place.good.keys()].sort()).toEqual([...config.current().documents.keys()]);
});

test('listeners hear of changes and of new problems, and one that throws disturbs nobody', async () => {
  const { dir } = await makeFolder(VALID);
  const config = await open(dir);
  const heard: string[][] = [];
  config.onChange(() => {
    throw new Error('mine');
  });
  const stop = config.onChange(({ changed, previous, snapshot }) =>
    heard.push([...changed, String(previous === snapshot)]),
  );
  await save(dir, 'agents/reader.yaml', 'id: reader\n');
  await config.refresh();
  await save(dir, 'agents/reader.yaml', BROKEN);
  await config.refresh();
  stop();
  await save(dir, 'agents/reader.yaml', 'id: reader\nname: R\n');
  await config.refresh();
  expect(heard).toEqual([['agents/reader', 'false'], ['true']]);
});
