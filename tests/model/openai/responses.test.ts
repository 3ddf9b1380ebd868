import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Model, ModelAnswer, FailedUsage } from '../../../engine/src/model/model.ts';
import { describeModel } from '../../contracts/model.ts';
import { type ChatServer, events, type Handler, sendEvents, sendJson, startServer } from '../chat-server.ts';
import { KEY, lookUp, openaiApi, request, testModels } from '../fixtures.ts';
import { begin, called, refused, response, said, streamed, thought } from './responses-server.ts';

describe.each([
  {
    name: 'streamed',
    send:
      (output: object[]): Handler =>
      (_, res) =>
        sendEvents(res, streamed(output)),
  },
  {
    name: 'whole',
    send:
      (output: object[]): Handler =>
      (_, res) =>
        sendJson(res, response(output)),
  },
])('answers that come $name', ({ name, send }) => {
  describeModel(`openai by the Responses API, ${name},`, async () => {
    const models = testModels();
    const servers = await Promise.all([
      startServer(send([thought(), said('Hello.')])),
      startServer(send([thought(), called('a'), called('a')])),
      startServer(() => undefined),
    ]);
    const [say, call, silent] = servers.map(({ origin }) =>
      models.open(openaiApi(`${origin}/v1`, { protocol: 'responses' })),
    ) as [Model, Model, Model];
    return {
      say,
      call,
      silent: { model: silent, asked: () => servers[2].whenSeen(1) },
      async close() {
        await models.close();
        await Promise.all(servers.map((server) => server.close()));
      },
    };
  });
});

interface Setup {
  readonly server: ChatServer;
  /** The answer, or the error. */
  readonly ask: (more?: Parameters<typeof request>[0]) => Promise<unknown>;
  readonly spent: FailedUsage[];
}

