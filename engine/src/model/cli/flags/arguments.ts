import type { CliTurn } from '../../model.ts';
import type { OwnCommand, ToolName } from '../tool.ts';

type Roaming = CliTurn['roaming'];

/** Whether Claude Code keeps the session of a turn, and the one that it goes on in. No other tool can, by flags. */
export interface ClaudeSession {
  readonly isKept?: boolean;
  readonly resume?: string | undefined;
}

/**
 * Arguments of the known tools for one turn, as measured with Codex 0.169.0, Claude Code 2.1.197 and Gemini CLI 0.61.0. All read the
 * prompt from standard input and write JSON lines. Without roaming: text only, with the sandbox or the mode in which the tool can
 * change nothing. `safe`: what the tool's own sandbox or its mode for edits allows. `yolo`: all. Tools keep no session unless they are told to, and take
 * nothing from settings or MCP servers of the folder where they have an argument for that.
 */
export const flagArguments: {
  readonly [N in ToolName]: (roaming: Roaming, session?: ClaudeSession) => readonly string[];
} = {
  codex: (roaming) => [
    ...['exec', '--json', '--ephemeral', '--skip-git-repo-check'],
    ...(roaming?.mode === 'yolo' ? [] : ['--ignore-user-config']),
    ...['-s', { none: 'read-only', safe: 'workspace-write', yolo: 'danger-full-access' }[modeOf(roaming)]],
    ...(roaming === undefined ? [] : ['-C', roaming.dir]),
    '-',
  ],
  claude: (roaming, { isKept = false, resume } = {}) => [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--strict-mcp-config'],
    ...(isKept ? [] : ['--no-session-persistence']),
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...['--setting-sources', roaming?.mode === 'yolo' ? 'user' : ''],
    ...(roaming === undefined ? ['--tools', '', '--disable-slash-commands'] : []),
    ...['--permission-mode', { none: 'dontAsk', safe: 'acceptEdits', yolo: 'bypassPermissions' }[modeOf(roaming)]],
  ],
  gemini: (roaming) => [
    // The tool puts this sentence after what it reads from standard input. Without trust it does not start: see `checkTrustedFolder`.
    ...['-p', 'Answer the text above.', '-o', 'stream-json', '--skip-trust'],
    ...['--approval-mode', { none: 'plan', safe: 'auto_edit', yolo: 'yolo' }[modeOf(roaming)]],
  ],
};

/** The mode of a turn: `none` without roaming. */
export function modeOf(roaming: Roaming): 'none' | 'safe' | 'yolo' {
  return roaming?.mode ?? 'none';
}

/** A command of the user's own for one turn. */
export interface FilledCommand {
  readonly argv: readonly string[];
  /** What it reads from standard input. */
  readonly stdin: string;
  /** The id that stands in place of `{{sessionId}}`. */
  readonly sessionId?: string;
}

/** Fills the template of a command of the user's own. Each argument stays one argument; no shell reads them. */
export function fillCommand({ argv, input }: OwnCommand, prompt: string, makeId: () => string): FilledCommand {
  const sessionId = argv.some((argument) => argument.includes('{{sessionId}}')) ? makeId() : undefined;
  const isPlaced = argv.some((argument) => argument.includes('{{prompt}}'));
  const filled = argv.map((argument) => {
    const withId = sessionId === undefined ? argument : argument.replaceAll('{{sessionId}}', sessionId);
    return input === 'argument' ? withId.replaceAll('{{prompt}}', () => prompt) : withId;
  });
  return {
    argv: input === 'argument' && !isPlaced ? [...filled, prompt] : filled,
    stdin: input === 'stdin' ? prompt : '',
    ...(sessionId !== undefined && { sessionId }),
  };
}
