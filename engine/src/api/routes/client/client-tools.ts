import { EngineError } from '../../../base/error.ts';
import type { Settings } from '../../../config/config.ts';
import { approvalsList } from './approval-tools.ts';
import type { ClientTool } from './client-tool.ts';
import { itemRead, itemsList } from './item-tools.ts';
import { mailRead, mailSearch } from './mail-tools.ts';
import { runAnswer, runsList, runStart } from './run-tools.ts';

/** Every tool of `callsheet mcp`, in the order in which programs see them. None of them answers an approval. */
export const CLIENT_TOOLS: readonly ClientTool[] = [
  mailSearch,
  mailRead,
  runsList,
  runStart,
  runAnswer,
  itemsList,
  itemRead,
  approvalsList,
];

type Rules = Pick<Settings, 'clients'>;

/** The tools that the settings allow: those of `clients.mcp.allow`, else every read; never those of `deny`. */
export function allowedTools(settings: Rules): readonly ClientTool[] {
  return CLIENT_TOOLS.filter((tool) => whyRefused(tool, settings) === undefined);
}

/** The tool of a name, if the settings allow it. `TOOL_UNKNOWN`, `TOOL_DENIED`. */
export function allowedTool(name: string, settings: Rules): ClientTool {
  const tool = CLIENT_TOOLS.find((one) => one.name === name);
  if (tool === undefined)
    throw new EngineError('TOOL_UNKNOWN', `there is no tool "${name}"`, {
      hint: `your tools are: ${namesOf(allowedTools(settings))}`,
    });
  const reason = whyRefused(tool, settings);
  if (reason === undefined) return tool;
  throw new EngineError('TOOL_DENIED', `"${name}" is not allowed: ${reason}`, {
    hint: `go on without it; a person can change clients.mcp in settings.yaml. Your tools are: ${namesOf(allowedTools(settings))}`,
  });
}

function whyRefused({ name, effects }: ClientTool, { clients }: Rules): string | undefined {
  const { allow, deny = [] } = clients.mcp;
  if (deny.some((denied) => denied === name)) return 'clients.mcp.deny of the settings names it';
  if (allow?.some((allowed) => allowed === name) === true) return undefined;
  if (allow !== undefined) return 'clients.mcp.allow of the settings does not name it';
  return effects === 'read'
    ? undefined
    : 'it changes something, and clients.mcp.allow of the settings does not name it';
}

function namesOf(tools: readonly ClientTool[]): string {
  return tools.map(({ name }) => name).join(', ') || 'none';
}
