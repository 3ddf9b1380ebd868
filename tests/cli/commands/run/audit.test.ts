import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILES, LETTER, makePlace, type Place } from '../../harness.ts';

const SCRIPT = `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call:
      - { tool: workspace_add_item, arguments: { label: Note, data: text } }
      - { tool: mail_archive, arguments: { emailId: mail_x } }
  - when: { any: true }
    say: done
`;
const BOSS =
  'id: boss\nname: Boss\napiConfigId: main\ntools: [mail, workspace]\npermissions: { deny: [mail_archive], allow: [workspace_*] }\n';

let place: Place;
beforeAll(async () => {
  place = makePlace({ ...FILES, 'apis/main.yaml': SCRIPT, 'directors/boss.yaml': BOSS });
  place.drop('a.eml', LETTER);
  await place.run(['run', 'boss', '--email', 'inbox/a.eml']);
});
afterAll(() => place.remove());

test('the calls of runs are listed newest first, with the rule that decided', async () => {
  const { code, stdout } = await place.run(['audit']);
  expect(code).toBe(0);
  const [head, first, why, second, reason] = stdout.split('\n');
  expect(head).toMatch(/^AT +RUN +BY +ALLOWED +CALL$/);
  expect(first).toMatch(/ boss +no +mail_archive mail_x$/);
  expect(why).toMatch(/^    "mail_archive" is not allowed: director boss: permissions.deny has .*…$/);
  expect(second).toMatch(/ boss +yes +workspace_add_item$/);
  expect(reason).toBe('    director boss: permissions.allow has "workspace_*"');
});

test('--run, --since and --limit choose lines, and --json prints them whole', async () => {
  const { stdout } = await place.run(['audit', '--run', 'last', '--since', '1h', '--limit', '1', '--json']);
  const page = JSON.parse(stdout) as { items: object[]; nextCursor: string };
  expect(page.items).toMatchObject([{ actionType: 'mail_archive', wasAllowed: false, target: 'mail_x' }]);
  expect(page.nextCursor).toBeTruthy();
  expect(await place.run(['audit', '--limit', '1'])).toMatchObject({ stderr: 'only the newest call is listed\n' });
  expect(await place.run(['audit', '--since', 'soon'])).toMatchObject({ code: 2 });
});
