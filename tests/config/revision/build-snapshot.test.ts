import { describe, expect, test } from 'vitest';
import { brief, makeFolder, MemoryPlace, open, save, VALID } from '../folder.ts';

describe('a snapshot', () => {
  test('has every default filled in', async () => {
    const { dir } = await makeFolder(VALID);
    const { settings, apis, accounts, directors, agents, filters } = (await open(dir)).current();
    expect(settings).toMatchObject({
      sessionTimeoutMinutes: 15,
      fetch: { everySeconds: 60, concurrency: 4 },
      runs: { concurrency: 2 },
      server: { host: '127.0.0.1', port: 3001 },
    });
    expect(apis.get('main')).toMatchObject({
      baseUrl: 'https://api.openai.com/v1',
      limits: { timeoutSeconds: 120, concurrency: 8 },
      retry: { attempts: 4, backoffSeconds: 1 },
    });
    expect(accounts.get('support')).toMatchObject({ format: 'auto', enabled: true });
    expect(directors.get('boss')).toMatchObject({
      mode: 'orchestrate',
      tools: ['workspace'],
      budget: { maxIterations: 40, maxMinutes: 10 },
    });
    expect(agents.get('reader')).toMatchObject({ tools: ['workspace'], budget: { maxIterations: 20, maxMinutes: 10 } });
    expect(filters[0]).toMatchObject({ stop: false, description: '' });
  });

  test('of an empty folder, or of none, is the defaults', async () => {
    const { dir } = await makeFolder({});
    const { settings, documents } = (await open(dir)).current();
    expect(settings.runs.concurrency).toBe(16);
    expect(documents.size).toBe(0);
  });

  test('calls a director and an agent without a name by their id', async () => {
    const { dir } = await makeFolder({ 'agents/reader.yaml': 'id: reader\n' });
    expect((await open(dir)).current().agents.get('reader')?.name).toBe('reader');
  });

  test('is frozen all the way down', async () => {
    const { dir } = await makeFolder(VALID);
    const snapshot = (await open(dir)).current();
    expect(Object.isFrozen(snapshot)).toBe(true);
    expect(Object.isFrozen(snapshot.filters)).toBe(true);
    expect(Object.isFrozen(snapshot.apis.get('main')?.fallback)).toBe(true);
    expect(Object.isFrozen(snapshot.settings.server)).toBe(true);
  });

  test('has filters by order, then id, those without an order last', async () => {
    const filter = (id: string, order: string) => `id: ${id}\nfield: To\nregex: a\ndirectorId: boss\n${order}`;
    const { dir } = await makeFolder({
      ...VALID,
      'filters/b.yaml': filter('b', 'order: 2'),
      'filters/c.yaml': filter('c', 'order: -1'),
      'filters/a.yaml': filter('a', ''),
      'filters/d.yaml': filter('d', 'order: 2'),
    });
    expect((await open(dir)).current().filters.map(({ id }) => id)).toEqual(['c', 'b', 'd', 'a', 'all']);
  });

  test('lists an agent again once it is enabled, and shares what no change concerns while another is disabled', async () => {
    const { dir } = await makeFolder({ ...VALID, 'agents/off.yaml': 'id: off\nenabled: false\n' });
    const config = await open(dir);
    const agentsOfBoss = () => config.current().directors.get('boss')?.agents;
    const first = config.current();
    await save(dir, 'agents/reader.yaml', 'id: reader\nenabled: false\n');
    await config.refresh();
    expect(agentsOfBoss()).toEqual([]);
    await save(dir, 'agents/reader.yaml', 'id: reader\n');
    await config.refresh();
    expect(agentsOfBoss()).toEqual(['reader']);
    const { directors, filters } = config.current();
    await save(dir, 'agents/reader.yaml', 'id: reader\nname: Other\n');
    await config.refresh();
    expect(config.current().directors).toBe(directors);
    expect(config.current().filters).toBe(filters);
    expect(config.current().agents).not.toBe(first.agents);
  });

  test('takes JSON documents with $schema, and drops the $schema', async () => {
    const { dir } = await makeFolder({
      'agents/x.json': '{ "$schema": "../../../schemas/agent.schema.json", "id": "x" }',
    });
    const agent = (await open(dir)).current().agents.get('x');
    expect(agent).toMatchObject({ id: 'x' });
    expect(agent).not.toHaveProperty('$schema');
  });

  test('takes an address for the id of an account', async () => {
    const { dir } = await makeFolder({
      'accounts/jane@example.org.yaml': 'id: jane@example.org\nprovider: folder\nemail: jane@example.org\npath: in\n',
    });
    expect([...(await open(dir)).current().accounts.keys()]).toEqual(['jane@example.org']);
  });
});

