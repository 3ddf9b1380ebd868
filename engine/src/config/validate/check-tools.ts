import type { Agent, Director, ToolCatalog } from '../config.ts';
import { globTest } from '../../base/glob.ts';
import { rulesOf } from '../rule/rules-of.ts';
import { toolOfRule } from '../rule/parse-rule.ts';
import { checkRuleArguments } from './check-rule-arguments.ts';
import { agentOfTool } from './links.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { didYouMean } from '../../base/did-you-mean.ts';

/**
 * Checks the tool names and permissions of a director or an agent. `agents` is undefined for an agent: agents have neither
 * discovery tools nor agents. The link check reports names of unknown agents and tools, and `link/tool-warnings.ts` what depends on
 * declared tools.
 */
export function checkTools(
  actor: Director | Agent,
  agents: readonly string[] | undefined,
  catalog: ToolCatalog,
): Finding[] {
  const own = agents === undefined ? [] : [...catalog.discovery, ...agents.map((id) => `agent__${id}`)];
  const shown = new Set(own);
  for (const [name, { family }] of catalog.tools)
    if (actor.tools.includes(name) || actor.tools.includes(family)) shown.add(name);
  const families = new Set(Array.from(catalog.tools.values(), ({ family }) => family));
  // A name that is not built in may be a declared tool.
  for (const name of actor.tools) if (!families.has(name)) shown.add(name);
  const all = new Set([...catalog.tools.keys(), ...catalog.discovery, ...own]);
  return [
    ...actor.tools.flatMap((name, i) => checkTool(name, ['tools', i])),
    ...(agents === undefined ? actor.tools.flatMap((name, i) => checkQuestion(name, ['tools', i], catalog)) : []),
    ...rulesOf(actor).flatMap(({ text, path }) => [
      ...checkRule(toolOfRule(text), path, { all, shown, families, hasAgents: (agents ?? []).length > 0 }),
      ...checkRuleArguments(text, path, catalog.tools),
    ]),
  ];
}

/** Links report a name that is no tool. */
function checkTool(name: string, path: DocumentPath): Finding[] {
  const agent = agentOfTool(name);
  if (agent === undefined) return [];
  return [
    {
      code: 'CONFIG_UNKNOWN_TOOL',
      path,
      message: `"${name}" cannot be listed as a tool`,
      hint: `only a director can call agents; write agents: [${agent}] in the director`,
    },
  ];
}

/** An agent cannot ask the user: it answers its director, who can. */
function checkQuestion(name: string, path: DocumentPath, { tools }: ToolCatalog): Finding[] {
  if (name !== 'person' && tools.get(name)?.family !== 'person') return [];
  return [
    {
      code: 'CONFIG_UNKNOWN_TOOL',
      path,
      message: `"${name}" is a tool of directors: agents do not ask the user`,
      hint: 'give it to the director, and remove it here',
    },
  ];
}

interface Names {
  readonly all: ReadonlySet<string>;
  readonly shown: ReadonlySet<string>;
  readonly families: ReadonlySet<string>;
  /** Rules of a director hold for its agents as well, whose tools the link check knows. */
  readonly hasAgents: boolean;
}

function checkRule(glob: string, path: DocumentPath, { all, shown, families, hasAgents }: Names): Finding[] {
  const matches = globTest(glob);
  if ([...shown].some(matches)) return [];
  const isKnown = [...all].some(matches);
  if (isKnown && hasAgents && agentOfTool(glob) === undefined) return [];
  if (isKnown || agentOfTool(glob) !== undefined) {
    const hint =
      agentOfTool(glob) === undefined
        ? 'add it to tools, or remove it here'
        : 'add the agent to agents, or remove it here';
    return [
      {
        code: 'CONFIG_PERMISSION_UNUSED',
        path,
        message: `"${glob}" matches none of this document's tools, so it has no effect`,
        hint,
      },
    ];
  }
  if (!families.has(glob)) return [];
  const message = `no tool "${glob}"${didYouMean(glob, all)}`;
  return [{ code: 'CONFIG_UNKNOWN_TOOL', path, message, hint: `for the whole family write "${glob}_*"` }];
}
