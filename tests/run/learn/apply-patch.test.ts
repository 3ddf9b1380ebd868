import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyLearnPatch } from '../../../engine/src/run/learn/apply-patch.ts';
import { type LearnFile, readLearnFiles, targetOf } from '../../../engine/src/run/learn/learn-files.ts';
import { writePatch } from '../../../engine/src/run/learn/patch.ts';
import { makeFolder } from '../../config/folder.ts';

const NOTE = '---\nscope: local\n---\nAnna likes long answers.\n';
const AGENT = 'id: helper\nname: Helper\nimprint: Be kind.\n';
const [SHORT, BRIEF] = [NOTE.replace('long', 'short'), AGENT.replace('kind', 'brief')];
const validate = async () => ({ revision: '', problems: [] });

/** A config folder with an agent and a memory, and a patch that changes both and adds a memory. */
async function proposed() {
  const { base, dir } = await makeFolder({
    'agents/helper.yaml': AGENT,
    'directors/boss.yaml': 'id: boss\nname: Boss\nmemory: ./memories\n',
    '../memories/anna.md': NOTE,
  });
  const files = await readLearnFiles(dir);
  const target = (name: string): LearnFile => {
    const found = targetOf(files, name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const patch = writePatch('run_1', [
    { target: target('config/agents/helper.yaml'), after: BRIEF },
    { target: target('memories/anna.md'), after: SHORT },
    { target: target('memories/prices.md'), after: NOTE },
  ]);
  const read = (file: string) => readFile(join(base, file), 'utf8');
  return { base, dir, patch, read, apply: () => applyLearnPatch(dir, patch, validate) };
}

test('a patch of which one file cannot be written changes none', async () => {
  const { base, read, apply } = await proposed();
  await mkdir(join(base, 'memories/prices.md'));
  await expect(apply()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await read('config/agents/helper.yaml')).toBe(AGENT);
  expect(await read('memories/anna.md')).toBe(NOTE);
});

test.each([
  { name: 'after its first file', done: { 'memories/anna.md': SHORT } },
  { name: 'before its last file', done: { 'memories/anna.md': SHORT, 'memories/prices.md': NOTE } },
])('a patch whose application was interrupted $name is completed by the next one', async ({ done }) => {
  const { base, read, apply } = await proposed();
  for (const [file, text] of Object.entries(done)) await writeFile(join(base, file), text);
  await apply();
  expect(await read('config/agents/helper.yaml')).toBe(BRIEF);
  expect(await read('memories/anna.md')).toBe(SHORT);
  expect(await read('memories/prices.md')).toBe(NOTE);
  await expect(apply()).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});
