import type { CliApi } from '../../config/documents.gen.ts';

/** What Callsheet knows of one command-line agent. */
export interface KnownTool {
  /** Its name for people. */
  readonly title: string;
  /** Its program, found by `PATH`. */
  readonly program: string;
  /** The program that speaks the Agent Client Protocol, with its arguments. */
  readonly acp: readonly string[];
  /** How a person installs the tool, and the program of `acp` where that is another one. */
  readonly install: string;
  readonly installAcp: string;
  /** What a person does to sign in. */
  readonly signIn: string;
  /** Arguments that tell by the exit code whether a person is signed in. Missing: the tool has no such command. */
  readonly status?: readonly string[];
  /** A file below the home folder that is there after a sign-in, where the tool has no such command. */
  readonly signedInFile?: string;
  /** Variables that sign it in. */
  readonly signInVariables: readonly string[];
  /** Version of the program with which the arguments were tried. */
  readonly tried: string;
  /** Files and folders below the home folder that a sandbox leaves to the tool: its sign-in and its state. */
  readonly state: readonly string[];
}

/** The command-line agents that the api document knows by name. */
export type ToolName = 'codex' | 'claude' | 'gemini';

/** The known command-line agents. */
export const knownTools: { readonly [N in ToolName]: KnownTool } = {
  codex: {
    ...{ title: 'Codex', program: 'codex', acp: ['codex-acp'] },
    install: 'npm install --global @openai/codex',
    installAcp: 'npm install --global @agentclientprotocol/codex-acp',
    signIn: 'run codex login',
    ...{ status: ['login', 'status'], signInVariables: ['OPENAI_API_KEY', 'CODEX_API_KEY'] },
    ...{ tried: '0.169.0', state: ['.codex'] },
  },
  claude: {
    ...{ title: 'Claude Code', program: 'claude', acp: ['claude-agent-acp'] },
    install: 'npm install --global @anthropic-ai/claude-code',
    installAcp: 'npm install --global @agentclientprotocol/claude-agent-acp',
    signIn: 'run claude, and type /login',
    ...{ status: ['auth', 'status'], signInVariables: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'] },
    ...{ tried: '2.1.197', state: ['.claude', '.claude.json'] },
  },
  gemini: {
    ...{ title: 'Gemini CLI', program: 'gemini', acp: ['gemini', '--acp'] },
    install: 'npm install --global @google/gemini-cli',
    installAcp: 'npm install --global @google/gemini-cli',
    signIn: 'run gemini and sign in, or set GEMINI_API_KEY and name it in env',
    ...{ signedInFile: '.gemini/oauth_creds.json', signInVariables: ['GEMINI_API_KEY'] },
    ...{ tried: '0.61.0', state: ['.gemini'] },
  },
};

/** Name of the known tool of an api; undefined for a command of the user's own. */
export function toolNameOf({ cli }: Pick<CliApi, 'cli'>): ToolName | undefined {
  return typeof cli === 'string' && Object.hasOwn(knownTools, cli) ? (cli as ToolName) : undefined;
}

/** A command of the user's own, as the api document describes it. */
export type OwnCommand = Exclude<CliApi['cli'], string>;

/** The program of an api and the arguments that always come first. For a command of the user's own: its template. */
export function commandOf({ cli, command }: Pick<CliApi, 'cli' | 'command'>): readonly string[] {
  if (typeof cli !== 'string') return cli.argv;
  return command ?? [cli];
}

/** Name of the tool of an api: `codex`, `claude`, `gemini`, or the file name of the user's own program. */
export function toolLabel({ cli }: Pick<CliApi, 'cli'>): string {
  if (typeof cli === 'string') return cli;
  return (cli.argv[0] ?? '').split(/[\\/]/).at(-1) ?? '';
}
