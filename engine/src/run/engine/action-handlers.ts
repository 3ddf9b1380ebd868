import { EngineError } from '../../base/error.ts';
import type { Modes } from '../mode/mode.ts';
import { kindOf } from '../step/machine.ts';
import type { HandleAction } from '../step/step.ts';

/** Performs the actions of machines with the handlers of their modes. `INTERNAL` where a mode has no such handler. */
export function actionHandler(modes: Modes): HandleAction {
  return async (step, machine, { type, params = {} }) => {
    const kind = kindOf(machine);
    const handler = modes.get(kind)?.handlers[type];
    if (handler === undefined)
      throw new EngineError('INTERNAL', `there is no handler for action "${type}" of a ${kind} machine`);
    await handler(step, machine, params);
  };
}
