import { EngineError } from '../../base/error.ts';
import type { ActionHandler, Mode, Modes } from '../mode/mode.ts';
import { ROLE_DONE, type RoleResult } from '../role/role.ts';
import { kindOf } from '../step/machine.ts';
import type { HandleAction } from '../step/step.ts';

/** Performs the actions of machines with the handlers of their modes. `INTERNAL` where a mode has no such handler. */
export function actionHandler(modes: Modes): HandleAction {
  return async (step, machine, { type, params = {} }) => {
    const kind = kindOf(machine);
    const mode = modes.get(kind);
    const handler = type === ROLE_DONE ? roleDoneOf(mode) : mode?.handlers[type];
    if (handler === undefined)
      throw new EngineError('INTERNAL', `there is no handler for action "${type}" of a ${kind} machine`);
    await handler(step, machine, params);
  };
}

function roleDoneOf(mode: Mode | undefined): ActionHandler | undefined {
  const roleDone = mode?.roleDone;
  return roleDone === undefined ? undefined : (step, root, result) => roleDone(step, root, result as RoleResult);
}
