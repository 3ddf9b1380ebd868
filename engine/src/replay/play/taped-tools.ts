import { toCode } from '../../base/error-code.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { Arguments } from '../../tool/arguments.ts';
import type { Caller, LocalTool, Tool, WorldTool } from '../../tool/tool.ts';
import { isWakeKey } from '../../run/pursuit/wake-effect.ts';
import type { GeneratedFile } from '../../workspace/generated-file.ts';
import { isUnanswered, type TapedCall } from '../cassette.ts';
import type { Deck } from './deck.ts';
import { fillShape, numbered, shapeOf } from '../shape.ts';
import type { PlayOptions } from '../replay.ts';
import type { PlayClock } from './play-clock.ts';
import { missed } from './taped-models.ts';

interface Options extends Pick<PlayOptions, 'answerTool'> {
  readonly deck: Deck;
  readonly clock: PlayClock;
  /** Whether a call of the tool that the deck cannot answer runs for real. */
  readonly isLiveRead: (tool: Tool) => boolean;
}

/** The files of results that were given. */
type Results = WeakMap<object, readonly GeneratedFile[]>;

/** The answer of a write that the recording lacks. */
export const NOT_DONE = { done: true, note: 'This is a replay: the call has no effect.' } as const;

/**
 * Replaces a tool by one that looks the same and reaches nothing: a call gets the recorded result, a write without one `NOT_DONE`,
 * and a read without one fails, which is noted in the deck. What reads and writes the store of the run stays as it is.
 */
export function tapedTool(tool: Tool, options: Options): Tool {
  if ('answeredBy' in tool) return tool;
  if (tool.effects !== 'none') return tapedWorldTool(tool, options);
  return tool.family === 'memory' ? tapedMemoryTool(tool, options) : tool;
}

/** Memories change from run to run, so a recorded result counts more than what the store of the play has. */
function tapedMemoryTool(tool: LocalTool, options: Options): LocalTool {
  const { remote } = tool;
  return {
    ...tool,
    ...(remote !== undefined && { remote: { ...remote, tool: tapedWorldTool(remote.tool, options) } }),
    run: async (args, context) => {
      const given = options.answerTool?.(tool.name, args);
      if (given !== undefined) return given.value;
      const { value, ids } = shapeOf(args as Json);
      const taped = options.deck.call(tool.name, value);
      return taped === undefined ? tool.run(args, context) : resultOf(taped, ids);
    },
  };
}

function tapedWorldTool(tool: WorldTool, options: Options): WorldTool {
  // Looks at the world, which has nothing to do with the play.
  const { preview: _preview, reconcile: _reconcile, files, ...rest } = tool;
  const taped: Results = new WeakMap();
  return {
    ...rest,
    repeat: tool.effects === 'read' ? 'free' : 'key',
    run: (args, context) => answer(tool, args, context, { ...options, taped }),
    ...(files !== undefined && {
      files: async (_args, result) => (isObject(result) ? taped.get(result) : undefined) ?? [],
    }),
  };
}

async function answer(
  tool: WorldTool,
  args: Arguments,
  context: Parameters<WorldTool['run']>[1],
  { deck, clock, answerTool, isLiveRead, taped: results }: Options & { readonly taped: Results },
): Promise<unknown> {
  // The engine reads in the mailbox itself. A wake that gets nothing works with the stored mails.
  if (isWakeKey(context.key)) throw missed('a play opens no mailbox');
  const given = answerTool?.(tool.name, args);
  if (given !== undefined) return given.value;
  const { value, ids } = shapeOf(args as Json);
  const taped = deck.call(tool.name, value);
  if (taped !== undefined && !(deck.records && isUnanswered(taped))) {
    if (isUnanswered(taped)) return clock.hang(context.signal);
    await clock.arrive(taped.latencyMs, context.signal);
    const result = resultOf(taped, ids);
    if (isObject(result) && taped.files !== undefined) results.set(result, taped.files);
    return result;
  }
  if (tool.effects === 'write') {
    await clock.arrive(0, context.signal);
    if (deck.records) deck.addCall({ tool: tool.name, arguments: value, result: NOT_DONE, latencyMs: 0 });
    return NOT_DONE;
  }
  if (isLiveRead(tool)) return record(tool, args, context, (call) => deck.addCall(call));
  throw missed(deck.missCall(agentOf(context.caller), tool.name, value).why);
}

async function record(
  tool: WorldTool,
  args: Arguments,
  context: Parameters<WorldTool['run']>[1],
  add: (call: TapedCall) => void,
): Promise<unknown> {
  const { value, ids } = shapeOf(args as Json);
  const began = performance.now();
  const head = () => ({ tool: tool.name, arguments: value, latencyMs: Math.round(performance.now() - began) });
  try {
    const result = (await tool.run(args, context)) as Json;
    add({ ...head(), result: numbered(result ?? null, ids) });
    return result;
  } catch (error) {
    if (context.signal?.aborted !== true) add({ ...head(), error: errorBody(error) });
    throw error;
  }
}

function resultOf({ result, error }: TapedCall, ids: readonly string[]): unknown {
  if (error !== undefined) throw new EngineError(toCode(error.code), error.message, { hint: error.hint });
  return fillShape(result ?? null, ids);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function agentOf({ origin }: Caller): string {
  return origin.agent?.id ?? '';
}
