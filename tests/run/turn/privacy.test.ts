import { afterEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/src/base/error.ts';
import type { Recogniser } from '../../../engine/src/guard/privacy/recogniser.ts';
import type { PrivateKind, PrivateSpan } from '../../../engine/src/guard/privacy/private-span.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { parameters } from '../../../engine/src/tool/parameters.ts';
import { defineTool } from '../../../engine/src/tool/define-tool.ts';
import { listEvents } from '../../../engine/src/trace/provider-events.ts';
import { call, type Play, playModels, setStage, type Stage } from '../harness.ts';

const VALUES: readonly (readonly [PrivateKind, RegExp])[] = [
  ['email', /[\w.]+@[\w.]+\w/g],
  ['person', /(?:Karthik|Zoe|Priya)(?: Rao)?/gi],
  ['phone', /\+?\d{10}/g],
];

/** Finds what the tests write. */
const recogniser: Recogniser = {
  async recognise(text, { kinds }) {
    const spans = VALUES.flatMap(([kind, pattern]): PrivateSpan[] =>
      kinds?.includes(kind) === false
        ? []
        : [...text.matchAll(pattern)].map(({ 0: value, index }) => ({
            ...{ start: index, end: index + value.length, kind, text: value },
          })),
    );
    return spans.filter(
      (one) => !spans.some((other) => other !== one && other.start <= one.start && other.end > one.end),
    );
  },
  close: async () => {},
};

const seen: unknown[] = [];
const ANY = { description: 'anything' };
const world = (name: string, effects: 'read' | 'write', family = name) =>
  defineTool({
    ...{ name, family, effects, repeat: 'free' as const, description: name },
    parameters: parameters({ to: ANY, deep: ANY, query: ANY, text: ANY, from: ANY, q: ANY }),
    async run(args) {
      seen.push([name, args]);
      return { ok: true, echo: 'Zoe answered' };
    },
  });
const TOOLS = [
  world('web', 'read'),
  world('post', 'write'),
  world('file_it', 'write'),
  world('mail_search', 'read', 'mail'),
  { ...world('letter', 'write'), recipients: ['to'] as const },
];

const PRIVATE = 'privacy: { restoreIn: [post] }\n';
const FILES = {
  'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace, memory, mail, web, post, file_it, letter]\npermissions: { allow: ["*"] }\n${PRIVATE}`,
  'agents/helper.yaml': 'id: helper\nname: Helper\ntools: [workspace, post]\npermissions: { allow: ["*"] }\n',
};

let stage: Stage;
afterEach(() => stage.close());

interface Played {
  readonly requests: ModelRequest[];
  readonly id: string;
  readonly sent: string;
}

async function play(message: string, answers: Play, over: object = {}): Promise<Played> {
  const requests: ModelRequest[] = [];
  seen.length = 0;
  stage = await setStage({
    files: FILES,
    recogniser,
    tools: TOOLS,
    models: playModels((request) => {
      requests.push(request);
      return answers(request);
    }),
    ...over,
  });
  const id = await stage.begin('boss', message);
  await stage.ended(id);
  return { requests, id, sent: JSON.stringify(requests) };
}

const last = (request: ModelRequest | undefined) => request?.messages.at(-1)?.content ?? '';

describe('a run with privacy', () => {
  test('shows models placeholders, and people the real values', async () => {
    const { requests, sent, id } = await play('email to karthik, then call 1234567890', () => ({
      content: 'I wrote to <PERSON_1>.',
    }));
    expect(last(requests[0])).toBe('email to <PERSON_1>, then call <PHONE_1>');
    expect(requests[0]?.messages[0]?.content).toContain('<KIND_N>');
    expect(sent).not.toMatch(/karthik|1234567890/i);
    const run = await stage.run(id);
    expect(run).toMatchObject({ status: 'completed', summary: 'I wrote to karthik.' });
    const messages = await stage.messages(run.dirThreadId);
    expect(messages.map(({ content }) => content).join()).not.toContain('<PERSON_1>');
    expect(messages.at(-1)?.content).toBe('I wrote to karthik.');
  });

  test('gives the real values to the tools that restoreIn names, to searches of the own mail and to workspace, nested too', async () => {
    const { sent } = await play('tell Karthik Rao', ({ turn }) =>
      turn === 1
        ? {
            tool_calls: [
              call('a', 'post', { to: ['<PERSON_1>'], deep: { list: [{ who: 'Dear <PERSON_1>' }] } }),
              call('b', 'web', { query: 'who is <PERSON_1>' }),
              call('c', 'file_it', { text: '<PERSON_1>' }),
              call('d', 'mail_search', { from: '<PERSON_1>' }),
              call('e', 'workspace_add_item', { label: 'L', mimeType: 'text/plain', data: 'For <PERSON_1>' }),
            ],
          }
        : { content: 'done' },
    );
    expect(seen).toEqual(
      expect.arrayContaining([
        ['post', { to: ['Karthik Rao'], deep: { list: [{ who: 'Dear Karthik Rao' }] } }],
        ['web', { query: 'who is <PERSON_1>' }],
        ['file_it', { text: '<PERSON_1>' }],
        ['mail_search', { from: 'Karthik Rao' }],
      ]),
    );
    const [item] = await stage.app.deps.store.list('item');
    expect(item?.body).toContain('For Karthik Rao');
    expect(sent).not.toMatch(/karthik/i);
    expect(sent).not.toContain('Zoe');
  });

  test('fails a call with a placeholder that stands for nothing, with an error that the model can act on', async () => {
    const { requests } = await play('tell Karthik', ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('a', 'post', { to: '<PERSON_9>' }), call('b', 'post', { to: '<Person_1>' })] }
        : { content: 'ok' },
    );
    expect(seen).toEqual([]);
    const errors = (requests[1]?.messages ?? [])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content ?? '');
    expect(errors).toHaveLength(2);
    for (const error of errors) expect(JSON.parse(error)).toMatchObject({ error: { code: 'PRIVACY_PLACEHOLDER' } });
    expect(errors[0]).toContain('PERSON 9');
  });

  test('sends no mail with a placeholder in it where restoreIn does not name its tool, and says so', async () => {
    const { requests } = await play('tell Karthik', ({ turn }) =>
      turn === 1
        ? { tool_calls: [call('a', 'letter', { to: '<PERSON_1>' }), call('b', 'letter', { text: 'Dear <PERSON_1>' })] }
        : { content: 'ok' },
    );
    expect(seen).toEqual([]);
    expect(await stage.app.deps.store.count('approval')).toBe(0);
    const errors = requests[1]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(errors).toHaveLength(2);
    for (const { content } of errors) {
      expect(JSON.parse(content ?? '')).toMatchObject({ error: { code: 'PRIVACY_PLACEHOLDER' } });
      expect(content).toContain('privacy.restoreIn does not name it');
    }
  });

  test('never restores what looked like a placeholder in the words of a person', async () => {
    await play('tell Karthik that <PERSON_1> is great', ({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', 'post', { text: '<TEXT_1> <PERSON_1>' })] } : { content: 'ok' },
    );
    expect(seen).toEqual([['post', { text: '<PERSON_1> Karthik' }]]);
  });

  test('keeps one map for the director, its agents and what tools return', async () => {
    const { requests, sent } = await play('ask about Karthik', ({ role, turn }) => {
      if (role === 'agent')
        return turn === 1
          ? { tool_calls: [call('x', 'post', { to: '<PERSON_1>' })] }
          : { content: '<PERSON_1> met <PERSON_2>' };
      return turn === 1
        ? { tool_calls: [call('a', 'agent__helper', { input: 'Who is <PERSON_1>?' })] }
        : { content: 'ok' };
    });
    const agent = requests.filter(({ role }) => role === 'agent');
    expect(last(agent[0])).toBe('Who is <PERSON_1>?');
    expect(last(agent[1])).toContain('<PERSON_2> answered');
    expect(last(requests.at(-1))).toContain('<PERSON_1> met <PERSON_2>');
    expect(sent).not.toMatch(/karthik|zoe/i);
    expect(seen).toEqual([['post', { to: 'Karthik' }]]);
  });

  test('shares no map with another run', async () => {
    const { requests } = await play('tell Karthik', () => ({ content: 'ok' }));
    await stage.ended(await stage.begin('boss', 'tell Priya'));
    expect(last(requests[1])).toBe('tell <PERSON_1>');
    const rows = await stage.app.deps.store.list('entity');
    expect(new Set(rows.map(({ conversation }) => conversation)).size).toBe(2);
    const summaries = await stage.app.deps.store.list('run');
    expect(summaries).toHaveLength(2);
  });

  test('shows in the diagnostics the bytes that were sent and received', async () => {
    const { requests, id } = await play('tell Karthik', ({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', 'web', { q: '<PERSON_1>' })] } : { content: 'Hi <PERSON_1>' },
    );
    const { dirThreadId } = await stage.run(id);
    const events = await listEvents(stage.app.deps.store, dirThreadId);
    expect(events.map(({ kind }) => kind)).toEqual(['request', 'response', 'request', 'response']);
    const [first, , second] = events.map(({ payload }) => payload as { messages: unknown; tools: unknown });
    expect(first?.messages).toEqual(requests[0]?.messages);
    expect(first?.tools).toEqual(requests[0]?.tools);
    expect(second?.messages).toEqual(requests[1]?.messages);
    expect(JSON.stringify(events)).not.toMatch(/karthik/i);
  });

  test('waits while private data cannot be found, then fails, and sends nothing', async () => {
    let asked = 0;
    const { requests, id } = await play('tell Karthik', () => ({ content: 'ok' }), {
      recogniser: {
        ...recogniser,
        recognise: async () => {
          asked++;
          throw new EngineError('PRIVACY_UNAVAILABLE', 'the service does not answer');
        },
      },
    });
    expect(await stage.run(id)).toMatchObject({ status: 'failed', error: { code: 'PRIVACY_UNAVAILABLE' } });
    expect(requests).toEqual([]);
    expect(asked).toBeGreaterThan(1);
  });

  test('goes on when private data can be found again', async () => {
    let asked = 0;
    const { id, sent } = await play('tell Karthik', () => ({ content: 'Hi <PERSON_1>' }), {
      recogniser: {
        ...recogniser,
        recognise: async (...given: Parameters<Recogniser['recognise']>) => {
          if (asked++ === 0) throw new EngineError('PRIVACY_UNAVAILABLE', 'the service does not answer');
          return recogniser.recognise(...given);
        },
      },
    });
    expect(await stage.run(id)).toMatchObject({ status: 'completed', summary: 'Hi Karthik' });
    expect(sent).not.toContain('Karthik');
  });

  test('is deleted with the run', async () => {
    const { id } = await play('tell Karthik', () => ({ content: 'ok' }));
    const { store } = stage.app.deps;
    expect(await store.count('entity')).toBe(1);
    expect(await store.count('redactedMessage')).toBeGreaterThan(1);
    const { deleteRun } = await import('../../../engine/src/run/lifecycle/delete.ts');
    await store.apply(await deleteRun(store, id));
    expect(await store.count('entity')).toBe(0);
    expect(await store.count('redactedMessage')).toBe(0);
  });
});
