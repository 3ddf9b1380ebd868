import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../engine/src/base/json.ts';
import type { Model, ModelRequest } from '../../engine/src/model/model.ts';

/** An adapter made ready for the contract: `say` is answered with a text, `call` with two calls of `look_up`. */
export interface ModelUnderTest {
  readonly say: Model;
  readonly call: Model;
  /** Its server, if it has one, has the request and never answers; `asked` resolves when it has it. */
  readonly silent: { readonly model: Model; readonly asked: () => Promise<unknown> };
  readonly close: () => Promise<void>;
}

const request: ModelRequest = deepFreeze<ModelRequest>({
  messages: [
    { role: 'system', content: 'You are the desk.' },
    { role: 'user', content: 'Hello' },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'look_up', description: 'Looks a word up.', parameters: { type: 'object' } },
    },
  ],
  role: 'director',
  actorId: 'desk',
  turn: 1,
});

/** What every adapter promises, whatever is behind it. `open` is called once a test. */
export function describeModel(name: string, open: () => Promise<ModelUnderTest>): void {
  const use = async (work: (models: ModelUnderTest) => Promise<void>) => {
    const models = await open();
    try {
      await work(models);
    } finally {
      await models.close();
    }
  };

  describe(`${name} as a model`, () => {
    test('answers with a text and says that it stopped', () =>
      use(async ({ say }) => {
        const answer = await say.ask(request);
        expect(answer.message).toEqual({ role: 'assistant', content: expect.stringMatching(/./) });
        expect(answer.stop).toBe('stop');
      }));

    test('reports its text in pieces that are the text when joined', () =>
      use(async ({ say }) => {
        const pieces: string[] = [];
        const answer = await say.ask({ ...request, onText: (piece) => pieces.push(piece) });
        expect(pieces).not.toContain('');
        expect(pieces.join('')).toBe(answer.message.content);
      }));

    test('reports no text of an answer that only asks for tools', () =>
      use(async ({ call }) => {
        const pieces: string[] = [];
        await call.ask({ ...request, onText: (piece) => pieces.push(piece) });
        expect(pieces).toEqual([]);
      }));

    test('names the model that answered and gives the answer as JSON text', () =>
      use(async ({ say }) => {
        const answer = await say.ask(request);
        expect(answer.model).toMatch(/./);
        expect(JSON.parse(answer.raw)).toBeTypeOf('object');
      }));

    test('asks for tools with ids that are unique and arguments that are text', () =>
      use(async ({ call }) => {
        const { message, stop } = await call.ask(request);
        expect(stop).toBe('tool_calls');
        expect(message.tool_calls).toEqual([
          {
            id: expect.stringMatching(/./),
            type: 'function',
            function: { name: 'look_up', arguments: expect.any(String) },
          },
          {
            id: expect.stringMatching(/./),
            type: 'function',
            function: { name: 'look_up', arguments: expect.any(String) },
          },
        ]);
        expect(new Set(message.tool_calls?.map(({ id }) => id)).size).toBe(2);
      }));

    test('gives an answer that survives JSON', () =>
      use(async ({ call }) => {
        const answer = await call.ask(request);
        expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
      }));

    test('rejects with the reason of a signal that is already aborted', () =>
      use(async ({ say }) => {
        const reason = new Error('stopped before');
        await expect(say.ask({ ...request, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      }));

    test('rejects with the reason when it is aborted on the way', () =>
      use(async ({ silent }) => {
        const reason = new Error('stopped on the way');
        const controller = new AbortController();
        const pending = silent.model.ask({ ...request, signal: controller.signal });
        pending.catch(() => undefined);
        await silent.asked();
        controller.abort(reason);
        await expect(pending).rejects.toBe(reason);
      }));

    test('answers again after an abort', () =>
      use(async ({ say }) => {
        await say.ask({ ...request, signal: AbortSignal.abort(new Error('stopped')) }).catch(() => undefined);
        expect((await say.ask(request)).stop).toBe('stop');
      }));

    test('says that it is available', () =>
      use(async ({ say }) => {
        expect(await say.available({})).toEqual({ ok: true });
      }));

    test('never throws when it is asked whether it is available', () =>
      use(async ({ say }) => {
        const answer = await say.available({ signal: AbortSignal.abort(new Error('stopped')) });
        expect(answer.ok).toBeTypeOf('boolean');
      }));
  });
}
