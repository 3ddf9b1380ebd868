import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listItems } from '../../../engine/src/workspace/items.ts';
import type { Message, ModelRequest, ToolCall } from '../../../engine/src/model/model.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';

const FILES = {
  'accounts/me.yaml': 'id: me\nprovider: folder\nemail: me@example.org\npath: ./mail\n',
  'directors/desk.yaml': `
id: desk
name: Desk
mode: plan
apiConfigId: main
tools: [mail, calendar]
permissions: { allow: ['*'] }
privacy: { redact: [person, email], restoreIn: [mail_draft, calendar_add] }
`,
  '../mail/note.txt': 'makes the folder of the account',
  'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\n',
};

/** The calls of the executor, one a step, and whether the user wants more than one file of a type. */
let calls: readonly ToolCall[] = [];
let wantsSeveralFiles = false;

const textOf = ({ messages }: ModelRequest, role: Message['role']) =>
  messages.flatMap((message) => (message.role === role ? [message.content ?? ''] : [])).join('\n');

/** Every request of the run, as its model got it. */
let sent: string[] = [];

const models = playModels((request) => {
  sent.push(JSON.stringify([request.messages, request.tools]));
  const system = textOf(request, 'system');
  if (system.includes('You are the planner')) {
    const steps = calls.map((one, n) => ({ title: `Step ${n + 1}`, task: 'Do it.', tool: one.function.name }));
    const more = { language: 'en', needsOutside: false, preferences: [] };
    return { content: JSON.stringify({ ...more, wantsSeveralFiles, steps }) };
  }
  if (!system.includes('You are the executor')) return { content: 'Done.' };
  if (request.messages.at(-1)?.role === 'tool') return { content: 'Made.' };
  const step = Number(/Your step is (\d+)/.exec(textOf(request, 'user'))?.[1]);
  return { tool_calls: [calls[step - 1] ?? call('c', 'nothing', {})] };
});

const draft = (id: string, subject: string) =>
  call(id, 'mail_draft', {
    accountId: 'me',
    to: ['<PERSON_1> <ann@example.org>'],
    subject,
    text: `Dear <PERSON_1>,\n${subject}`,
  });
const event = call('e', 'calendar_add', {
  event: { title: 'Lunch with <PERSON_1>', start: '2027-11-25T12:00', end: '2027-11-25T13:00' },
});

describe('files that a plan makes', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage({ files: FILES, models });
  });
  afterAll(() => stage.close());

  async function filesOf(made: readonly ToolCall[], several = false) {
    calls = made;
    sent = [];
    wantsSeveralFiles = several;
    const id = await stage.begin('desk', 'write an email to karthik, and add lunch tomorrow at 12');
    const run = await stage.ended(id);
    const items = await listItems(stage.app.deps.store, run.workspaceId);
    const threads = await stage.app.deps.store.list('thread', { where: [['run', '=', id]] });
    const messages = (await Promise.all(threads.map((thread) => stage.messages(thread.id)))).flat();
    const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
    return { run, items, results };
  }

  test('become items with the real names, one of each type, which the result of the call names', async () => {
    const { run, items, results } = await filesOf([draft('a', 'Hello'), event]);
    expect(run.status).toBe('completed');
    expect(items.map(({ mimeType, label, revision }) => [mimeType, label, revision])).toEqual([
      ['message/rfc822', 'Hello', 1],
      ['text/calendar', 'Lunch with karthik', 1],
    ]);
    expect(items[0]?.data).toMatch(/^Message-ID: |^From: /m);
    expect(items[0]?.data).toContain('Dear karthik');
    expect(items[1]?.data).toContain('BEGIN:VCALENDAR');
    for (const { data } of items) expect(data).not.toContain('<PERSON_');
    expect(sent.filter((request) => /karthik/i.test(request))).toEqual([]);
    expect(results[0]).toContain(`"id":"${items[0]?.id}"`);
    expect(results[1]).not.toContain('VCALENDAR');
  });

  test('replace the earlier one of their type', async () => {
    const { items, run } = await filesOf([draft('a', 'First'), draft('b', 'Second')]);
    expect(items.map(({ label, revision }) => [label, revision])).toEqual([['Second', 2]]);
    expect(items[0]?.data).toContain('Second');
    expect(run.summary).toContain('Made in all: - mail_draft (First) - mail_draft (Second)');
  });

  test('stay side by side where the user asked for several', async () => {
    const { items } = await filesOf([draft('a', 'First'), draft('b', 'Second')], true);
    expect(items.map(({ label, revision }) => [label, revision])).toEqual([
      ['First', 1],
      ['Second', 1],
    ]);
  });
});
