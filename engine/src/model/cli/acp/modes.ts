import type { NewSessionRequest, SessionModeState } from '@agentclientprotocol/sdk';
import type { CliTurn } from '../../model.ts';
import { ModelError } from '../../model-error.ts';
import type { ToolName } from '../tool.ts';

/** How far a turn may go: `none` without roaming. */
export type TurnMode = 'none' | 'safe' | 'yolo';

/** The mode of a turn. */
export function turnModeOf(turn: CliTurn | undefined): TurnMode {
  return turn?.roaming?.mode ?? 'none';
}

/** What Callsheet knows of a tool behind the Agent Client Protocol. */
interface AcpTool {
  /** Version of the adapter with which the modes were tried. */
  readonly tried: string;
  /** Ids of the tool's modes for each turn mode, the best first: the first that the session offers is taken. */
  readonly modes: { readonly [M in TurnMode]: readonly string[] };
  /** Arguments that only `yolo` gets. */
  readonly yoloArguments?: readonly string[];
  /** Variables that the tool gets, whatever Callsheet's own environment says. */
  readonly variables?: (mode: TurnMode) => Readonly<Record<string, string>>;
  /** `_meta` of a new session. */
  readonly meta?: (mode: TurnMode) => NonNullable<NewSessionRequest['_meta']>;
}

/**
 * The known tools. Their start modes are in no row: Claude's `auto` and Codex's `agent` write files without a question. Modes that
 * ask nothing, or have no sandbox, are in `yolo` alone.
 *
 * - Claude gets no tools without roaming. It never reads settings, hooks or MCP servers, since those of the folder could allow calls
 *   that the person did not.
 * - Codex writes in `safe` inside its folder only, in its own sandbox, and asks for what goes beyond. Its `read-only` asks for
 *   patches, but does not tell their content.
 * - Gemini has `plan` (read only) where its settings allow it; `default` asks before it changes something. Settings, commands and variables
 *   of the folder count where it trusts it, which the user may have allowed for all folders: the variable takes that back.
 */
export const acpTools: { readonly [N in ToolName]: AcpTool } = {
  claude: {
    tried: '0.101.0',
    modes: { none: ['default'], safe: ['default'], yolo: ['bypassPermissions'] },
    meta: (mode) => ({
      claudeCode: { options: { ...(mode === 'none' && { tools: [] }), settingSources: [], strictMcpConfig: true } },
    }),
  },
  codex: {
    tried: '2.6.0',
    modes: { none: ['read-only'], safe: ['workspace-write'], yolo: ['agent-full-access'] },
  },
  gemini: {
    tried: '0.61.0',
    modes: { none: ['plan', 'default'], safe: ['default'], yolo: ['yolo'] },
    yoloArguments: ['--skip-trust'],
    variables: (mode): Readonly<Record<string, string>> =>
      mode === 'yolo' ? {} : { GEMINI_CLI_TRUST_WORKSPACE: 'false' },
  },
};

/**
 * The mode to set after a session was made. Undefined for a command of the user's own, whose modes nobody knows: it stays in its
 * start mode. `MODEL_UNAVAILABLE` where a known tool does not offer a mode for the turn: it must not work in another one.
 */
export function modeToSet(
  name: ToolName | undefined,
  mode: TurnMode,
  offered: SessionModeState | null | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const wanted = acpTools[name].modes[mode];
  const ids = offered?.availableModes.map(({ id }) => id) ?? [];
  const found = wanted.find((id) => ids.includes(id));
  if (found !== undefined) return found;
  const list = ids.length === 0 ? 'none' : ids.join(', ');
  throw new ModelError(
    'MODEL_UNAVAILABLE',
    `"${name}" does not offer the mode ${wanted.join(' or ')}; it offers ${list}`,
    {
      hint:
        mode === 'yolo'
          ? 'some tools offer this mode to no administrator (root), or not at all: choose the mode safe'
          : `install version ${acpTools[name].tried} of its adapter, or set protocol: flags`,
    },
  );
}
