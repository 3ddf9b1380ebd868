import type { Agent, Director, ToolCatalog } from '../config.ts';
import { globTest } from '../../base/glob.ts';
import { agentOfTool } from './links.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';

const RULES = ['allow', 'ask', 'deny'] as const;

/**
 * Checks the tool names and permissions of a director or an agent. `agents` is undefined for an agent: agents have neither
 * discovery tools nor agents. For a permission `agent__<id>`, the link check reports an unknown agent.
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
  const all = new Set([...catalog.tools.keys(), ...catalog.discovery, ...own]);
  const families = new Set(Array.from(catalog.tools.values(), ({ family }) => family));
  return [
    ...actor.tools.flatMap((name, i) => checkTool(name, ['tools', i], catalog, families)),
    ...RULES.flatMap((rule) =>
      (actor.permissions?.[rule] ?? []).flatMap((glob, i) =>
        checkRule(glob, ['permissions', rule, i], { all, shown, families }),
      ),
    ),
  ];
}

function checkTool(
  name: string,
  path: DocumentPath,
  { tools, discovery }: ToolCatalog,
  families: ReadonlySet<string>,
): Finding[] {
  if (tools.has(name) || families.has(name) || discovery.includes(name)) return [];
  const agent = agentOfTool(name);
  if (agent !== undefined)
    return [
      {
        code: 'CONFIG_UNKNOWN_TOOL',
        path,
        message: `"${name}" cannot be listed as a tool`,
        hint: `only a director can call agents; write agents: [${agent}] in the director`,
      },
    ];
  const message = `no tool or family "${name}"${didYouMean(name, [...families, ...tools.keys()])}`;
  return [{ code: 'CONFIG_UNKNOWN_TOOL', path, message, hint: `families: ${listOf(families)}` }];
}

interface Names {
  readonly all: ReadonlySet<string>;
  readonly shown: ReadonlySet<string>;
  readonly families: ReadonlySet<string>;
}

function checkRule(glob: string, path: DocumentPath, { all, shown, families }: Names): Finding[] {
  const matches = globTest(glob);
  if ([...shown].some(matches)) return [];
  const isKnown = [...all].some(matches);
  const isPattern = glob.includes('*');
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
  if (isPattern)
    return [
      { code: 'CONFIG_GLOB_UNMATCHED', path, message: `"${glob}" matches no tool`, hint: `tools: ${listOf(all)}` },
    ];
  const message = `no tool "${glob}"${didYouMean(glob, all)}`;
  return [
    {
      code: 'CONFIG_UNKNOWN_TOOL',
      path,
      message,
      ...(families.has(glob) && { hint: `for the whole family write "${glob}_*"` }),
    },
  ];
}
