import { objectiveMode } from './objective.ts';
import { modeTable, type Mode, type Modes } from './mode.ts';
import { planMode } from './plan.ts';
import { runMode } from './run.ts';
import { sessionMode } from './session.ts';

const BUILT_IN: readonly Mode[] = [runMode, sessionMode, planMode, objectiveMode];

/** Every mode that Callsheet has. A new mode is one more file beside this one and one more row of `BUILT_IN`. */
export const MODES: Modes = modeTable(BUILT_IN);
