import { EngineError } from '../../base/error.ts';
import { bindingOf } from '../../guard/binding.ts';
import type { Reader } from '../../store/store.ts';
import type { ToolEffect } from '../step/effect.ts';

/** Throws `APPROVAL_LAPSED` where a call would no longer do what a person has allowed. To be called right before it runs. */
export async function expectBound(effect: ToolEffect, reader: Reader): Promise<void> {
  const { tool, arguments: args, caller, binding } = effect;
  if (binding === undefined || binding === (await bindingOf({ tool, arguments: args }, caller, reader))) return;
  throw new EngineError(
    'APPROVAL_LAPSED',
    'the call was not made: what it would send or change is no longer what a person has allowed',
    { hint: 'make the call again if it is still right; it is then checked again' },
  );
}
