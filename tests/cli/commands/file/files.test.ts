import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILES, makePlace, type Place } from '../../harness.ts';

const SCRIPT = `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: notebook_write_file, arguments: { path: /a.md, content: "new\\n" } }
  - when: { any: true }
    say: done
`;
const BOSS =
  'id: boss\nname: Boss\napiConfigId: main\ntools: [notebook]\nscope: { notebooks: [lab], operations: [write] }\n';

let place: Place;
let file: string;
beforeAll(() => {
  place = makePlace({
    ...FILES,
    'settings.yaml': 'roots: { lab: ./lab }\n',
    'apis/main.yaml': SCRIPT,
    'directors/boss.yaml': BOSS,
    'directors/free.yaml': `${BOSS.replace('boss', 'free')}permissions: { allow: [notebook_write_file] }\n`,
  });
  const folder = join(place.dataDir, '..', 'lab');
  mkdirSync(folder);
  file = join(folder, 'a.md');
  writeFileSync(file, 'old\n');
});
afterAll(() => place.remove());

test('a write that waits is shown with its diff; one that was made is listed, shown and undone', async () => {
  const none = await place.run(['files', 'list']);
  expect(none).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/there is no data folder .*\nno changes of files\n$/),
  });
  await place.run(['run', 'boss', '--message', 'hi']);
  const [approvalId = ''] = /\S+(?= +pending)/.exec((await place.run(['approvals', 'list'])).stdout) ?? [];
  const asked = await place.run(['approvals', 'show', approvalId]);
  expect(asked.stdout).toContain('  --- /a.md\n  +++ /a.md\n  @@ -1,1 +1,1 @@\n  -old\n  +new\n');
  expect(readFileSync(file, 'utf8')).toBe('old\n');

  await place.run(['run', 'free', '--message', 'hi']);
  expect(readFileSync(file, 'utf8')).toBe('new\n');

  const table = await place.run(['files', 'list']);
  const [, id = ''] =
    /^EFFECT .*\n([0-9a-z]+) +\S+ \S+ +write +[0-9a-z]+ +free +lab:\/a\.md\n$/.exec(table.stdout) ?? [];
  expect((await place.run(['files', 'show', id])).stdout).toContain('-old\n+new\n');
  const undone = await place.run(['files', 'undo', id]);
  expect(undone).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^restored lab:\/a\.md; callsheet files undo fchg_/),
  });
  expect(readFileSync(file, 'utf8')).toBe('old\n');
  expect((await place.run(['files', 'list'])).stdout).toMatch(/ undo [^]* write \(undone\) /);
  writeFileSync(file, 'of a person\n');
  // The whole id: an undo within the same second begins with the same characters.
  const listed = JSON.parse((await place.run(['files', 'list', '--json'])).stdout) as { items: { id: string }[] };
  const later = await place.run(['files', 'undo', listed.items[1]?.id ?? '']);
  expect([later.code, later.stderr.includes('is no longer as the change')]).toEqual([2, true]);
});
