import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../engine/src/model/answer.ts';
import { foldChat } from '../../engine/src/model/fold-chat.ts';
import type { ModelAnswer } from '../../engine/src/model/model.ts';
import { receive } from '../../engine/src/model/receive.ts';
import { corpora, isFull } from '../available.ts';
import { readCassettes } from './cassettes.ts';
import { chunk, events, startServer } from './chat-server.ts';
import { asked, openaiApi, request, testModels } from './fixtures.ts';

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

const recorded =
  corpora === undefined
    ? []
    : readCassettes(join(corpora, 'llm-cassettes')).flatMap(({ name, interactions }) =>
        interactions.flatMap(({ response }, index) =>
          response.sse === undefined ? [] : [{ name: `${name}, exchange ${index}`, sse: response.sse }],
        ),
      );

/** The answer, or the error, of a stream that arrives as these pieces. */
async function read(...pieces: readonly Uint8Array[]): Promise<ModelAnswer> {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  return readAnswer(await receive(response, { fold: foldChat, asked, onStream: () => undefined }), { turn: 1, asked });
}

const suffix = corpora === undefined ? ' (recorded ones are left out without the corpora)' : '';

describe.each([{ name: 'a stream of our own', sse: own }, ...recorded])(`$name${suffix}`, ({ sse }) => {
  const bytes = Buffer.from(sse);
  const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => at);
  /** From here on the reason to stop has come, so that nothing is missing but the count of tokens. */
  const enough = bytes.indexOf('\n', /.*"finish_reason":"/s.exec(bytes.toString('latin1'))![0].length) - 1;

  test('gives the same answer in two pieces, wherever they part', { timeout: 60_000 }, async () => {
    const whole = await read(bytes);
    for (const at of cuts) expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
  });

  test('gives the same answer or a retryable error where it ends early', { timeout: 60_000 }, async () => {
    const { message, stop, model } = await read(bytes);
    for (const at of cuts) {
      const outcome = await read(bytes.subarray(0, at)).catch((error: unknown) => error);
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
  const whole = await read(bytes);
  for (at = 1; at < bytes.length; at += isFull ? 1 : 7) expect(await model.ask(request())).toEqual(whole);
  await models.close();
  await server.close();
});