describe('a revision', () => {
  test('is the same for the same files, whatever order they came in, and for every process', async () => {
    const one = await makeFolder(VALID);
    const two = await makeFolder(Object.fromEntries(Object.entries(VALID).reverse()));
    expect((await open(one.dir)).current().revision).toBe((await open(two.dir)).current().revision);
  });

  test('is the one of the files again when a change is taken back', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const { revision } = config.current();
    await save(dir, 'agents/reader.yaml', 'id: reader\n');
    await config.refresh();
    expect(config.current().revision).not.toBe(revision);
    await save(dir, 'agents/reader.yaml', VALID['agents/reader.yaml'] ?? '');
    await config.refresh();
    expect(config.current().revision).toBe(revision);
  });

  test('stays at hand after a swap, with its sources', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const old = config.current();
    await save(dir, 'agents/reader.yaml', 'id: reader\n');
    await config.refresh();
    expect(await config.revision(old.revision)).toBe(old);
    const sources = config.sources(old.revision);
    expect([...sources.keys()].sort()).toEqual([...old.documents.keys()]);
    expect(sources.get('agents/reader')).toMatchObject({
      file: 'config/agents/reader.yaml',
      text: VALID['agents/reader.yaml'],
    });
  });

  test('is built again from the place, in a later process', async () => {
    const { dir } = await makeFolder(VALID);
    const place = new MemoryPlace();
    const first = await open(dir, { place });
    const old = first.current();
    place.revisions.set(old.revision, first.sources(old.revision));
    await first.close();
    await save(dir, 'agents/reader.yaml', 'id: reader\nname: Newer\n');
    const second = await open(dir, { place });
    const [built, again] = await Promise.all([second.revision(old.revision), second.revision(old.revision)]);
    expect(built).toBe(again);
    expect(built.revision).toBe(old.revision);
    expect([...built.documents]).toEqual([...old.documents]);
    expect(built.agents.get('reader')?.name).toBe('Reader');
    expect(second.current().agents.get('reader')?.name).toBe('Newer');
  });

  test('that nobody kept is not found', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await expect(config.revision('0'.repeat(64))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(() => config.sources('0'.repeat(64))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  test('whose documents this version cannot use is refused with the reason', async () => {
    const { dir } = await makeFolder(VALID);
    const place = new MemoryPlace();
    place.revisions.set(
      'old',
      new Map([['agents/x', { file: 'config/agents/x.yaml', hash: 'h', text: 'id: x\nlegacy: 1\n' }]]),
    );
    const config = await open(dir, { place });
    await expect(config.revision('old')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      where: { file: 'config/agents/x.yaml' },
    });
  });
});

test('problems come by file, line and column', async () => {
  const { dir } = await makeFolder({ 'filters/z.yaml': 'id: z\nb: 1\na: 1\n', 'agents/a.yaml': 'id: a\nx: 1\n' });
  expect(brief((await open(dir)).problems())).toEqual([
    'agents/a.yaml:2:1 CONFIG_UNKNOWN_KEY',
    'filters/z.yaml:1:1 CONFIG_MISSING_KEY',
    'filters/z.yaml:2:1 CONFIG_UNKNOWN_KEY',
    'filters/z.yaml:3:1 CONFIG_UNKNOWN_KEY',
  ]);
});
