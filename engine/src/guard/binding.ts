import { EngineError } from '../base/error.ts';
import { canonicalJson, sha256 } from '../base/json.ts';
import type { Reader } from '../store/store.ts';
import type { Caller } from '../tool/tool.ts';
import type { GuardedCall } from './guard.ts';

/**
 * A hash over everything by which a call reaches the world: its tool, its arguments, and what these stand for, such as the
 * account, the recipients of an answer and the content of attachments (`binding` of the tool). An approval holds for this hash.
 * It reads only our own store, through `reader`. `STORE_*`.
 */
export async function bindingOf(
  { tool, arguments: args }: GuardedCall,
  caller: Caller,
  reader: Reader,
): Promise<string> {
  const stands = 'binding' in tool ? await read(() => tool.binding?.(args, caller, reader)) : undefined;
  return sha256(canonicalJson({ tool: tool.name, arguments: args, stands: stands ?? null }));
}

/** What cannot be read binds to that: a person who allowed the call without it did not allow it with it. */
async function read(binding: () => Promise<unknown> | undefined): Promise<unknown> {
  try {
    return await binding();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('STORE_')) throw error;
    return { unreadable: error.code };
  }
}
