import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInToolTable } from '../../../../engine/src/app/tool-catalog.ts';
import { makePlace, type Place } from '../../harness.ts';

let place: Place;
beforeAll(() => void (place = makePlace()));
afterAll(() => place.remove());

test('all tools are listed in 80 columns', async () => {
  const { code, stdout } = await place.run(['tools']);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^TOOL +FAMILY +EFFECTS +DEFAULT +DESCRIPTION$/);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const listed = lines.map((line) => line.split(' ')[0]);
  expect(listed).toEqual(expect.arrayContaining([...builtInToolTable().keys(), 'read_api_docs', 'agent__<id>']));
  expect(stdout).toMatch(/^mail_send +mail +write +ask +Sends /m);
});

test.each(['mail_draft', 'draft_reply'])('%s shows what there is to know of the tool', async (name) => {
  const { code, stdout } = await place.run(['tools', name]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^mail_draft\n {2}Writes an answer/);
  expect(stdout).toContain('  effects   write\n');
  expect(stdout).toContain('  default   ask; with permissions and no rule for it: deny\n');
  expect(stdout).toContain('  aliases   draft_reply\n');
  expect(stdout).toMatch(/^ {4}to \(string\[\]\)\n {6}Recipients of a new mail\./m);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('a family shows all its tools, also as JSON', async () => {
  expect((await place.run(['tools', 'todo'])).stdout).toMatch(/^todo_add\n[^]*^todo_list\n/m);
  const { stdout } = await place.run(['tools', 'todo', '--json']);
  expect((JSON.parse(stdout) as [string, { name: string }][]).map(([, { name }]) => name)).toEqual([
    'todo_add',
    'todo_list',
  ]);
});

test('an unknown name suggests the nearest', async () => {
  const { code, stderr } = await place.run(['tools', 'mail_sned']);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no tool and no family "mail_sned"; did you mean "mail_send"?');
});
