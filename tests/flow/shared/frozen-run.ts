import type { Models } from '../../../engine/src/model/model.ts';
import type { Tool } from '../../../engine/src/tool/tool.ts';
import { call, playModels } from '../../run/harness.ts';
import { BLIND, FROZEN_CASES, type FrozenCase } from './frozen-cases.ts';
import { World, worldTools } from '../outside-world.ts';

/** A model that calls the tool of the case which the run's message names, and then is done. */
export function frozenModels(onAsked: (which: FrozenCase) => void): Models {
  return playModels(({ messages, turn }) => {
    const name = messages.find(({ role }) => role === 'user')?.content ?? '';
    const which = FROZEN_CASES[name] ?? BLIND;
    if (turn > 1) return { content: 'done' };
    onAsked(which);
    return { tool_calls: [call('c1', which.tool, { what: name })] };
  });
}

/** Tools that act at once and are never refused. */
export function frozenTools(world: string, happened: () => void): Tool[] {
  return worldTools({
    world: new World(world),
    dedupes: true,
    pause: async () => {},
    isPrompt: true,
    refusals: 0,
    happened,
  });
}
