import { EngineError } from '../../base/error.ts';
import { modelName } from '../../model/models.ts';
import type { Machine, MachineFacts } from '../step/machine.ts';
import type { Step } from '../step/step.ts';
import { agentOf } from '../step/tool-result.ts';
import { homeApiOf } from './home-api.ts';

/**
 * Has a machine ask another api from now on, for good: also the agent's session, and the callers whose api is the same and has the same
 * fallback. The trace and the run name the new api.
 */
export async function changeApi(step: Step, machine: Machine, apiId: string): Promise<void> {
  const { config, record } = step.runState;
  const from = machine.facts.apiId;
  const api = config.apis.get(apiId);
  if (api === undefined) throw new EngineError('INTERNAL', `the run's config has no api "${apiId}"`);
  const home = homeApiOf(config, machine.facts).api?.id;
  for (const one of await withCallers(step, machine)) {
    const isSame = one.facts.apiId === from && homeApiOf(config, one.facts).api?.id === home;
    if (isSame) {
      const { length: reasoningFrom } = await step.runState.transcript(one.facts.threadId);
      one.facts = { ...one.facts, apiId, reasoningFrom };
    }
    one.facts = { ...one.facts, ...agentApis(one, machine.facts, apiId) };
    one.isChanged = true;
  }
  const actor = step.actors.resolve(step.runState, machine.facts);
  step.entry({
    ...agentOf(actor),
    phase: actor.role,
    detail: { action: 'api_changed', line: `api ${from} → ${apiId}`, from, apiId },
  });
  const { apis } = record.run;
  if (!apis.some(({ id }) => id === apiId))
    step.patchRun({ apis: [...apis, { id: apiId, provider: api.provider, model: modelName(api) }] });
}

/** The new api of an agent with an api of its own, on the root: a later session of it begins there. */
function agentApis({ facts }: Machine, { agentId }: MachineFacts, apiId: string): Partial<MachineFacts> {
  const known = facts.agentApis;
  return known === undefined || !Object.hasOwn(known, agentId) ? {} : { agentApis: { ...known, [agentId]: apiId } };
}

/** The machine, the session that it answers in, and those that wait for it, up to the root. */
async function withCallers(step: Step, machine: Machine): Promise<Machine[]> {
  const session = await step.machine(machine.facts.threadId);
  const found = session === undefined ? [machine] : [machine, session];
  for (let caller = machine.facts.caller; caller !== undefined;) {
    const next = await step.machine(caller.machine);
    if (next === undefined) break;
    found.push(next);
    caller = next.facts.caller;
  }
  return found;
}
