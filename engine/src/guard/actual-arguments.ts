import { EngineError } from '../base/error.ts';
import type { Arguments } from '../tool/arguments.ts';
import type { Caller } from '../tool/tool.ts';
import type { GuardedCall } from './guard.ts';

/** The arguments of a call as rules see them. */
export interface ActualArguments {
  readonly arguments: Arguments;
  /** False where only the call itself can say what they stand for, such as who gets an answer: then they are as in the call. */
  readonly isKnown: boolean;
  /** The error that the call would have. */
  readonly error?: EngineError;
}

/** By call: several guards ask for the same. */
const known = new WeakMap<GuardedCall, Promise<ActualArguments>>();

/** The arguments of a call as rules see them: with the recipients of an answer, and the real path of a file. */
export function actualArguments(call: GuardedCall, caller: Caller): Promise<ActualArguments> {
  let actual = known.get(call);
  if (actual === undefined) known.set(call, (actual = read(call, caller)));
  return actual;
}

async function read({ tool, arguments: args }: GuardedCall, caller: Caller): Promise<ActualArguments> {
  if ('kind' in tool || tool.actualArguments === undefined) return { arguments: args, isKnown: true };
  try {
    const actual = await tool.actualArguments(args, caller);
    return actual === undefined ? { arguments: args, isKnown: false } : { arguments: { ...actual }, isKnown: true };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('STORE_')) throw error;
    return { arguments: args, isKnown: false, error };
  }
}
