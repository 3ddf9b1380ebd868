import { reachesWorld } from '../config/permissions.ts';
import { matchRule } from '../config/rule/match-rule.ts';
import { toolsetFacts } from '../tool/toolset.ts';
import { actualArguments } from './actual-arguments.ts';
import type { DecidingRule, Guard, GuardContext, GuardedCall } from './guard.ts';
import type { Layer } from './layer.ts';

/**
 * Asks about a call that reaches the world from a thread that has read text of strangers, whatever `permissions` say, unless
 * `untrusted.act` names the call: of the director for itself and its agents, of the agent in a session of a person. Where the run
 * works with an older version of the document, the newest one must name the call as well.
 */
export const taintGuard: Guard = {
  name: 'taint',
  async check(call, context) {
    const { tool } = call;
    const reach = 'kind' in tool ? undefined : tool.reach;
    if (!reachesWorld({ ...toolsetFacts(tool), reach })) return { decision: 'pass' };
    const taint = await context.taint();
    if (taint === undefined) return { decision: 'pass' };
    const layers = decidingLayers(context);
    const rules = await Promise.all(layers.map((layer) => ruleOf(layer, call, context)));
    if (rules.length > 0 && rules.every((rule) => rule.entry !== undefined)) return { decision: 'pass', rules };
    const silent = rules.filter((rule) => rule.entry === undefined);
    const who = layers.find((_layer, i) => rules[i]?.entry === undefined)?.who ?? 'no file';
    const reason = `this thread has read text from outside (${taint.cause}), and untrusted.act of ${who} does not name this call`;
    return { decision: 'ask', reason, rules: silent };
  },
};

/** The documents whose `untrusted.act` counts. */
function decidingLayers({ layers }: GuardContext): readonly Layer[] {
  const directors = layers.filter(({ kind }) => kind === 'director');
  return directors.length > 0 ? directors : layers;
}

async function ruleOf(
  { kind, id, isNewest, document }: Layer,
  call: GuardedCall,
  { caller, participants }: GuardContext,
): Promise<DecidingRule> {
  const act = document.untrusted?.act ?? [];
  const { tool } = call;
  // What a call stands for costs a look into the store: only rules need it.
  const { arguments: args } = act.length === 0 ? call : await actualArguments(call, caller);
  const addresses = 'kind' in tool ? undefined : tool.recipients;
  const thread = act.some((text) => text.includes('@thread')) ? await participants() : undefined;
  const entry = act.find((text) =>
    matchRule(text, tool.name, args, { mode: 'every', addresses, participants: thread }),
  );
  return { kind, id, isNewest, list: 'untrusted.act', ...(entry !== undefined && { entry }) };
}
