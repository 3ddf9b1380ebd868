import { afterEach, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../engine/src/chat/chat.ts';
import { readMessages } from '../../engine/src/chat/chat-rows.ts';
import type { Recogniser } from '../../engine/src/guard/privacy/recogniser.ts';
import type { ModelRequest } from '../../engine/src/model/model.ts';
import { call, type Play, playModels, setStage, type Stage } from '../run/harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const JANE = { id: 'jane', name: 'Jane' };

/** Finds the name that the tests write. */
const recogniser: Recogniser = {
  recognise: async (text) =>
    [...text.matchAll(/Karthik/g)].map(({ 0: value, index }) => ({
      ...{ start: index, end: index + value.length, kind: 'person' as const, text: value },
    })),
  close: async () => {},
};

interface Said {
  /** The reply of the agent. */
  readonly reply: ChatMessage | undefined;
  readonly requests: readonly ModelRequest[];
}

/** Asks a configured agent, the only participant of a chat. */
async function say(text: string, files: Readonly<Record<string, string>>, play: Play): Promise<Said> {
  const requests: ModelRequest[] = [];
  stage = await setStage({
    files,
    recogniser,
    models: playModels((request) => {
      requests.push(request);
      return play(request);
    }),
  });
  stage.app.notices.start();
  const { chats, deps } = stage.app;
  const { id } = await chats.create(
    { title: 'Desk', participants: [{ displayName: 'Helper', agentId: 'helper' }] },
    JANE,
  );
  await chats.say(id, `@helper ${text}`, JANE);
  await expect.poll(async () => (await chats.view(id)).round).toBeUndefined();
  const [, reply] = await readMessages(deps.store, id, { limit: 10 });
  return { reply, requests };
}

const HELPER = 'id: helper\nname: Helper\napiConfigId: main\n';

describe('an agent of the config as a participant', () => {
  test('under a director with privacy gets placeholders, and its reply has the real values', async () => {
    const files = {
      'agents/helper.yaml': HELPER,
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\nprivacy: { redact: [person] }\n',
    };
    const { reply, requests } = await say('who is Karthik?', files, () => ({
      content: '<PERSON_1> is the electrician.',
    }));
    expect(JSON.stringify(requests)).toContain('who is <PERSON_1>?');
    expect(JSON.stringify(requests)).not.toContain('Karthik');
    expect(reply?.text).toBe('Karthik is the electrician.');
  });

  test('has a prompt that its thread keeps whole, and of which the trace gives the length', async () => {
    const { reply } = await say('x'.repeat(3000), { 'agents/helper.yaml': HELPER }, () => ({ content: 'Yes.' }));
    const { store } = stage.app.deps;
    const entries = await store.list('entry', { where: [['scope', '=', reply?.meta.runId ?? '']] });
    const start = entries.map(({ body }) => JSON.parse(body)).find(({ detail }) => detail?.action === 'agent_start');
    const messages = await store.list('message', { where: [['thread', '=', start.detail.sessionId]] });
    const prompt: string = messages.map(({ body }) => JSON.parse(body)).findLast(({ role }) => role === 'user').content;
    expect(prompt).toContain('x'.repeat(3000));
    expect(start.detail.request).toEqual({
      input: expect.stringMatching(/^@helper x{1992}$/),
      promptCharacters: prompt.length,
    });
  });

  test('reads no file out of its scope', async () => {
    const scope = 'tools: [notebook]\nscope: { notebooks: [lab], operations: [read], folders: [notes] }\n';
    const files = {
      'settings.yaml': 'roots: { lab: ./lab }\n',
      '../lab/notes/a.md': 'open words',
      '../lab/other/b.md': 'hidden words',
      'agents/helper.yaml': `${HELPER}${scope}permissions: { allow: ['*'] }\n`,
    };
    const { reply, requests } = await say('read both', files, ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { content: 'One of them.' }
        : {
            tool_calls: [
              call('a', 'notebook_read_file', { notebook: 'lab', path: 'notes/a.md' }),
              call('b', 'notebook_read_file', { notebook: 'lab', path: 'other/b.md' }),
            ],
          },
    );
    const results = JSON.stringify(requests.at(-1)?.messages.filter(({ role }) => role === 'tool'));
    expect(results).toContain('open words');
    expect(results).toContain('OUT_OF_SCOPE');
    expect(results).not.toContain('hidden words');
    expect(reply?.text).toBe('One of them.');
  });

  test('whose budget ends its turn leaves a line that says so', async () => {
    const files = { 'agents/helper.yaml': `${HELPER}tools: [workspace]\nbudget: { maxIterations: 1 }\n` };
    const { reply, requests } = await say('work', files, () => ({
      tool_calls: [call('a', 'workspace_list_items', {})],
    }));
    expect(requests).toHaveLength(1);
    expect(reply).toMatchObject({ authorDisplayName: 'Helper', meta: { error: { code: 'LIMIT_STEPS' } } });
    expect(reply?.text).toMatch(/^Helper could not answer: stopped after 1 model turn/);
  });
});
