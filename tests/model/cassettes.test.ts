import { join } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../engine/src/base/json.ts';
import type { ModelAnswer, Models } from '../../engine/src/model/model.ts';
import { corpora } from '../available.ts';
import { baseUrlOf, type Interaction, messagesOf, readCassettes, toolsOf } from './cassettes.ts';
import { ollamaApi, openaiApi, request, testModels } from './fixtures.ts';

const cassettes = corpora === undefined ? [] : readCassettes(join(corpora, 'llm-cassettes'));

/** Error code of each status, and whether another attempt may help. */
const CODES: Record<number, string> = {
  400: 'MODEL_BAD_REQUEST',
  401: 'MODEL_AUTH',
  403: 'MODEL_AUTH',
  404: 'MODEL_NOT_FOUND',
  408: 'MODEL_TIMEOUT',
  429: 'MODEL_RATE_LIMIT',
};
const codeOf = (status: number) => CODES[status] ?? (status >= 500 ? 'MODEL_UNAVAILABLE' : 'MODEL_BAD_REQUEST');

describe.skipIf(corpora === undefined)('recorded answers (left out without the corpora)', () => {
  beforeAll(() => nock.disableNetConnect());
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  test('there are some', () => {
    expect(cassettes.length).toBeGreaterThan(5);
  });

  describe.each(cassettes)('$name', ({ interactions }) => {
    test.each(interactions.map((interaction, index) => ({ interaction, index })))(
      'exchange $index gives the recorded calls, text, reason to stop or error',
      async ({ interaction }) => {
        const { response } = interaction;
        const { outcome, sent } = await replay(interaction);
        if (response.status >= 400) {
          expect(outcome).toMatchObject({ code: codeOf(response.status) });
          return;
        }
        expect(outcome).toMatchObject(expectedOf(response));
        expect(sent).toMatchObject({
          model: interaction.request.json['model'],
          messages: messagesOf(interaction.request),
        });
        expect(sent['tools'] ?? []).toEqual(toolsOf(interaction.request));
      },
    );
  });
});

/** Asks with the recorded messages and tools, the recorded answer coming back. */
async function replay({ request: recorded, response }: Interaction) {
  const { origin } = new URL(recorded.url);
  let sent: Record<string, unknown> = {};
  nock(origin)
    .post(
      (path) => path.split('?')[0]?.endsWith('/chat/completions') === true,
      (body) => {
        sent = body as Record<string, unknown>;
        return true;
      },
    )
    .query(true)
    .reply(response.status, response.sse ?? response.text ?? JSON.stringify(response.json), response.headers);
  const models = testModels();
  const outcome = await open(models, recorded)
    .ask(request({ messages: messagesOf(recorded), tools: toolsOf(recorded) }))
    .catch((error: unknown) => error);
  await models.close();
  return { outcome, sent };
}

function open(models: Models, { url, json }: Interaction['request']) {
  const model = String(json['model']);
  const baseUrl = baseUrlOf(url);
  return new URL(url).port === '11434'
    ? models.open(ollamaApi(baseUrl, { model }))
    : models.open(openaiApi(baseUrl, { model }));
}

/** What a recorded answer says, read by code that shares nothing with the adapter's. */
function expectedOf({ json, sse }: Interaction['response']): Partial<ModelAnswer> {
  const { content, calls, finish, refusal, model } = sse === undefined ? fromJson(json) : fromEvents(sse);
  const reasons: Record<string, ModelAnswer['stop']> = {
    length: 'length',
    content_filter: 'refusal',
    tool_calls: 'tool_calls',
  };
  return {
    message: {
      role: 'assistant',
      content,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args } })),
      }),
      ...(refusal !== undefined && { refusal }),
    },
    stop: refusal !== undefined ? 'refusal' : calls.length > 0 ? 'tool_calls' : (reasons[finish] ?? 'stop'),
    model,
  };
}

interface Plain {
  content: string | null;
  calls: { id: string; name: string; args: string }[];
  finish: string;
  refusal: string | undefined;
  model: string;
}

function fromJson(json: unknown): Plain {
  const body = json as { model: string; choices: { finish_reason: string; message: Record<string, unknown> }[] };
  const { finish_reason: finish, message } = body.choices[0]!;
  const calls = (message['tool_calls'] ?? []) as { id: string; function: { name: string; arguments: string } }[];
  return {
    content: (message['content'] as string | null | undefined) ?? (calls.length > 0 || message['refusal'] ? null : ''),
    calls: calls.map(({ id, function: fn }) => ({ id, name: fn.name, args: fn.arguments })),
    finish,
    refusal: (message['refusal'] as string | null | undefined) ?? undefined,
    model: body.model,
  };
}

function fromEvents(sse: string): Plain {
  const plain: Plain = { content: null, calls: [], finish: '', refusal: undefined, model: '' };
  for (const [, data] of sse.matchAll(/^data: (\{.*\})\r?$/gm)) {
    const chunk = JSON.parse(data!) as {
      model: string;
      choices: { delta: Record<string, unknown>; finish_reason: string | null }[];
    };
    plain.model ||= chunk.model;
    const choice = chunk.choices[0];
    if (choice === undefined) continue;
    plain.finish = choice.finish_reason ?? plain.finish;
    const { content, tool_calls: pieces } = choice.delta;
    if (typeof content === 'string') plain.content = `${plain.content ?? ''}${content}`;
    for (const piece of (pieces ?? []) as {
      index: number;
      id?: string;
      function?: { name?: string; arguments?: string };
    }[]) {
      const call = (plain.calls[piece.index] ??= { id: '', name: '', args: '' });
      call.id ||= piece.id ?? '';
      call.name ||= piece.function?.name ?? '';
      call.args += isRecord(piece.function) ? (piece.function.arguments ?? '') : '';
    }
  }
  if (plain.calls.length === 0) plain.content ??= '';
  return plain;
}
