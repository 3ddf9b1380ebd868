import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder, open, save, VALID } from '../folder.ts';

const COMMENTED = 'id: reader   # the id\n# who it is\nname: Reader\n';

describe('write', () => {
  test('changes the file it came from, comments kept, and is applied when it resolves', async () => {
    const { dir } = await makeFolder({ ...VALID, 'agents/reader.yaml': COMMENTED });
    const config = await open(dir);
    const { value } = config.read('agent', 'reader');
    const written = await config.write('agent', 'reader', { ...value, name: 'Scholar' });
    expect(await readFile(join(dir, 'agents/reader.yaml'), 'utf8')).toBe(COMMENTED.replace('Reader', 'Scholar'));
    expect(config.current().agents.get('reader')?.name).toBe('Scholar');
    expect(written).toMatchObject({ value: { name: 'Scholar' }, state: { state: 'live' } });
  });

  test('writes no defaults that were not spelt out, and keeps those that were', async () => {
    const text = 'id: reader\nenabled: true\nbudget: { maxMinutes: 10 }\n';
    const { dir } = await makeFolder({ ...VALID, 'agents/reader.yaml': text });
    const config = await open(dir);
    const value = config.current().agents.get('reader');
    await config.write('agent', 'reader', { ...value, budget: { maxIterations: 5, maxMinutes: 10 } });
    expect(await readFile(join(dir, 'agents/reader.yaml'), 'utf8')).toBe(
      'id: reader\nenabled: true\nbudget: { maxMinutes: 10, maxIterations: 5 }\n',
    );
  });

  test('takes out a key that the value does not have', async () => {
    const { dir } = await makeFolder({ ...VALID, 'agents/reader.yaml': COMMENTED });
    const config = await open(dir);
    await config.write('agent', 'reader', { id: 'reader' });
    expect(await readFile(join(dir, 'agents/reader.yaml'), 'utf8')).toBe('id: reader   # the id\n# who it is\n');
  });

  test('mends a broken file', async () => {
    const { dir } = await makeFolder({ 'agents/x.yaml': 'id: [\n' });
    const config = await open(dir);
    await config.write('agent', 'x', { id: 'x', name: 'X' });
    expect(config.current().agents.get('x')?.name).toBe('X');
    expect(config.problems()).toEqual([]);
  });

  test('keeps a JSON file JSON', async () => {
    const text = '{\n  "$schema": "../../../schemas/agent.schema.json",\n  "id": "x"\n}\n';
    const { dir } = await makeFolder({ 'agents/x.json': text });
    const config = await open(dir);
    await config.write('agent', 'x', { id: 'x', name: 'X' });
    expect(await readFile(join(dir, 'agents/x.json'), 'utf8')).toBe(text.replace('"x"\n', '"x",\n  "name": "X"\n'));
  });

  test('creates the settings file if need be', async () => {
    const { dir } = await makeFolder({});
    const config = await open(dir);
    await config.write('settings', 'settings', { ...config.current().settings, runs: { concurrency: 3 } });
    expect(config.current().settings.runs.concurrency).toBe(3);
    expect(await readFile(join(dir, 'settings.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=.*settings\.schema\.json\n/,
    );
  });

  test.each([
    { name: 'an unknown key', value: { id: 'reader', nme: 'x' }, path: '/nme' },
    { name: 'another id', value: { id: 'other' }, path: '/id' },
    { name: 'an api that is not there', value: { id: 'reader', apiConfigId: 'none' }, path: '/apiConfigId' },
  ])('refuses $name, and leaves the file alone', async ({ value, path }) => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await expect(config.write('agent', 'reader', value)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      where: { file: 'config/agents/reader.yaml', path },
    });
    expect(await readFile(join(dir, 'agents/reader.yaml'), 'utf8')).toBe(VALID['agents/reader.yaml']);
  });

  test('refuses what would break a document that names it', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const template = { id: 'mood', messages: [{ role: 'system', content: 'Hi.' }] };
    await expect(config.write('prompt', 'mood', template)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      where: { file: 'config/directors/boss.yaml' },
    });
  });

  test('refuses to write over a change that the caller has not seen', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const { state, value } = config.read('agent', 'reader');
    await save(dir, 'agents/reader.yaml', 'id: reader\nname: Other\n');
    await config.refresh();
    const late = config.write('agent', 'reader', { ...value }, { expectedHash: state.hash });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('refuses to write over a change of the file that no process has read yet', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const { state, value } = config.read('agent', 'reader');
    await save(dir, 'agents/reader.yaml', 'id: reader\nname: Other\n');
    await save(dir, 'agents/new.yaml', 'id: new\nname: Mine\n');
    const late = config.write('agent', 'reader', { ...value }, { expectedHash: state.hash });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(config.create('agent', 'new', { name: 'Theirs' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readFile(join(dir, 'agents/reader.yaml'), 'utf8')).toContain('Other');
    expect(await readFile(join(dir, 'agents/new.yaml'), 'utf8')).toContain('Mine');
  });

  test('of a document that is not there is refused', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await expect(config.write('agent', 'none', { id: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(() => config.read('agent', 'none')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  test('follows a link to the file, keeps its mode and leaves nothing beside it', async () => {
    const { base, dir } = await makeFolder({});
    await mkdir(join(dir, 'agents'), { recursive: true });
    await mkdir(join(dir, '.real'));
    const real = join(dir, '.real/x.yaml');
    await writeFile(real, 'id: x\n');
    await chmod(real, 0o600);
    await symlink(real, join(dir, 'agents/x.yaml'));
    const config = await open(dir);
    await config.write('agent', 'x', { id: 'x', name: 'X' });
    expect((await lstat(join(dir, 'agents/x.yaml'))).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(dir, 'agents'))).toEqual(['x.yaml']);
    expect(await readdir(join(dir, '.real'))).toEqual(['x.yaml']);
    expect(await readdir(base)).toEqual(['config']);
  });

  test('never writes through a link that leads out of the folder', async () => {
    const { base, dir } = await makeFolder({ 'agents/y.yaml': 'id: y\n' });
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside/x.yaml'), 'id: x\n');
    await symlink(join(base, 'outside'), join(dir, 'prompts'));
    const config = await open(dir);
    await expect(config.create('prompt', 'x', { messages: [{ role: 'system', content: 'x' }] })).rejects.toMatchObject({
      code: 'CONFIG_LINK_OUTSIDE',
    });
    expect(await readdir(join(base, 'outside'))).toEqual(['x.yaml']);
    expect(config.problems().map(({ code, file }) => [code, file])).toContainEqual([
      'CONFIG_LINK_OUTSIDE',
      'config/prompts',
    ]);
  });

  test('two at once on one document are one after the other', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await Promise.all([
      config.write('agent', 'reader', { id: 'reader', name: 'One' }),
      config.write('agent', 'reader', { id: 'reader', name: 'Two' }),
    ]);
    expect(config.current().agents.get('reader')?.name).toBe('Two');
  });
});

describe('create', () => {
  test('writes a new file that begins with the modeline', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const { state } = await config.create('agent', 'judge', { name: 'Judge', tools: [] });
    expect(state).toMatchObject({ file: 'config/agents/judge.yaml', state: 'live' });
    const lines = (await readFile(join(dir, 'agents/judge.yaml'), 'utf8')).split('\n');
    expect(lines[0]).toMatch(/^# yaml-language-server: \$schema=.*agent\.schema\.json$/);
    expect(lines[1]).toBe('id: judge');
    expect(config.current().agents.get('judge')?.name).toBe('Judge');
  });

  test('refuses a taken id, and one that leads out of the folder', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await expect(config.create('agent', 'reader', {})).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(config.create('agent', '../../evil', {})).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

describe('remove', () => {
  test('deletes the file of a document that nobody names', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await config.remove('filter', 'all');
    expect(config.current().filters).toEqual([]);
    expect(await readdir(join(dir, 'filters'))).toEqual([]);
  });

  test('refuses while another names it, and says which', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    await expect(config.remove('agent', 'reader')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('config/directors/boss.yaml') as string,
    });
    await expect(config.remove('agent', 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('reorder begins with the files as they are on the disk now', async () => {
  const { dir } = await makeFolder({ ...VALID, 'agents/x.yaml': 'id: x\n', 'agents/y.yaml': 'id: y\n' });
  const config = await open(dir);
  await writeFile(join(dir, 'agents/x.yaml'), 'id: x\nname: New\n');
  await config.reorder('agent', ['y', 'x']);
  expect(await readFile(join(dir, 'agents/x.yaml'), 'utf8')).toBe('id: x\nname: New\norder: 20\n');
});

test('reorder writes an order into each document, those not named behind', async () => {
  const filter = (id: string) => `id: ${id} # ${id}\nfield: To\nregex: a\ndirectorId: boss\n`;
  const { dir } = await makeFolder({ ...VALID, 'filters/x.yaml': filter('x'), 'filters/y.yaml': filter('y') });
  const config = await open(dir);
  await config.reorder('filter', ['y', 'x']);
  expect(config.current().filters.map(({ id }) => id)).toEqual(['y', 'x', 'all']);
  expect(await readFile(join(dir, 'filters/x.yaml'), 'utf8')).toBe(`${filter('x')}order: 20\n`);
  await expect(config.reorder('filter', ['none'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
