import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../engine/src/base/clock.ts';
import { ANSWER_PATH, createAnswerLinks } from '../../../../engine/src/guard/answer-link.ts';
import type { WorldTool } from '../../../../engine/src/tool/tool.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const MAIL = '{ mail: { accountId: inbox, to: jane@example.org }';
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [post]\npermissions: { ask: [post_letter] }\n';

/** A run that waits to post a letter, and the path of the link in the mail about it; `''` where the mail has none. */
async function openPost(settings = `approvals: { notify: ${MAIL}, link: true } }\n`, boss = '') {
  const posted: object[] = [];
  const post: WorldTool = {
    ...{ name: 'post_letter', family: 'post', effects: 'write', repeat: 'key', description: 'Posts a letter.' },
    parameters: { type: 'object', properties: { to: { type: 'string' } }, additionalProperties: false },
    run: async (args) => posted.push(args),
  };
  desk = await openDesk({
    app: { tools: [post] },
    files: { 'settings.yaml': settings, 'directors/boss.yaml': BOSS + boss },
    play: ({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', 'post_letter', { to: '<b>Ada</b>\u202e' })] } : { content: 'Done.' },
  });
  desk.stage.app.notices.start();
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'm' });
  await desk.stage.until(json.id, ({ waitingFor }) => waitingFor === 'approval');
  await expect.poll(() => mails().length).toBe(1);
  const text = mails()[0]?.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
  const path = new RegExp(`http://127\\.0\\.0\\.1:\\d+(${ANSWER_PATH}\\S+)`).exec(text)?.[1] ?? '';
  const [approval] = (await desk.get('/api/approvals?status=pending')).json.items;
  return { runId: json.id, approvalId: approval?.id ?? '', path, posted };
}

const mails = () => {
  const folder = join(desk.stage.root, 'outbox');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.eml'))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
    : [];
};
const open = (path: string, method = 'GET') => desk.ask(method, path, { isSignedIn: false });
const answer = (path: string, form: string, headers: Record<string, string> = {}) =>
  desk.ask('POST', path, {
    isSignedIn: false,
    raw: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const approval = async (id: string) => (await desk.get(`/api/approvals/${id}`)).json;

describe('the link in a mail about an approval', () => {
  test('is not there unless the settings want it', async () => {
    expect((await openPost(`approvals: { notify: ${MAIL} } }\n`)).path).toBe('');
  });

  test('is there where a director wants it', async () => {
    const { path } = await openPost(`approvals: { notify: ${MAIL} } }\n`, 'approvals: { notify: { link: true } }\n');
    expect(path).not.toBe('');
  });

  test('opens a page that shows the call and changes nothing, however often a program follows it', async () => {
    const { path, approvalId, posted } = await openPost();
    for (const method of ['HEAD', 'GET', 'GET']) {
      const page = await open(path, method);
      expect([page.status, page.headers['referrer-policy'], page.headers['cache-control']]).toEqual([
        ...[200, 'same-origin', 'no-store'],
      ]);
      expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    }
    const { text } = await open(path);
    expect(text).toContain('&#60;b&#62;Ada');
    expect(text).toContain('[U+202E]');
    expect(text).not.toContain('<b>Ada');
    expect(await approval(approvalId)).toMatchObject({ status: 'pending' });
    expect(posted).toEqual([]);
  });

  test('answers once, by the form of its page, without a sign-in', async () => {
    const { runId, path, approvalId, posted } = await openPost();
    const allowed = await answer(path, 'decision=allow&reason=');
    expect([allowed.status, allowed.text]).toEqual([200, expect.stringContaining('Allowed')]);
    expect(await approval(approvalId)).toMatchObject({ status: 'allowed', decidedBy: 'jane@example.org' });
    await desk.stage.ended(runId);
    expect(posted).toHaveLength(1);
    const again = await answer(path, 'decision=deny');
    expect([again.status, (await open(path)).status]).toEqual([409, 409]);
    expect(await approval(approvalId)).toMatchObject({ status: 'allowed' });
  });

  test('denies with a reason', async () => {
    const { runId, path, approvalId, posted } = await openPost();
    expect((await answer(path, 'decision=deny&reason=not+today')).status).toBe(200);
    await desk.stage.ended(runId);
    expect(await approval(approvalId)).toMatchObject({ status: 'denied', decisionReason: 'not today' });
    expect(posted).toEqual([]);
  });

  test.each<readonly [string, (path: string) => Promise<{ status: number }>, number]>([
    ['another page', (path) => answer(path, 'decision=allow', { origin: 'https://evil.example' }), 403],
    ['another site', (path) => answer(path, 'decision=allow', { 'sec-fetch-site': 'cross-site' }), 403],
    ['a changed token', (path) => answer(path.slice(0, -1) + (path.endsWith('0') ? '1' : '0'), 'decision=allow'), 403],
    ['a token without its signature', (path) => answer(path.split('.')[0] ?? '', 'decision=allow'), 403],
    ['a form without an answer', (path) => answer(path, ''), 400],
    ['a long form', (path) => answer(path, `decision=allow&reason=${'x'.repeat(9000)}`), 413],
    ['the token in place of a sign-in', (path) => open(path.replace('link/', '')), 401],
  ])('does not answer for %s', async (_name, attack, status) => {
    const { path, approvalId } = await openPost();
    expect((await attack(path)).status).toBe(status);
    expect(await approval(approvalId)).toMatchObject({ status: 'pending' });
  });

  test('holds for three days, for one approval, and for what that is bound to', async () => {
    const { path, approvalId } = await openPost();
    const { store } = desk.stage.app.deps;
    const token = path.slice(ANSWER_PATH.length);
    const clock = new SimulatedClock(Date.now());
    const links = createAnswerLinks({ store, clock, config: () => desk.stage.app.config.current() });
    expect((await links.read(token))?.to).toBe('jane@example.org');
    clock.advance(3 * 24 * 3_600_000 + 1);
    expect(await links.read(token)).toBeUndefined();
    const row = await store.get('approval', { id: approvalId });
    const body = JSON.stringify({ ...(JSON.parse(row?.body ?? '') as object), hash: 'another' });
    await store.apply([{ op: 'update', table: 'approval', key: { id: approvalId }, set: { body } }]);
    expect((await open(path)).status).toBe(403);
  });
});
