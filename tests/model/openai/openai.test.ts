import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Model } from '../../../engine/src/model/model.ts';
import { describeModel } from '../../contracts/model.ts';
import { completion, type Handler, sendJson, startServer } from '../chat-server.ts';
import { KEY, lookUp, openaiApi, request, testModels } from '../fixtures.ts';

const call = (id: string) => ({ id, type: 'function', function: { name: 'look_up', arguments: '{"word":"tea"}' } });

describeModel('openai', async () => {
  const models = testModels();
  const servers = await Promise.all([
    startServer((_, response) => sendJson(response, completion({ content: 'Hello.' }))),
    startServer((_, response) => sendJson(response, completion({ content: null, tool_calls: [call('a'), call('a')] }))),
    startServer(() => undefined),
  ]);
  const [say, calls, silent] = servers.map(({ origin }) => models.open(openaiApi(`${origin}/v1`))) as [
    Model,
    Model,
    Model,
  ];
  return {
    say,
    call: calls,
    silent: { model: silent, asked: () => servers[2].whenSeen(1) },
    async close() {
      await models.close();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
});

/** Runs `work` with a server that answers as `handle` says. */
async function withServer(
  handle: Handler,
  work: (server: Awaited<ReturnType<typeof startServer>>, models: ReturnType<typeof testModels>) => Promise<void>,
  options?: Parameters<typeof testModels>[0],
): Promise<void> {
  const server = await startServer(handle);
  const models = testModels(options);
  try {
    await work(server, models);
  } finally {
    await models.close();
    await server.close();
  }
}

const hello: Handler = (_, response) => sendJson(response, completion({ content: 'Hello.' }));

describe('an answer that is too long to store at once', () => {
  const long = 'x'.repeat(600_001);
  const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const stream: (parts: readonly string[]) => Handler = (parts) => (_, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(`${parts.map((content) => chunk({ content })).join('')}data: [DONE]\n\n`);
  };
  test.each<[string, Handler, RegExp]>([
    ['as one text', (_, response) => sendJson(response, completion({ content: long })), /more than 600000 characters/],
    [
      'as one text above 4 MB',
      (_, response) => sendJson(response, completion({ content: long.repeat(8) })),
      /4194304 bytes/,
    ],
    ['as a stream', stream(['y', long]), /more than 600000 characters/],
    ['as one event', stream([long.repeat(8)]), /event of more than 4000000 characters/],
    [
      'in arguments of calls',
      (_, response) =>
        sendJson(
          response,
          completion({ content: null, tool_calls: [{ ...call('a'), function: { name: 'x', arguments: long } }] }),
        ),
      /more than 600000 characters/,
    ],
  ])('%s is refused, and not asked for again', (_name, handle, message) =>
    withServer(handle, async (server, models) => {
      await expect(models.open(openaiApi(`${server.origin}/v1`)).ask(request())).rejects.toMatchObject({
        code: 'MODEL_BAD_ANSWER',
        retryable: false,
        message: expect.stringMatching(message),
      });
    }),
  );
});

describe('a request', () => {
  test('holds model, messages and tools as they were given, and the key as Bearer', () =>
    withServer(hello, async (server, models) => {
      const asked = request({ tools: [lookUp] });
      await models.open(openaiApi(`${server.origin}/v1`)).ask(asked);
      expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
      expect(server.seen[0]?.headers).toMatchObject({
        'authorization': `Bearer ${KEY}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(server.seen[0]?.body ?? '')),
      });
      expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
        model: 'test-model',
        messages: asked.messages,
        tools: [lookUp],
      });
    }));

  test('leaves out an empty list of tools, which OpenAI refuses', () =>
    withServer(hello, async (server, models) => {
      await models.open(openaiApi(`${server.origin}/v1`)).ask(request());
      expect(JSON.parse(server.seen[0]?.body ?? '')).not.toHaveProperty('tools');
    }));

  test('keeps the query of the base address', () =>
    withServer(hello, async (server, models) => {
      await models.open(openaiApi(`${server.origin}/models?api-version=2024-05-01`)).ask(request());
      expect(server.seen[0]?.path).toBe('/models/chat/completions?api-version=2024-05-01');
    }));

  test('asks for no compression', () =>
    withServer(hello, async (server, models) => {
      await models.open(openaiApi(`${server.origin}/v1`)).ask(request());
      expect(server.seen[0]?.headers).not.toHaveProperty('accept-encoding');
    }));

  test('is made exactly once, also when the server fails', () =>
    withServer(
      (_, response) => sendJson(response, { error: { message: 'overloaded' } }, 503),
      async (server, models) => {
        await expect(models.open(openaiApi(`${server.origin}/v1`)).ask(request())).rejects.toMatchObject({
          retryable: true,
        });
        expect(server.seen).toHaveLength(1);
      },
    ));

  test('uses the key of the moment', () => {
    const keys: Record<string, string> = { OPENAI_API_KEY: 'sk-first-000000' };
    return withServer(
      hello,
      async (server, models) => {
        const model = models.open(openaiApi(`${server.origin}/v1`));
        await model.ask(request());
        keys['OPENAI_API_KEY'] = 'sk-second-000000';
        await model.ask(request());
        expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
          'Bearer sk-first-000000',
          'Bearer sk-second-000000',
        ]);
      },
      { keys },
    );
  });

  test('reuses its connection', () =>
    withServer(hello, async (server, models) => {
      const model = models.open(openaiApi(`${server.origin}/v1`));
      for (let turn = 1; turn <= 5; turn++) await model.ask(request({ turn }));
      expect(server.connections).toBe(1);
    }));

  test('goes without a key to a server on this machine', () =>
    withServer(
      hello,
      async (server, models) => {
        await models.open(openaiApi(`${server.origin}/v1`)).ask(request());
        expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
      },
      { keys: {} },
    ));

  test('is not sent to a remote server without a key', async () => {
    const model = testModels({ keys: {} }).open(openaiApi('https://models.test/v1'));
    await expect(model.ask(request())).rejects.toMatchObject({
      code: 'MODEL_AUTH',
      message: expect.stringContaining('${env:OPENAI_API_KEY} is not set'),
    });
  });
});

describe('limits', () => {
  test('no more requests than limits.concurrency are under way, and the others follow in order', () => {
    const open: (() => void)[] = [];
    return withServer(
      (_, response) => void open.push(() => sendJson(response, completion({ content: 'Hello.' }))),
      async (server, models) => {
        const model = models.open(openaiApi(`${server.origin}/v1`, { limits: { timeoutSeconds: 20, concurrency: 2 } }));
        const pending = ['a', 'b', 'c', 'd'].map((content) =>
          model.ask(request({ messages: [{ role: 'user', content }] })),
        );
        await server.whenSeen(2);
        open.shift()?.();
        await server.whenSeen(3);
        expect(open).toHaveLength(2);
        while (open.length > 0) {
          const count = server.seen.length;
          open.shift()?.();
          if (count < 4) await server.whenSeen(count + 1);
        }
        await Promise.all(pending);
        const order = server.seen.map(({ body }) => JSON.parse(body).messages[0].content as string);
        expect({ start: order.slice(0, 2).sort(), rest: order.slice(2) }).toEqual({
          start: ['a', 'b'],
          rest: ['c', 'd'],
        });
      },
    );
  });

  test('a request is announced when it has its turn, and goes out once that is counted', () =>
    withServer(
      (_, response) => sendJson(response, completion({ content: 'Hello.' })),
      async (server, models) => {
        const model = models.open(openaiApi(`${server.origin}/v1`, { limits: { timeoutSeconds: 20, concurrency: 1 } }));
        const seen: number[] = [];
        const admit: (() => void)[] = [];
        const beforeSend = () =>
          new Promise<void>((resolve) => {
            seen.push(server.seen.length);
            admit.push(resolve);
          });
        const pending = [model.ask(request({ beforeSend })), model.ask(request({ beforeSend }))];
        await expect.poll(() => admit.length).toBe(1);
        admit[0]?.();
        await pending[0];
        await expect.poll(() => admit.length).toBe(2);
        admit[1]?.();
        await pending[1];
        expect(seen).toEqual([0, 1]);
      },
    ));

  test('a request that waits for its turn can be aborted', () =>
    withServer(
      () => undefined,
      async (server, models) => {
        const model = models.open(openaiApi(`${server.origin}/v1`, { limits: { timeoutSeconds: 20, concurrency: 1 } }));
        const first = new AbortController();
        const held = model.ask(request({ signal: first.signal }));
        held.catch(() => undefined);
        await server.whenSeen(1);
        const second = new AbortController();
        const waiting = model.ask(request({ signal: second.signal }));
        second.abort(new Error('not needed'));
        await expect(waiting).rejects.toThrow('not needed');
        first.abort(new Error('enough'));
        await expect(held).rejects.toThrow('enough');
        expect(server.seen).toHaveLength(1);
      },
    ));

  test('no answer within limits.timeoutSeconds is MODEL_TIMEOUT, and the connection is given up', () => {
    const clock = new SimulatedClock();
    return withServer(
      () => undefined,
      async (server, models) => {
        const pending = models.open(openaiApi(`${server.origin}/v1`)).ask(request());
        pending.catch(() => undefined);
        await server.whenSeen(1);
        const closed = new Promise((resolve) => server.seen[0]?.socket.once('close', resolve));
        clock.advance(20_000);
        await expect(pending).rejects.toMatchObject({
          code: 'MODEL_TIMEOUT',
          retryable: true,
          message: expect.stringContaining('within 20 s'),
        });
        await closed;
      },
      { clock },
    );
  });

  test('the time limit also covers an answer that never ends', () => {
    const clock = new SimulatedClock();
    return withServer(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":');
        response.once('close', () => undefined);
      },
      async (server, models) => {
        const pending = models.open(openaiApi(`${server.origin}/v1`)).ask(request());
        pending.catch(() => undefined);
        await server.whenSeen(1);
        clock.advance(20_000);
        await expect(pending).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' });
      },
      { clock },
    );
  });
});

describe('failures', () => {
  test('a connection that is cut in the middle of the answer is MODEL_UNAVAILABLE', () =>
    withServer(
      ({ socket }, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
        response.write('{"id":', () => socket.destroy());
      },
      async (server, models) => {
        await expect(models.open(openaiApi(`${server.origin}/v1`)).ask(request())).rejects.toMatchObject({
          code: 'MODEL_UNAVAILABLE',
          retryable: true,
        });
      },
    ));

  test('a server that is not there is MODEL_UNAVAILABLE, with its address', async () => {
    const server = await startServer(hello);
    await server.close();
    await expect(
      testModels()
        .open(openaiApi(`${server.origin}/v1`))
        .ask(request()),
    ).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
      hint: expect.stringContaining(server.origin),
    });
  });

  test('a request on a connection that the server had just closed is sent again', () => {
    const used = new WeakSet<object>();
    return withServer(
      ({ socket }, response) => {
        if (used.has(socket)) socket.resetAndDestroy();
        else sendJson(response, completion({ content: 'Hello.' }));
        used.add(socket);
      },
      async (server, models) => {
        const model = models.open(openaiApi(`${server.origin}/v1`));
        await model.ask(request());
        expect((await model.ask(request())).message.content).toBe('Hello.');
        expect(server.connections).toBe(2);
      },
    );
  });

  test('the key never stands in a message', () =>
    withServer(
      (_, response) =>
        sendJson(response, { error: { message: `Incorrect API key provided: ${KEY}.`, code: 'invalid_api_key' } }, 401),
      async (server, models) => {
        const error: unknown = await models
          .open(openaiApi(`${server.origin}/v1`))
          .ask(request())
          .catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({
          code: 'MODEL_AUTH',
          retryable: false,
          hint: expect.stringContaining('OPENAI_API_KEY'),
        });
        expect((error as Error).message).toContain('Incorrect API key provided: [redacted]');
      },
    ));

  test('a redirect is not followed, because it would take the key along', () =>
    withServer(
      (_, response) => response.writeHead(307, { location: 'https://elsewhere.test/v1' }).end(),
      async (server, models) => {
        await expect(models.open(openaiApi(`${server.origin}/v1`)).ask(request())).rejects.toMatchObject({
          code: 'MODEL_BAD_ANSWER',
          hint: expect.stringContaining('https://elsewhere.test/v1'),
        });
        expect(server.seen).toHaveLength(1);
      },
    ));
});

describe('availability', () => {
  test('needs a key that is set, and asks nobody', () =>
    withServer(hello, async (server, models) => {
      expect(await models.open(openaiApi(`${server.origin}/v1`)).available({})).toEqual({ ok: true });
      expect(server.seen).toHaveLength(0);
    }));

  test('without a key a remote server is not available, and the variable is named', async () => {
    const model = testModels({ keys: { OPENAI_API_KEY: '' } }).open(openaiApi('https://api.openai.com/v1'));
    expect(await model.available({})).toEqual({ ok: false, why: '${env:OPENAI_API_KEY} is not set' });
  });

  test('without a key a server on this machine is available when it answers anything', () =>
    withServer(
      (_, response) => sendJson(response, {}, 404),
      async (server, models) => {
        expect(await models.open(openaiApi(`${server.origin}/v1`)).available({})).toEqual({ ok: true });
        expect(server.seen[0]).toMatchObject({ method: 'GET', path: '/v1/models' });
      },
      { keys: {} },
    ));

  test('without a key a server on this machine that is not there is not available', async () => {
    const server = await startServer(hello);
    await server.close();
    const answer = await testModels({ keys: {} })
      .open(openaiApi(`${server.origin}/v1`))
      .available({});
    expect(answer).toEqual({ ok: false, why: expect.stringContaining('ECONNREFUSED') });
  });

  test('a server that is silent for a second is not available', () => {
    const clock = new SimulatedClock();
    return withServer(
      () => undefined,
      async (server, models) => {
        const pending = models.open(openaiApi(`${server.origin}/v1`)).available({});
        await server.whenSeen(1);
        clock.advance(1000);
        expect(await pending).toEqual({ ok: false, why: expect.stringContaining('no answer within 1 s') });
      },
      { keys: {}, clock },
    );
  });

  test('runs that start together share one look', () =>
    withServer(
      hello,
      async (server, models) => {
        const model = models.open(openaiApi(`${server.origin}/v1`));
        await Promise.all([model.available({}), model.available({}), model.available({})]);
        expect(server.seen).toHaveLength(1);
      },
      { keys: {} },
    ));
});

test('documents of equal content share an adapter', () => {
  const models = testModels();
  expect(models.open(openaiApi('https://models.test/v1'))).toBe(models.open(openaiApi('https://models.test/v1')));
  expect(models.open(openaiApi('https://models.test/v1'))).not.toBe(models.open(openaiApi('https://models.test/v2')));
});

test('a new value of the organisation holds from the next request on', () => {
  const keys = { OPENAI_API_KEY: KEY, ORGANIZATION: 'org-first' };
  return withServer(
    hello,
    async (server, models) => {
      const model = models.open(openaiApi(`${server.origin}/v1`, { organization: '${env:ORGANIZATION}' }));
      await model.ask(request());
      keys.ORGANIZATION = 'org-second';
      await model.ask(request());
      expect(server.seen.map(({ headers }) => headers['openai-organization'])).toEqual(['org-first', 'org-second']);
    },
    { keys },
  );
});

test('tells the words of a server that answers with the error itself, beside an error that is null', () =>
  withServer(
    (_, response) => sendJson(response, { object: 'error', error: null, message: 'The model sleeps.' }, 400),
    async (server, models) => {
      const asked = models.open(openaiApi(`${server.origin}/v1`)).ask(request());
      await expect(asked).rejects.toThrow(/answered 400: The model sleeps\.$/);
    },
  ));
