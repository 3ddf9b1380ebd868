import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { FailedUsage } from '../../../engine/src/model/model.ts';
import {
  type ChatServer,
  chunk,
  completion,
  events,
  type Handler,
  sendEvents,
  sendJson,
  startServer,
} from '../chat-server.ts';
import { openaiApi, request, testModels } from '../fixtures.ts';

const hello = events(
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Grüße ' }),
  chunk({ content: '🍵' }),
  chunk({}, 'stop'),
  chunk(null, null, {
    usage: { prompt_tokens: 11, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 3 } },
  }),
  '[DONE]',
);
const begun = events(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Eight letters, and then.' }));

interface Setup {
  readonly server: ChatServer;
  readonly ask: (more?: Parameters<typeof request>[0]) => Promise<unknown>;
  readonly spent: FailedUsage[];
}

/** A server that answers as `handle` says, and a model that asks it to stream. */
async function withStream(
  handle: Handler,
  work: (setup: Setup) => Promise<void>,
  clock?: SimulatedClock,
): Promise<void> {
  const server = await startServer(handle);
  const models = testModels(clock === undefined ? {} : { clock });
  const model = models.open(openaiApi(`${server.origin}/v1`, { stream: true }));
  const spent: FailedUsage[] = [];
  try {
    const ask: Setup['ask'] = (more) =>
      model.ask(request({ ...more, onSpent: (usage) => spent.push(usage) })).catch((error: unknown) => error);
    await work({ server, ask, spent });
  } finally {
    await models.close();
    await server.close();
  }
}

/** Sends `text` and leaves the answer open. */
const open =
  (text: string): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
  };

