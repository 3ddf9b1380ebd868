import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../../engine/src/base/log.ts';
import { createRedactor } from '../../../../engine/src/base/redact.ts';
import type { Chat, ChatMessage } from '../../../../engine/src/chat/chat.ts';
import type { PermissionRules } from '../../../../engine/src/config/permissions.ts';
import type { Approval } from '../../../../engine/src/guard/approval.ts';
import { createModels } from '../../../../engine/src/model/models.ts';
import { untilGone } from '../../../contracts/cli.ts';
import { type Desk, openDesk } from '../../harness.ts';
import { PATIENCE_MS } from '../../../next-try.ts';
import { programOf } from '../../../program.ts';

const FAKE = programOf(new URL('../../../model/cli/acp/fake-agent.ts', import.meta.url));
/** What the fake agent wants to do. */
const INPUT = { path: 'note.txt', text: 'hi' };
const PATIENCE = { timeout: PATIENCE_MS };

let desk: Desk;
let shop: string;
const variables: Record<string, string> = {};
beforeAll(async () => {
  const env = (name: string) => variables[name];
  desk = await openDesk({
    files: { 'settings.yaml': 'workspaces: { shop: ./shop }\n' },
    app: {
      env,
      models: createModels({
        ...{ resolve: () => undefined, redactor: createRedactor(), clock: systemClock, log: silentLogger, env },
      }),
    },
  });
  const { root } = desk.stage;
  shop = join(root, 'shop');
  for (const name of ['shop', 'programs']) mkdirSync(join(root, name));
  // With git, and without bubblewrap.
  symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(root, 'programs', 'git'));
  Object.assign(variables, { PATH: join(root, 'programs'), HOME: root, FAKE_DIR: root });
  writeFileSync(join(shop, 'plan.md'), 'the plan\n');
  const acpCommand = JSON.stringify([process.execPath, FAKE]);
  desk.stage.write({
    'apis/tool.yaml': `id: tool\nprovider: cli\ncli: codex\nprotocol: acp\nacpCommand: ${acpCommand}\nenv: [FAKE_DO, FAKE_DIR]\n`,
  });
  await desk.stage.app.config.refresh();
  // They drive the rounds.
  desk.stage.app.notices.start();
});
afterAll(() => desk.close());

/** Opens a chat with a participant whose tool behaves so, and has it speak. */
async function speak(behaviour: string, permissions: PermissionRules = {}): Promise<string> {
  variables['FAKE_DO'] = behaviour;
  const roaming = { enabled: true, workspaceDir: shop, mode: 'safe', confirmed: true };
  const participants = [{ displayName: 'Bob', apiConfigId: 'tool', permissions, roaming }];
  const chat = (await desk.post('/api/chats', { participants })).json as unknown as Chat;
  const { status } = await desk.post(`/api/chats/${chat.id}/participants/${chat.participants[0]?.id}/run`, {});
  expect(status).toBe(202);
  return chat.id;
}

/** The request that waits for a person, other than this one. */
const asked = (other?: Approval): Promise<Approval> =>
  vi.waitFor(async () => {
    const items = (await desk.get('/api/approvals?status=pending')).json.items as unknown as Approval[];
    expect(items).toHaveLength(1);
    expect(items[0]?.id).not.toBe(other?.id);
    return items[0]!;
  }, PATIENCE);
const decide = ({ id }: Approval, decision: 'allow' | 'deny') => desk.post(`/api/approvals/${id}`, { decision });
const messages = async (chat: string) =>
  (await desk.get(`/api/chats/${chat}/messages`)).json.items as unknown as ChatMessage[];
/** The text of the first message: what the tool was answered. */
const answered = (chat: string): Promise<unknown> =>
  vi.waitFor(async () => JSON.parse((await messages(chat))[0]?.text ?? ''), PATIENCE);
const selected = (kind: string) => ({ outcome: { outcome: 'selected', optionId: `the ${kind}` } });
const approvals = async () => (await desk.get('/api/approvals')).json.items.length;

describe('a command-line agent of a chat that asks for a permission', () => {
  test('gets the answer of a person who has seen its exact input, once and not for always', async () => {
    const chat = await speak('asks');
    const approval = await asked();
    expect(approval).toMatchObject({ kind: 'permission', tool: 'cli_edit', arguments: INPUT, status: 'pending' });
    expect(JSON.parse(approval.preview.data)).toEqual(INPUT);
    expect(await messages(chat)).toEqual([]);
    expect((await decide(approval, 'allow')).status).toBe(200);
    expect(await answered(chat)).toEqual(selected('allow_once'));
  });

  test('without its input waits for a person also where a rule allows it, and hears the refusal', async () => {
    const chat = await speak('asks-without-input', { allow: ['edit'] });
    const approval = await asked();
    expect(approval).toMatchObject({ tool: 'cli_edit', arguments: {} });
    expect(approval.warnings).toContain('The tool does not say what it would do: only its own words are known.');
    await decide(approval, 'deny');
    expect(await answered(chat)).toEqual(selected('reject_once'));
  });

  test.each<[string, PermissionRules, string]>([
    ['allow', { allow: ['edit(path=note.*)'] }, 'allow_once'],
    ['deny', { allow: ['edit'], deny: ['edit(path=note.*)'] }, 'reject_once'],
  ])('is answered at once where its permissions %s it', async (_name, permissions, kind) => {
    const before = await approvals();
    expect(await answered(await speak('asks', permissions))).toEqual(selected(kind));
    expect(await approvals()).toBe(before);
  });

  test('at a restart asks again in a new turn: the old request holds no longer, and one message comes', async () => {
    const chat = await speak('asks');
    const first = await asked();
    const tool = Number(readFileSync(join(desk.stage.root, 'pid'), 'utf8'));
    await desk.restart('another-token-for-tests-0123456789');
    desk.stage.app.notices.start();
    await untilGone(tool);
    const second = await asked(first);
    expect((await desk.get(`/api/approvals/${first.id}`)).json.status).toBe('lapsed');
    expect((await decide(first, 'allow')).json.error.code).toBe('APPROVAL_DECIDED');
    await decide(second, 'allow');
    expect(await answered(chat)).toEqual(selected('allow_once'));
    expect(await messages(chat)).toHaveLength(1);
  });
});
