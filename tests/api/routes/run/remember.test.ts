import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { AlwaysChanges } from '../../../../engine/src/api/routes/run/always.ts';
import type { ApprovalView } from '../../../../engine/src/api/routes/run/approval-view.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const BOSS = '# The boss.\nid: boss\nname: Boss\napiConfigId: main\ntools: [mail, todo] # keep\n';
const mailTo = (to: string, text = 'Hello.') => ({ to: [to], subject: 'News', text });

/** A run whose director makes these calls of mail_send, one after the other. */
async function open(calls: readonly object[], boss = BOSS) {
  desk = await openDesk({
    files: { 'directors/boss.yaml': boss },
    play: ({ turn }) => {
      const args = calls[turn - 1];
      return args === undefined ? { content: 'Done.' } : { tool_calls: [call(`c${turn}`, 'mail_send', args)] };
    },
  });
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'Send them.' });
  return json.id;
}

/** The approval that waits next; undefined where the run has ended. */
async function next(runId: string): Promise<ApprovalView | undefined> {
  await desk.stage.until(runId, ({ status, waitingFor }) => status === 'completed' || waitingFor === 'approval');
  const [approval] = (await desk.get('/api/approvals?status=pending')).json.items;
  return approval as unknown as ApprovalView | undefined;
}
const answer = async (approval: ApprovalView | undefined, body: object) =>
  desk.post(`/api/approvals/${approval?.id}`, { decision: 'allow', ...body });
const sent = () => {
  const folder = join(desk.stage.root, 'outbox');
  const texts = existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
  return texts.map((text) => /^To: (.*?)\r?$/m.exec(text)?.[1] ?? '').toSorted();
};

describe('allowing the same for this run', () => {
  test('lets the same call pass, and asks about any other', async () => {
    const run = await open([mailTo('ann@example.org'), mailTo('ann@example.org'), mailTo('ann@example.org', 'Bye.')]);
    const first = await next(run);
    expect(first?.canRemember).toEqual(['run', 'always']);
    expect((await answer(first, { remember: 'run' })).json).toMatchObject({ status: 'allowed', remembered: 'run' });
    expect((await next(run))?.arguments).toMatchObject({ text: 'Bye.' });
    expect(sent()).toEqual(['ann@example.org', 'ann@example.org']);
    const { allowed } = await desk.stage.run(run);
    expect(allowed).toMatchObject([{ tool: 'mail_send', by: 'local', approvalId: first?.id }]);
    expect((await desk.get(`/api/runs/${run}`)).json).toMatchObject({ allowed });
  });

  test('lets calls pass that match a pattern, also after a restart', async () => {
    const run = await open([mailTo('ann@example.org'), mailTo('x@evil.example'), mailTo('bob@example.org', 'Hi.')]);
    await answer(await next(run), { remember: 'run', pattern: 'mail_send(to=*@example.org)' });
    const second = await next(run);
    expect(second?.arguments).toMatchObject({ to: ['x@evil.example'] });
    await desk.restart('another-token-for-tests-0123456789');
    await answer(second, {});
    expect(await next(run)).toBeUndefined();
    expect(sent()).toEqual(['ann@example.org', 'bob@example.org', 'x@evil.example']);
  });

  test('takes a pattern only if it matches the call', async () => {
    const run = await open([mailTo('ann@example.org')]);
    const approval = await next(run);
    for (const pattern of ['mail_send(to=bob@example.org)', 'mail_draft', 'mail_send(to=', '']) {
      const refused = await answer(approval, { remember: 'run', pattern });
      expect([pattern, refused.status, refused.json.error.code]).toEqual([pattern, 400, 'BAD_REQUEST']);
    }
    expect((await next(run))?.id).toBe(approval?.id);
  });
});

describe('allowing the same always', () => {
  const changesOf = async (approval: ApprovalView | undefined, query = '') =>
    (await desk.get(`/api/approvals/${approval?.id}/always${query}`)).json as unknown as AlwaysChanges;
  const boss = () => readFileSync(join(desk.stage.root, 'config/directors/boss.yaml'), 'utf8');
  const NAMED = `${BOSS}permissions:\n  allow: [mail_draft] # drafts are fine\n  ask: [todo_add]\n`;

  test('shows the change first, and changes the file with the answer, comments and order kept', async () => {
    const run = await open(
      [mailTo('ann@example.org')],
      `${NAMED.replace('mail_draft', '"mail_send(to=bob@example.org)"')}`,
    );
    const approval = await next(run);
    const before = boss();
    const shown = await changesOf(approval);
    expect(shown.pattern).toBe('mail_send(to=ann@example.org)');
    expect(shown.changes).toMatchObject([{ kind: 'director', id: 'boss', file: 'config/directors/boss.yaml' }]);
    expect(shown.changes[0]?.diff).toContain(
      '+  allow: ["mail_send(to=bob@example.org)", mail_send(to=ann@example.org)] # drafts are fine',
    );
    expect(boss()).toBe(before);
    const body = { remember: 'always', pattern: shown.pattern, seen: shown.seen };
    expect((await answer(approval, body)).json).toMatchObject({ status: 'allowed', remembered: 'always' });
    expect(boss()).toContain('# The boss.');
    expect(boss()).toContain('# drafts are fine');
    expect(await next(run)).toBeUndefined();
    const again = await desk.post('/api/runs', { directorId: 'boss', message: 'Send it again.' });
    expect(await next(again.json.id)).toBeUndefined();
    expect(sent()).toEqual(['ann@example.org', 'ann@example.org']);
  });

  test('keeps asking about the other tools of a file that had no permissions', async () => {
    const run = await open([mailTo('ann@example.org')]);
    const approval = await next(run);
    const shown = await changesOf(approval);
    await answer(approval, { remember: 'always', pattern: shown.pattern, seen: shown.seen });
    expect(desk.stage.app.config.current().directors.get('boss')?.permissions).toMatchObject({
      allow: ['mail_send(to=ann@example.org)'],
      ask: ['mail_archive', 'mail_draft', 'mail_label', 'todo_add'],
    });
  });

  test('needs the hash of what was shown, and does nothing where the file has changed since', async () => {
    const run = await open([mailTo('ann@example.org')]);
    const approval = await next(run);
    const { seen, pattern } = await changesOf(approval);
    expect((await answer(approval, { remember: 'always' })).json.error.code).toBe('BAD_REQUEST');
    desk.stage.write({ 'directors/boss.yaml': `${BOSS}imprint: Be brief.\n` });
    await desk.stage.app.config.refresh();
    const refused = await answer(approval, { remember: 'always', pattern, seen });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
    expect((await next(run))?.status).toBe('pending');
    expect(boss()).toBe(`${BOSS}imprint: Be brief.\n`);
  });

  test('is not offered where a rule of "ask" names the call, since that goes first', async () => {
    const run = await open([mailTo('ann@example.org')], `${BOSS}permissions: { ask: [mail_send] }\n`);
    const approval = await next(run);
    expect(approval?.canRemember).toEqual(['run']);
    const refused = await desk.get(`/api/approvals/${approval?.id}/always`);
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      expect.stringContaining('director boss has "mail_send" in permissions.ask'),
    ]);
  });
});
