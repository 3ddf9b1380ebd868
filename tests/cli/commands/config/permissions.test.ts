import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place } from '../../harness.ts';

let place: Place;
beforeAll(() => {
  place = makePlace();
  place.write({
    'directors/desk.yaml': [
      'id: desk\nname: Desk\napiConfigId: main\nagents: [writer]\ntools: [mail, workspace]',
      'permissions:\n  allow: [mail_send(to=*@company.com), mail_label, mail_draft]\n  ask: [mail_archive]\n  deny: [mail_send(to=*@rival.com), "agent__*"]\n',
    ].join('\n'),
    'agents/writer.yaml':
      'id: writer\nname: Writer\ndescription: Writes.\ntools: [mail]\npermissions: { allow: ["mail_*"], deny: [mail_label] }\n',
  });
});
afterAll(() => place.remove());

test('a table in 80 columns says for each caller and tool what happens, and by which rule', async () => {
  const { code, stdout } = await place.run(['permissions', 'desk']);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^TOOL +CALLER +CALL +RULE$/);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toMatch(/^mail_send +desk +deny +mail_send\(to=\*@rival\.com\)/m);
  expect(stdout).toMatch(/^ +allow +mail_send\(to=\*@company\.com\)/m);
  expect(stdout).toMatch(/^ +ask +with other arguments$/m);
  expect(stdout).toMatch(/^mail_label +writer +deny +mail_label$/m);
  expect(stdout).toMatch(/^mail_archive +writer +ask +mail_archive \(director desk\)$/m);
  expect(stdout).toMatch(/^agent__writer +desk +deny +agent__\*$/m);
});

test('the same as JSON, with the whole reason', async () => {
  const { stdout } = await place.run(['permissions', 'desk', '--json']);
  expect(JSON.parse(stdout)).toContainEqual({
    tool: 'mail_label',
    caller: { kind: 'agent', id: 'writer' },
    permission: 'deny',
    reason: 'agent writer: permissions.deny has "mail_label"',
    cases: [],
  });
});

test('an unknown director is an error that lists the directors', async () => {
  const { code, stderr } = await place.run(['permissions', 'dsk']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('there is no director "dsk"');
});