/** A server that answers as `handle` says, and a model that asks it by the Responses API. */
async function withServer(
  handle: Handler,
  work: (setup: Setup) => Promise<void>,
  { stream, clock }: { stream?: boolean; clock?: SimulatedClock } = {},
): Promise<void> {
  const server = await startServer(handle);
  const models = testModels(clock === undefined ? {} : { clock });
  const model = models.open(
    openaiApi(`${server.origin}/v1`, { protocol: 'responses', ...(stream !== undefined && { stream }) }),
  );
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

/** What is answered with this output, whole or as a stream. */
async function answerTo(output: readonly object[], more: object = {}, isStreamed = true): Promise<unknown> {
  let outcome: unknown;
  await withServer(
    (_, res) => (isStreamed ? sendEvents(res, streamed(output, more)) : sendJson(res, response(output, more))),
    async ({ ask }) => {
      outcome = await ask();
    },
  );
  return outcome;
}

const bodyOf = ({ seen }: ChatServer, at = 0) => JSON.parse(seen[at]?.body ?? '') as Record<string, unknown>;

describe('a request', () => {
  test('goes to /responses, signed, and asks for a stream of what is not kept', () =>
    withServer(
      (_, res) => sendEvents(res, streamed([said('Hello.')])),
      async ({ server, ask }) => {
        await ask({ tools: [lookUp], maxTokens: 900 });
        expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/v1/responses' });
        expect(server.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
        expect(bodyOf(server)).toMatchObject({
          model: 'test-model',
          stream: true,
          store: false,
          max_output_tokens: 900,
          input: request().messages,
          tools: [{ type: 'function', name: 'look_up', strict: false }],
        });
      },
    ));

  test('asks for no stream where the api says so', () =>
    withServer(
      (_, res) => sendJson(res, response([said('Hello.')])),
      async ({ server, ask }) => {
        expect(await ask()).toMatchObject({ message: { content: 'Hello.' } });
        expect(bodyOf(server)).not.toHaveProperty('stream');
      },
      { stream: false },
    ));

  test('takes the answer before it back, thinking, calls and results', () =>
    withServer(
      (_, res) => sendEvents(res, streamed([thought(), said('I look.', { phase: 'commentary' }), called('a')])),
      async ({ server, ask }) => {
        const { message } = (await ask()) as ModelAnswer;
        const result = { role: 'tool', tool_call_id: 'a', content: 'tea' } as const;
        // As it is after a restart: out of the store.
        await ask({ messages: [...request().messages, JSON.parse(JSON.stringify(message)) as typeof message, result] });
        expect(bodyOf(server, 1)['input']).toEqual([
          ...request().messages,
          { type: 'reasoning', summary: [], encrypted_content: 'gAAAA-1' },
          { role: 'assistant', content: 'I look.', phase: 'commentary' },
          { type: 'function_call', call_id: 'a', name: 'look_up', arguments: '{"word":"tea"}' },
          { type: 'function_call_output', call_id: 'a', output: 'tea' },
        ]);
      },
    ));
});

describe.each([
  { name: 'streamed', isStreamed: true },
  { name: 'whole', isStreamed: false },
])('an answer that comes $name', ({ isStreamed }) => {
  test.each<{ name: string; output: readonly object[]; more?: object; expected: object }>([
    {
      name: 'a text, its tokens and its model',
      output: [said('Grüße 🍵')],
      expected: {
        message: { role: 'assistant', content: 'Grüße 🍵' },
        stop: 'stop',
        model: 'test-model-1',
        usage: { inputTokens: 11, outputTokens: 7, cachedInputTokens: 3 },
      },
    },
    {
      name: 'the texts of several messages as one',
      output: [said('One, ', { phase: 'commentary' }), said('two.', { phase: 'final_answer' })],
      expected: { message: { role: 'assistant', content: 'One, two.', phase: 'final_answer' }, stop: 'stop' },
    },
    {
      name: 'calls by what results must name',
      output: [called('a'), called('b', '{}')],
      expected: {
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'look_up', arguments: '{"word":"tea"}' } },
            { id: 'b', type: 'function', function: { name: 'look_up', arguments: '{}' } },
          ],
        },
        stop: 'tool_calls',
      },
    },
    {
      name: 'thinking with the calls that came of it',
      output: [thought(), called('a'), thought('gAAAA-2'), called('b')],
      expected: {
        message: {
          reasoning: [
            { sealed: 'gAAAA-1', at: 0 },
            { sealed: 'gAAAA-2', at: 1 },
          ],
        },
      },
    },
    {
      name: 'a refusal',
      output: [refused('No.')],
      expected: { message: { role: 'assistant', content: null, refusal: 'No.' }, stop: 'refusal' },
    },
    {
      name: 'a length that was reached',
      output: [said('Once upon a')],
      more: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      expected: { message: { role: 'assistant', content: 'Once upon a' }, stop: 'length' },
    },
    {
      name: 'a length that was reached while thinking',
      output: [thought()],
      more: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      expected: { message: { role: 'assistant', content: '' }, stop: 'length' },
    },
    {
      name: 'what a filter stopped',
      output: [said('Once')],
      more: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      expected: { message: { role: 'assistant', content: 'Once' }, stop: 'refusal' },
    },
  ])('gives $name', async ({ output, more, expected }) => {
    expect(await answerTo(output, more, isStreamed)).toMatchObject(expected);
  });

  test('leaves out thinking that nobody wants back: without calls, or not sealed', async () => {
    expect(await answerTo([thought(), said('Hello.')], {}, isStreamed)).toMatchObject({
      message: { role: 'assistant', content: 'Hello.' },
    });
    for (const output of [
      [thought(), said('Hello.')],
      [thought(null), called('a')],
    ])
      expect(await answerTo(output, {}, isStreamed)).not.toHaveProperty('message.reasoning');
  });

  test('is traced without what it repeats of the request, and without sealed thinking', async () => {
    const { raw } = (await answerTo([thought(), called('a')], { instructions: 'Be kind.' }, isStreamed)) as ModelAnswer;
    expect(JSON.parse(raw)).toMatchObject({ id: 'resp_1', output: [{ type: 'reasoning' }, { call_id: 'a' }] });
    expect(raw).not.toMatch(/Be kind|"tools"|gAAAA/);
  });

  test.each<{ name: string; more: object; expected: object }>([
    {
      name: 'its error says',
      more: { status: 'failed', error: { code: 'server_error', message: 'Try again.' } },
      expected: { code: 'MODEL_UNAVAILABLE', retryable: true },
    },
    {
      name: 'its error says, of too many requests',
      more: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Please try again in 6.57s.' } },
      expected: { code: 'MODEL_RATE_LIMIT', retryable: true, retryAfterMs: 6570 },
    },
    {
      name: 'its error says, of a prompt that is refused',
      more: { status: 'failed', error: { code: 'invalid_prompt', message: 'Flagged.' } },
      expected: { code: 'MODEL_BAD_REQUEST', retryable: false },
    },
    {
      name: 'it can where it does not say why',
      more: { status: 'failed', error: null },
      expected: { code: 'MODEL_UNAVAILABLE', retryable: true },
    },
    {
      name: 'it can of one that was cancelled there',
      more: { status: 'cancelled' },
      expected: { code: 'MODEL_BAD_ANSWER', retryable: true },
    },
  ])('that failed is told as $name', async ({ more, expected }) => {
    expect(await answerTo([], more, isStreamed)).toMatchObject(expected);
  });
});

