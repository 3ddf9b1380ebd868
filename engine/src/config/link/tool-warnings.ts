import { globTest } from '../../base/glob.ts';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';
import type { Agent, Director, ToolCatalog } from '../config.ts';
import type { ScriptedApi } from '../documents.gen.ts';
import type { Finding } from '../problem.ts';
import { rulesOf } from '../rule/rules-of.ts';
import { toolOfRule } from '../rule/parse-rule.ts';
import { checkRuleArguments } from '../validate/check-rule-arguments.ts';
import { nameOf } from '../parse/read.ts';
import { agentOfTool } from '../validate/links.ts';
import { callsOf } from '../validate/script-calls.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';

type Tools = ToolCatalog['tools'];

/** Warns about names of tools that have no effect; which they are depends on the declared tools. */
export function toolWarnings({ typed }: ValidDocument, others: Others): Finding[] {
  const { catalog } = others;
  if (typed.kind === 'api')
    return 'script' in typed.value ? scriptNotes(typed.value, [...others.tools.keys(), ...catalog.discovery]) : [];
  if ((typed.kind !== 'director' && typed.kind !== 'agent') || rulesOf(typed.value).length === 0) return [];
  const agents = typed.kind === 'director' ? agentsOf(typed.value, others) : [];
  return ruleNotes(typed.value, agents, { tools: others.tools, catalog });
}

/** The agents of a director: its rules hold for their calls as well. */
function agentsOf({ agents }: Director, others: Others): Agent[] {
  return agents.flatMap((id) => {
    const typed = others.get(nameOf('agent', id))?.typed;
    return typed?.kind === 'agent' ? [typed.value] : [];
  });
}

interface NamedTools {
  readonly tools: Tools;
  readonly catalog: ToolCatalog;
}

function ruleNotes(actor: Director | Agent, agents: readonly Agent[], { tools, catalog }: NamedTools): Finding[] {
  const asked = 'agents' in actor ? actor.agents.map((id) => `agent__${id}`) : [];
  const others = [...asked, ...catalog.discovery];
  const names = new Set([actor, ...agents].flatMap((one) => one.tools));
  return rulesOf(actor).flatMap(({ text, path }): Finding[] => {
    const glob = toolOfRule(text);
    const declared = [...tools].filter(([name]) => !catalog.tools.has(name));
    // The document itself may be right: which arguments a declared tool has, another file says.
    const unknown = checkRuleArguments(text, path, new Map(declared)).map((found): Finding => ({
      ...found,
      code: 'CONFIG_RULE_UNMATCHED',
    }));
    if (unknown.length > 0) return unknown;
    const matches = globTest(glob);
    // The links report on agents.
    if (others.some(matches) || agentOfTool(glob) !== undefined) return [];
    // `tools: [tickets]` is the name of a server, and its tools may be known only while it runs.
    if ([...names].some((name) => matches(name) || mayMatchBelow(glob, name, catalog.tools))) return [];
    const builtIn = [...catalog.tools].filter(([name]) => matches(name));
    if (builtIn.some(([name, { family }]) => names.has(name) || names.has(family))) return [];
    // `validate/check-tools.ts` reports on built-in tools where there are no agents.
    if (builtIn.length > 0 && asked.length === 0) return [];
    // The tools of an agent that is missing are not known.
    if (agents.length < asked.length) return [];
    if ([...tools.keys()].some(matches)) return [unused(glob, path, asked.length > 0)];
    if (!glob.includes('*')) return [];
    const hint = `tools: ${listOf([...tools.keys(), ...catalog.discovery])}`;
    return [{ code: 'CONFIG_GLOB_UNMATCHED', path, message: `"${glob}" matches no tool`, hint }];
  });
}

/** Whether a rule may match tools of the declared tool of this name: `tickets__*` and `tickets__search` of `tickets`. */
function mayMatchBelow(glob: string, name: string, builtIn: Tools): boolean {
  if (builtIn.has(name)) return false;
  const star = glob.indexOf('*');
  const fixed = star < 0 ? glob : glob.slice(0, star);
  return fixed.startsWith(`${name}__`) || (star >= 0 && `${name}__`.startsWith(fixed));
}

function unused(glob: string, path: Finding['path'], hasAgents: boolean): Finding {
  const whose = hasAgents ? "this document's tools, nor of those of its agents" : "this document's tools";
  const message = `"${glob}" matches none of ${whose}, so it has no effect`;
  return { code: 'CONFIG_PERMISSION_UNUSED', path, message, hint: 'add it to tools, or remove it here' };
}

function scriptNotes({ script }: ScriptedApi, names: readonly string[]): Finding[] {
  return script.flatMap((rule, i) => {
    if (!('call' in rule)) return [];
    return callsOf(rule.call, ['script', i, 'call']).flatMap(({ call, path }): Finding[] => {
      if (names.includes(call.tool) || call.tool.includes('__')) return [];
      // Only a warning: a script may imitate a model that calls an unknown tool.
      const message = `no tool "${call.tool}"${didYouMean(call.tool, names)}`;
      return [{ code: 'CONFIG_SCRIPT_TOOL', path: [...path, 'tool'], message }];
    });
  });
}
