import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, readSource } from '../../../engine/src/config/parse/read.ts';
import { validateConfig } from '../../../engine/src/config/validate-folder.ts';
import { catalog, env, makeFolder } from '../folder.ts';

const OUTSIDE = 'CONFIG_LINK_OUTSIDE';
const codes = async (dir: string) =>
  (await validateConfig({ dir, catalog, env })).problems.map(({ file, code }) => `${file} ${code}`);

describe.skipIf(process.platform === 'win32')('symbolic links in the config folder (not on Windows)', () => {
  test.each([
    ['to the root of the disk', '/'],
    ['to a folder beside it', '../outside'],
    ['to the folder itself', '.'],
    ['to the folder around it', '..'],
  ])('a link %s is reported and not followed', async (_name, target) => {
    const { base, dir } = await makeFolder({ 'agents/a.yaml': 'id: a\nname: A\ndescription: Reads.\n' });
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside/b.yaml'), 'id: b\n');
    await symlink(target, join(dir, 'prompts'));
    expect((await listFiles(dir)).map(({ relative }) => relative).sort()).toEqual(['agents/a.yaml', 'prompts']);
    expect(await codes(dir)).toContain(`config/prompts ${OUTSIDE}`);
  });

  test('a link to a document outside is not read, and nothing of it is shown', async () => {
    const { base, dir } = await makeFolder({ 'agents/a.yaml': 'id: a\nname: A\ndescription: Reads.\n' });
    await writeFile(join(base, 'password.txt'), 'root:secret-word:0:0\n');
    await symlink(join(base, 'password.txt'), join(dir, 'agents/b.yaml'));
    const found = await readSource(dir, 'agents/b.yaml');
    expect(found).toMatchObject({ code: OUTSIDE, file: 'config/agents/b.yaml' });
    expect(JSON.stringify(found)).not.toContain('secret-word');
  });

  test('links inside the folder are followed, as a mounted Kubernetes volume has them', async () => {
    const { dir } = await makeFolder({});
    const real = join(dir, '..2026/agents/a.yaml');
    await mkdir(dirname(real), { recursive: true });
    await writeFile(real, 'id: a\nname: A\ndescription: Reads.\n');
    await symlink('..2026', join(dir, '..data'));
    await symlink('..data/agents', join(dir, 'agents'));
    expect((await listFiles(dir)).map(({ relative }) => relative)).toEqual(['agents/a.yaml']);
    expect(await readSource(dir, 'agents/a.yaml')).toMatchObject({ kind: 'agent', id: 'a' });
  });

  test('a link that leads nowhere is no document', async () => {
    const { dir } = await makeFolder({});
    await mkdir(join(dir, 'agents'), { recursive: true });
    await symlink('nowhere', join(dir, 'agents/a.yaml'));
    expect(await readSource(dir, 'agents/a.yaml')).toBeUndefined();
  });
});
