import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANSWER_PATH } from '../../../../engine/src/guard/answer-link.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({
    files: {
      'settings.yaml':
        'approvals: { notify: { mail: { accountId: inbox, to: jane@example.org }, link: true }, expireAfterDays: 2 }\n',
      'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [ask_user]\n',
    },
    play: ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('a', 'ask_user', { question: 'Which <b>day</b>?', choices: ['Monday "early"'] })] }
        : { content: 'Done.' },
  });
  desk.stage.app.notices.start();
});
afterAll(() => desk.close());

const mails = () => {
  const folder = join(desk.stage.root, 'outbox');
  return existsSync(folder)
    ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''))
    : [];
};
const pathsIn = () =>
  mails().flatMap((text) =>
    [...text.replaceAll('=3D', '=').matchAll(new RegExp(`http://127\\.0\\.0\\.1:\\d+(${ANSWER_PATH}\\S+)`, 'g'))].map(
      ([, path = '']) => path,
    ),
  );

/** A run that asks, and the path of the link in the mail about it. */
async function askByMail(): Promise<{ readonly runId: string; readonly path: string }> {
  const before = new Set(pathsIn());
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.stage.until(json.id, ({ waitingFor }) => waitingFor === 'answer');
  const news = () => pathsIn().find((path) => !before.has(path));
  await expect.poll(news).toBeDefined();
  return { runId: json.id, path: news() ?? '' };
}

const post = (path: string, form: string) =>
  desk.ask('POST', path, {
    isSignedIn: false,
    raw: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const questionOf = async (runId: string) => (await desk.get(`/api/approvals?runId=${runId}`)).json.items[0];

test('the link in a mail about a question opens a page with the question and its choices, and its form answers once', async () => {
  const { runId, path } = await askByMail();
  const page = await desk.ask('GET', path, { isSignedIn: false });
  expect(page.text).toContain('boss asks you');
  expect(page.text).toContain('Which &#60;b&#62;day&#60;/b&#62;?');
  expect(page.text).toContain('value="Monday &#34;early&#34;"');
  expect((await post(path, 'answer=+')).text).toContain('the form has no answer');
  expect((await post(path, 'answer=Tuesday+at+two')).text).toContain('Answered');
  expect(await questionOf(runId)).toMatchObject({ answer: 'Tuesday at two', decidedBy: 'jane@example.org' });
  expect((await post(path, 'answer=Friday')).text).toContain('answered already');
});

test.each([
  ['a choice answers', 'choice=Monday', { status: 'answered', answer: 'Monday' }],
  ['a person may refuse to answer', 'decision=deny', { status: 'denied' }],
])('%s by the link as well', async (_name, form, expected) => {
  const { runId, path } = await askByMail();
  expect((await post(path, form)).text).toContain('Answered');
  expect(await questionOf(runId)).toMatchObject(expected);
});
