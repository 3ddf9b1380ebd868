import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place } from '../../harness.ts';

const FILES = {
  'apis/main.yaml': `id: main
provider: scripted
script:
  - when: { text: upload, turn: 1 }
    call: { tool: document_read, arguments: { document: upload:1 } }
  - when: { turn: 2 }
    say: 'read: {{lastToolResult}}'
  - when: { any: true }
    say: 'you said {{lastUserText}}'
`,
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [document]\npermissions: { allow: [document_read] }\n',
};

let place: Place;
beforeAll(() => {
  place = makePlace(FILES);
  writeFileSync(join(place.dir, 'offer.txt'), 'Offer of 400 euros');
  writeFileSync(join(place.dir, 'broken.pdf'), '%PDF-1.7 broken');
});
afterAll(() => place.remove());

test('a message goes on with the last conversation, and reads the file that was attached to the first one', async () => {
  const none = await place.run(['run', 'boss', '--message', 'x', '--conversation', 'last']);
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('there is no conversation with director "boss"'),
  ]);
  const first = await place.run(['run', 'boss', '--message', 'what does it cost?', '--attach', 'offer.txt', '--json']);
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('Offer of 400 euros');
  const second = await place.run(['run', 'boss', '--message', 'thanks', '--conversation', 'last', '--json']);
  expect(second.code).toBe(0);
  const ids = [first, second].map(({ stdout }) => /"conversationId": "(conv_\w+)"/.exec(stdout)?.[1]);
  expect(ids[0]).toBeDefined();
  expect(ids[1]).toBe(ids[0]);
});

test.each([
  { name: 'that is not there', files: ['none.pdf'], says: 'cannot be read: ENOENT' },
  { name: 'that is a folder', files: ['config'], says: 'is not a file' },
  {
    name: 'that is broken',
    files: ['broken.pdf'],
    code: 1,
    says: '"broken.pdf" cannot be attached: the PDF is damaged',
  },
  { name: 'too many', files: Array.from({ length: 11 }, () => 'offer.txt'), says: 'at most 10 files, not 11' },
])('a file $name is refused, with a word that says why', async ({ files, says }) => {
  const ended = await place.run(['run', 'boss', '--message', 'x', '--attach', ...files]);
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(says)]);
});

test('files and conversations go with a message, not with a mail', async () => {
  for (const option of [
    ['--attach', 'offer.txt'],
    ['--conversation', 'last'],
  ])
    expect(await place.run(['run', 'boss', '--email', 'a.eml', ...option])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('go with --message'),
    });
});