test.each([
  { name: 'no output', body: { object: 'response', status: 'completed' }, retryable: true },
  { name: 'a chat completion', body: { object: 'chat.completion', choices: [] }, retryable: true },
])('$name is MODEL_BAD_ANSWER', ({ body, retryable }) =>
  withServer(
    (_, res) => sendJson(res, body),
    async ({ ask }) => expect(await ask()).toMatchObject({ code: 'MODEL_BAD_ANSWER', retryable }),
  ),
);

describe('a stream', () => {
  test('whose last event leaves the output out is put together from its items', () =>
    withServer(
      (_, res) =>
        sendEvents(
          res,
          begin([thought(), said('I look.'), called('a')]) +
            events({ type: 'response.completed', response: response([]) }),
        ),
      async ({ ask }) =>
        expect(await ask()).toMatchObject({
          message: { content: 'I look.', tool_calls: [{ id: 'a' }], reasoning: [{ sealed: 'gAAAA-1', at: 0 }] },
          stop: 'tool_calls',
        }),
    ));

  test('gives thinking as it was when it was done, not as the last event repeats it', () =>
    withServer(
      (_, res) =>
        sendEvents(
          res,
          begin([thought('gAAAA-done'), called('a')]) +
            events({ type: 'response.completed', response: response([thought('gAAAA-again'), called('a')]) }),
        ),
      async ({ ask }) =>
        expect(await ask()).toMatchObject({ message: { reasoning: [{ sealed: 'gAAAA-done', at: 0 }] } }),
    ));

  test('is over with its last event, though the connection stays open', () =>
    withServer(open(streamed([said('Hello.')])), async ({ ask }) =>
      expect(await ask()).toMatchObject({ message: { content: 'Hello.' } }),
    ));

  test('passes over events of kinds that it does not know', () =>
    withServer(
      (_, res) =>
        sendEvents(res, events({ type: 'keepalive' }, { type: 'response.new.thing' }) + streamed([said('Hi')])),
      async ({ ask }) => expect(await ask()).toMatchObject({ message: { content: 'Hi' } }),
    ));
});

/** Sends `text` and leaves the answer open. */
function open(text: string): Handler {
  return (_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(text);
  };
}

