import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../engine/src/model/openai/completions-answer.ts';
import { readMessage } from '../../../engine/src/model/anthropic/answer.ts';
import { foldChat } from '../../../engine/src/model/openai/completions-stream.ts';
import { foldMessages } from '../../../engine/src/model/anthropic/stream.ts';
import { foldResponse } from '../../../engine/src/model/openai/responses-stream.ts';
import type { ModelAnswer } from '../../../engine/src/model/model.ts';
import { readOllama } from '../../../engine/src/model/ollama/answer.ts';
import { foldOllama } from '../../../engine/src/model/ollama/stream.ts';
import type { AnswerBody, StreamFold, ReadContext } from '../../../engine/src/model/protocol/protocol.ts';
import { receive } from '../../../engine/src/model/protocol/receive.ts';
import { readResponse } from '../../../engine/src/model/openai/responses-answer.ts';
import { corpora, isFull } from '../../available.ts';
import { isResponses, readCassettes } from '../cassettes.ts';
import { chunk, events, startServer } from '../chat-server.ts';
import { target, openaiApi, request, testModels } from '../fixtures.ts';
import { called, said, streamed, thought } from '../openai/responses-server.ts';

/** A stream with letters of several bytes, parallel calls in pieces, and its count of tokens. */
const own = events(
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Grüße 🍵' }),
  chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'look_up', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"word":' } }] }),
  chunk({ tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'look_up', arguments: '{}' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"tea"}' } }] }),
  chunk({}, 'tool_calls'),
  chunk(null, null, { usage: { prompt_tokens: 11, completion_tokens: 7 } }),
  '[DONE]',
);

/** The same of the Responses API, with thinking before and between the calls. */
const thinking = streamed([
  thought(),
  said('Grüße 🍵', { phase: 'commentary' }),
  called('a'),
  thought('gAAAA-2'),
  called('b', '{}'),
]);

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: [],
  stop_reason: null,
};
const delta = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more });
const claude = events(
  { type: 'message_start', message: { ...message, usage: { input_tokens: 11, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  delta(0, { type: 'text_delta', text: 'Grüße ' }),
  { type: 'ping' },
  delta(0, { type: 'text_delta', text: '🍵' }),
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'a', name: 'look_up', input: {} } },
  delta(1, { type: 'input_json_delta', partial_json: '' }),
  delta(1, { type: 'input_json_delta', partial_json: '{"word":' }),
  delta(1, { type: 'input_json_delta', partial_json: '"tea"}' }),
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
);

const line = (more: object) => `${JSON.stringify({ model: 'qwen3:8b', done: false, ...more })}\n`;
const qwen =
  line({ message: { role: 'assistant', content: 'Grüße 🍵' } }) +
  line({ message: { content: '', tool_calls: [{ function: { name: 'look_up', arguments: { word: 'tea' } } }] } }) +
  line({ message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 11, eval_count: 7 });

/** How a stream is read, and what stands in it when nothing is missing but the count of tokens. */
interface Kind {
  readonly type: string;
  readonly fold: () => StreamFold;
  readonly read: (body: AnswerBody, context: ReadContext) => ModelAnswer;
  readonly enough: RegExp;
}

const CHAT: Kind = { type: 'text/event-stream', fold: foldChat, read: readAnswer, enough: /"finish_reason": ?"/ };
const MESSAGES: Kind = {
  type: 'text/event-stream',
  fold: foldMessages,
  read: readMessage,
  enough: /"stop_reason": ?"/,
};
const LINES: Kind = { type: 'application/x-ndjson', fold: foldOllama, read: readOllama, enough: /"done": ?true/ };

const RESPONSES: Kind = {
  type: 'text/event-stream',
  fold: foldResponse,
  read: readResponse,
  enough: /^data: \{"type": ?"response\.(completed|incomplete)"/m,
};

const recorded =
  corpora === undefined
    ? []
    : readCassettes(join(corpora, 'llm-cassettes')).flatMap(({ name, interactions }) =>
        interactions.flatMap(({ request: asking, response: { sse, text, headers } }, index) => {
          const stream = sse ?? (/ndjson/.test(headers['content-type'] ?? '') ? text : undefined);
          // Those that end in an error are played whole, with the other recordings.
          if (stream === undefined || /"error": ?[{"]|"type": ?"error"/.test(stream)) return [];
          const spoken = isResponses(asking) ? RESPONSES : stream.includes('message_start') ? MESSAGES : CHAT;
          return [{ name: `${name}, exchange ${index}`, stream, kind: sse === undefined ? LINES : spoken }];
        }),
      );

/** The answer, or the error, of a stream that arrives as these pieces. */
async function read(kind: Kind, ...pieces: readonly Uint8Array[]): Promise<ModelAnswer> {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const response = new Response(body, { headers: { 'content-type': kind.type } });
  const received = await receive(response, { fold: kind.fold, target, onStream: () => undefined });
  return kind.read(received, { turn: 1, offered: [], target });
}

const timeout = isFull ? 600_000 : 60_000;
const suffix = corpora === undefined ? ' (recorded ones are left out without the corpora)' : '';

describe.each([
  { name: "a stream in OpenAI's way", stream: own, kind: CHAT },
  { name: "a stream of OpenAI's Responses API", stream: thinking, kind: RESPONSES },
  { name: "a stream in Anthropic's way", stream: claude, kind: MESSAGES },
  { name: "a stream in Ollama's way", stream: qwen, kind: LINES },
  ...recorded,
])(`$name${suffix}`, ({ stream, kind }) => {
  const bytes = Buffer.from(stream);
  // What it takes grows with the square of the length: a short loop parts it at some fifteen hundred places.
  const step = isFull ? 1 : Math.ceil(bytes.length / 1500);
  const cuts = Array.from({ length: Math.floor(bytes.length / step) + 1 }, (_, place) => place * step);
  /** From here on nothing is missing that an answer needs: the line that says so is complete, but for its end. */
  const enough = bytes.indexOf('\n', bytes.toString('latin1').search(kind.enough)) - 1;

  test('gives the same answer in two pieces, wherever they part', { timeout }, async () => {
    const whole = await read(kind, bytes);
    for (const at of cuts) expect(await read(kind, bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
  });

  test('gives the same answer or a retryable error where it ends early', { timeout }, async () => {
    const { message, stop, model } = await read(kind, bytes);
    for (const at of cuts) {
      const outcome = await read(kind, bytes.subarray(0, at)).catch((error: unknown) => error);
      const expected = at > enough ? { message, stop, model } : { code: 'MODEL_BAD_ANSWER', retryable: true };
      expect(outcome, `after ${at} bytes`).toMatchObject(expected);
    }
  });
});

test('over a real connection the answer is the same wherever its bytes part', { timeout: 60_000 }, async () => {
  const bytes = Buffer.from(own);
  let at = 0;
  const server = await startServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(bytes.subarray(0, at), () => response.end(bytes.subarray(at)));
  });
  const models = testModels();
  const model = models.open(openaiApi(`${server.origin}/v1`, { stream: true }));
  const whole = await read(CHAT, bytes);
  for (at = 1; at < bytes.length; at += isFull ? 1 : 23) expect(await model.ask(request())).toEqual(whole);
  await models.close();
  await server.close();
});
