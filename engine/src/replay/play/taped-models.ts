import { type ErrorCode, toCode } from '../../base/error-code.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Api } from '../../config/config.ts';
import type { Model, ModelAnswer, ModelRequest, Models } from '../../model/model.ts';
import { ModelError } from '../../model/model-error.ts';
import { isUnanswered, type TapedAnswer, tapeRequest } from '../cassette.ts';
import type { Deck } from './deck.ts';
import type { PlaySpend } from '../replay.ts';
import { fillShape, numbered } from '../shape.ts';
import type { PlayClock } from './play-clock.ts';

interface Options {
  readonly deck: Deck;
  readonly clock: PlayClock;
  /** Models of scripted apis, and in a mode that records, of all. */
  readonly models: Models;
  readonly spend: PlaySpend;
  /** Apis that could not be used in the recorded run. */
  readonly unavailable: readonly string[];
}

/**
 * Models that answer from a deck. Scripted apis answer themselves. A request that nothing answers fails with `CONFLICT`, which is
 * noted in the deck; in a mode that records it is sent, and its answer is recorded.
 */
export function tapedModels({ deck, clock, models, spend, unavailable }: Options): Models {
  return {
    open: (api) =>
      api.provider === 'scripted'
        ? models.open(api)
        : {
            ask: (request) => ask(api, request),
            available: (options) =>
              deck.records
                ? models.open(api).available(options)
                : Promise.resolve(
                    unavailable.includes(api.id)
                      ? { ok: false, why: 'it could not be used in the recorded run' }
                      : { ok: true },
                  ),
          },
    close: () => models.close(),
  };

  async function ask(api: Api, request: ModelRequest): Promise<ModelAnswer> {
    request.signal?.throwIfAborted();
    const agentId = request.role === 'director' ? '' : request.actorId;
    const { request: asked, ids } = tapeRequest(api, request);
    const taped = deck.answer(asked, agentId);
    if (taped !== undefined && !(deck.records && isUnanswered(taped))) {
      await request.beforeSend?.();
      if (isUnanswered(taped)) return clock.hang(request.signal);
      await clock.arrive(taped.latencyMs, request.signal);
      return answerOf(taped, ids);
    }
    if (!deck.records) throw missed((await deck.missAnswer(agentId, asked)).why);
    const add = (rest: Taped) => deck.add({ agentId, request: asked, ...rest(ids) });
    return spend.ask(api, request, (counted) => record(models.open(api), counted, add));
  }
}

type Taped = (ids: readonly string[]) => Omit<TapedAnswer, 'agentId' | 'request'>;

async function record(model: Model, request: ModelRequest, add: (taped: Taped) => void): Promise<ModelAnswer> {
  const began = performance.now();
  const latency = () => Math.round(performance.now() - began);
  try {
    const { raw, ...answer } = await model.ask(request);
    const latencyMs = latency();
    add((ids) => ({ answer: numbered(answer, ids), latencyMs }));
    return { ...answer, raw };
  } catch (error) {
    if (request.signal?.aborted !== true) {
      const latencyMs = latency();
      add(() => ({ error: errorOf(error), latencyMs }));
    }
    throw error;
  }
}

function errorOf(error: unknown): NonNullable<TapedAnswer['error']> {
  const { code, message, hint } = errorBody(error);
  return {
    ...{ code, message },
    ...(hint !== undefined && { hint }),
    ...(error instanceof EngineError && { retryable: error.retryable }),
    ...(error instanceof ModelError && error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  };
}

function answerOf({ answer, error }: TapedAnswer, ids: readonly string[]): ModelAnswer {
  if (answer !== undefined) return { ...fillShape(answer, ids), raw: '{"replayed":true}' };
  const {
    code = 'INTERNAL',
    message = 'the recording has no answer',
    hint,
    retryable = false,
    retryAfterMs,
  } = error ?? {};
  const known = toCode(code);
  if (!isModelCode(known)) throw new EngineError(known, message, { hint, retryable });
  throw new ModelError(known, message, { hint, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

function isModelCode(code: ErrorCode): code is ErrorCode & `MODEL_${string}` {
  return code.startsWith('MODEL_');
}

/** The error of a request or a call that the recording cannot answer. */
export function missed(why: string): EngineError {
  return new EngineError('CONFLICT', `the recording has no answer to this: ${why}`, {
    hint: 'record it again, or ask models with --live',
  });
}