describe('an answer that is cut short', () => {
  const begun = begin([said('Eight letters, and then.')]);
  const nested = {
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message: 'Please try again in 6.57s.',
    headers: { 'x-ratelimit-remaining-requests': '499', 'x-ratelimit-reset-requests': '120ms' },
  };

  test('by an abort rejects with its reason, says what it has cost and closes the connection', () =>
    withServer(
      (seen, res) => open(seen.body.includes('later') ? streamed([said('Hello.')]) : begun)(seen, res),
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
    ));

  test('by the time limit is MODEL_TIMEOUT', () => {
    const clock = new SimulatedClock();
    return withServer(
      open(begun),
      async ({ server, ask }) => {
        const pending = ask();
        await server.whenSeen(1);
        clock.advance(20_000);
        expect(await pending).toMatchObject({ code: 'MODEL_TIMEOUT', retryable: true });
      },
      { clock },
    );
  });

  test.each<{ name: string; handle: Handler; expected: object }>([
    {
      name: 'a lost connection',
      handle: ({ socket }, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write(begun, () => socket.destroy());
      },
      expected: { code: 'MODEL_UNAVAILABLE', retryable: true },
    },
    {
      name: 'an end that comes too soon',
      handle: (_, res) => sendEvents(res, begun),
      expected: { code: 'MODEL_BAD_ANSWER', retryable: true },
    },
    {
      name: 'an end that is said too soon',
      handle: open(`${begun}data: [DONE]\n\n`),
      expected: { code: 'MODEL_BAD_ANSWER', retryable: true },
    },
    {
      name: 'an error as it is documented',
      handle: open(begun + events({ type: 'error', code: 'server_error', message: 'Oh.', param: null })),
      expected: { code: 'MODEL_UNAVAILABLE', retryable: true },
    },
    {
      name: 'an error as it is sent, with when to come back',
      handle: open(begun + events({ type: 'error', error: nested, sequence_number: 9 })),
      expected: { code: 'MODEL_RATE_LIMIT', retryable: true, retryAfterMs: 6570 },
    },
    {
      name: 'an account that is empty',
      handle: open(
        begun + events({ type: 'error', error: { type: 'insufficient_quota', code: 'credit_balance_exhausted' } }),
      ),
      expected: { code: 'MODEL_RATE_LIMIT', retryable: false },
    },
    {
      name: 'a key that was withdrawn',
      handle: open(begun + events({ type: 'error', code: 'invalid_api_key', message: 'No.' })),
      expected: { code: 'MODEL_AUTH', retryable: false },
    },
  ])('by $name is typed, and says what it has cost', ({ handle, expected }) =>
    withServer(handle, async ({ ask, spent }) => {
      expect(await ask()).toMatchObject(expected);
      expect(spent).toMatchObject([{ outputTokens: 6, isEstimate: true }]);
    }),
  );

  test('by a failure that counts its tokens says exactly what it has cost', () =>
    withServer(
      (_, res) => sendEvents(res, streamed([said('Oh')], { status: 'failed', error: { code: 'server_error' } })),
      async ({ ask, spent }) => {
        expect(await ask()).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
        expect(spent).toEqual([{ inputTokens: 11, outputTokens: 7, cachedInputTokens: 3, isEstimate: false }]);
      },
    ));
});

test('sealed thinking that the server cannot read names what to do', () =>
  withServer(
    (_, res) => sendJson(res, { error: { code: 'invalid_encrypted_content', message: 'could not be verified' } }, 400),
    async ({ ask }) =>
      expect(await ask()).toMatchObject({ code: 'MODEL_BAD_REQUEST', hint: expect.stringMatching(/another key/) }),
  ));

test('a limit of requests says when to come back', () =>
  withServer(
    (_, res) => sendJson(res, { error: { message: 'slow down' } }, 429, { 'retry-after': '7' }),
    async ({ ask }) => expect(await ask()).toMatchObject({ code: 'MODEL_RATE_LIMIT', retryAfterMs: 7000 }),
  ));
