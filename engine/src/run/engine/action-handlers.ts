import { EngineError } from '../../base/error.ts';
import type { Modes } from '../mode/mode.ts';
import { kindOf } from '../step/machine.ts';
import type { HandleAction } from '../step/step.ts';

/** Carries out the actions of machines by the handlers of their modes. */
export function actionHandler(modes: Modes): HandleAction {
  return async (step, machine, { type, params = {} }) => {
    const kind = kindOf(machine);
    const handler = modes.get(kind)?.handlers[type];
    if (handler === undefined) throw new EngineError('INTERNAL', `nothing handles the action "${type}" of a ${kind}`);
    await handler(step, machine, params);
  };
}