describe('a streamed answer', () => {
  test('is asked for with its count of tokens', () =>
    withStream(
      (_, response) => sendEvents(response, hello),
      async ({ server, ask }) => {
        await ask();
        expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({
          stream: true,
          stream_options: { include_usage: true },
        });
      },
    ));

  test('reads like one that came whole', () =>
    withStream(
      (_, response) => sendEvents(response, hello),
      async ({ ask, spent }) => {
        expect(await ask()).toMatchObject({
          message: { role: 'assistant', content: 'Grüße 🍵' },
          stop: 'stop',
          model: 'test-model-1',
          usage: { inputTokens: 11, outputTokens: 7, cachedInputTokens: 3 },
        });
        expect(spent).toEqual([]);
      },
    ));

  test('reports each piece of its text when it arrives, before the answer is over', async () => {
    const { promise: first, resolve: isReported } = Promise.withResolvers<string>();
    await withStream(
      async (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(events(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Grüße ' })));
        expect(await first).toBe('Grüße ');
        response.end(events(chunk({ content: '🍵' }), chunk({}, 'stop'), '[DONE]'));
      },
      async ({ ask }) => {
        const pieces: string[] = [];
        const onText = (piece: string) => isReported((pieces.push(piece), piece));
        expect(await ask({ onText })).toMatchObject({ message: { content: 'Grüße 🍵' } });
        expect(pieces).toEqual(['Grüße ', '🍵']);
      },
    );
  });

  test('is the same in whatever pieces its bytes arrive', async () => {
    const bytes = Buffer.from(hello);
    const middle = bytes.indexOf('🍵');
    await withStream(
      async (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const [from, to] of [
          [0, middle - 30],
          [middle - 30, middle + 1],
          [middle + 1, middle + 3],
          [middle + 3, bytes.length],
        ])
          await new Promise((resolve) => response.write(bytes.subarray(from, to), resolve));
        response.end();
      },
      async ({ ask }) => expect(await ask()).toMatchObject({ message: { content: 'Grüße 🍵' } }),
    );
  });

  test('is there when the server says so, though its connection stays open', () =>
    withStream(open(hello), async ({ ask }) => {
      expect(await ask()).toMatchObject({ message: { content: 'Grüße 🍵' }, usage: { outputTokens: 7 } });
    }));

  test('leaves its connection to the next request', () =>
    withStream(
      (_, response) => sendEvents(response, hello),
      async ({ server, ask }) => {
        for (let turn = 1; turn <= 4; turn++) await ask({ turn });
        expect(server.connections).toBe(1);
      },
    ));

  test('may come whole from a server that does not stream', () =>
    withStream(
      (_, response) => sendJson(response, completion({ content: 'Hello.' })),
      async ({ ask }) => expect(await ask()).toMatchObject({ message: { content: 'Hello.' } }),
    ));

  test('whose connection is lost after the reason to stop is an answer all the same', () =>
    withStream(
      ({ socket }, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(events(chunk({ content: 'Hello.' }), chunk({}, 'stop')), () => socket.resetAndDestroy());
      },
      async ({ ask }) => expect(await ask()).toMatchObject({ message: { content: 'Hello.' }, stop: 'stop' }),
    ));
});

describe('an answer that is cut short', () => {
  test('by an abort rejects with its reason, says what it has cost and closes the connection', () => {
    const [first, later] = [open(begun), open(hello)];
    return withStream(
      (seen, response) => (seen.body.includes('later') ? later : first)(seen, response),
      async ({ server, ask, spent }) => {
        const controller = new AbortController();
        const pending = ask({ signal: controller.signal });
        await server.whenSeen(1);
        const closed = new Promise((resolve) => server.seen[0]?.socket.once('close', resolve));
        // When a later request has its answer, the first words of the earlier one are there.
        await ask({ messages: [{ role: 'user', content: 'later' }] });
        const reason = new Error('enough');
        controller.abort(reason);
        expect(await pending).toBe(reason);
        await closed;
        const inputTokens = Math.ceil((server.seen[0]?.body.length ?? 0) / 4);
        expect(spent).toEqual([{ inputTokens, outputTokens: 6, isEstimate: true }]);
      },
    );
  });

  test('by the time limit is MODEL_TIMEOUT', () => {
    const clock = new SimulatedClock();
    return withStream(
      open(begun),
      async ({ server, ask }) => {
        const pending = ask();
        await server.whenSeen(1);
        clock.advance(20_000);
        expect(await pending).toMatchObject({ code: 'MODEL_TIMEOUT', retryable: true });
      },
      clock,
    );
  });

  test.each<{ name: string; handle: Handler; code: string }>([
    {
      name: 'a lost connection',
      handle: ({ socket }, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(begun, () => socket.destroy());
      },
      code: 'MODEL_UNAVAILABLE',
    },
    {
      name: 'an end that comes too soon',
      handle: (_, response) => sendEvents(response, begun),
      code: 'MODEL_BAD_ANSWER',
    },
    {
      name: 'a chunk that is no JSON',
      handle: (_, response) => sendEvents(response, `${begun}data: {"choices":[{]}\n\n`),
      code: 'MODEL_BAD_ANSWER',
    },
    {
      name: 'an error of the server',
      handle: open(begun + events({ error: { message: 'The server had an error', type: 'server_error' } })),
      code: 'MODEL_UNAVAILABLE',
    },
    {
      name: 'a limit of the provider',
      handle: open(begun + events({ error: { message: 'Slow down', code: 429 } })),
      code: 'MODEL_RATE_LIMIT',
    },
  ])('by $name is $code, retryable, and says what it has cost', ({ handle, code }) =>
    withStream(handle, async ({ ask, spent }) => {
      expect(await ask()).toMatchObject({ code, retryable: true });
      expect(spent).toMatchObject([{ outputTokens: 6, isEstimate: true }]);
    }),
  );

  test('after its count of tokens says exactly what it has cost', () =>
    withStream(
      open(
        events(chunk({ content: 'Hello.' }, null, { usage: { prompt_tokens: 11, completion_tokens: 7 } })) +
          events({ error: { message: 'overloaded', code: 503 } }),
      ),
      async ({ ask, spent }) => {
        expect(await ask()).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
        expect(spent).toEqual([{ inputTokens: 11, outputTokens: 7, isEstimate: false }]);
      },
    ));

  test('before it began says nothing of its cost', () =>
    withStream(
      (_, response) => sendJson(response, { error: { message: 'overloaded' } }, 503),
      async ({ ask, spent }) => {
        expect(await ask()).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
        expect(spent).toEqual([]);
      },
    ));
});

test('only OpenAI and Azure are asked to stream where nothing is said', async () => {
  await withStream(
    (_, response) => sendJson(response, completion({ content: 'Hello.' })),
    async ({ server }) => {
      const models = testModels();
      await models.open(openaiApi(`${server.origin}/v1`)).ask(request());
      expect(JSON.parse(server.seen[0]?.body ?? '')).not.toHaveProperty('stream');
      await models.close();
    },
  );
});
