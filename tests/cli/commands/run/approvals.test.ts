import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILES, LETTER, makePlace, type Place } from '../../harness.ts';

const SCRIPT = `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: mail_send, arguments: { text: 'I call you at [time].' } }
  - when: { any: true }
    say: done
`;
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [mail]\npermissions: { ask: [mail_send] }\n';

let place: Place;
beforeAll(() => {
  place = makePlace({ ...FILES, 'apis/main.yaml': SCRIPT, 'directors/boss.yaml': BOSS });
  place.drop('a.eml', LETTER);
});
afterAll(() => place.remove());

test('a mail with gaps is listed with a warning, and leaves only with --yes', async () => {
  await place.run(['run', 'boss', '--email', 'inbox/a.eml']);
  const listed = await place.run(['approvals', 'list']);
  const [, id = ''] = /^(appr_\S+): /m.exec(listed.stderr) ?? [];
  expect(listed.stderr).toContain(`${id}: The text has gaps that nobody filled in: [time].`);
  const refused = await place.run(['approvals', 'allow', id]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/was not allowed.*\[time\][^]*--yes/) });
  expect(await place.run(['approvals', 'list'])).toMatchObject({ code: 3 });
  expect(await place.run(['approvals', 'allow', id, '--yes'])).toMatchObject({ code: 0 });
  expect(await place.run(['approvals', 'list'])).toMatchObject({ code: 0, stderr: 'no pending approvals\n' });
});
