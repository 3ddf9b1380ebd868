import type { CliApi } from '../../config/documents.gen.ts';
import type { CliTurn } from '../model.ts';
import type { TurnRecord } from './driver.ts';
import { type ToolName, toolNameOf } from './tool.ts';

/** The session of a turn, once the driver knows what the tool can do. */
export interface SessionChoice {
  /** Id of the session to load, and what it reads in place of the whole prompt. Both or none. */
  readonly resume?: string;
  readonly prompt?: string;
  readonly whyFresh?: string;
}

/**
 * Why a known tool cannot go on in a session: `codex exec resume` takes no sandbox mode; Gemini CLI 0.61 loads a session by erasing it
 * (gemini-cli #28775), and would answer without knowing the chat.
 */
const NOT_RESUMABLE: { readonly [P in 'acp' | 'flags']: { readonly [N in ToolName]?: string } } = {
  acp: { gemini: 'Gemini CLI erases a session that it loads' },
  flags: {
    codex: 'by flags Codex takes no sandbox for a session that it resumes',
    gemini: 'Gemini CLI erases a session that it loads',
  },
};

/** Why an api cannot go on in sessions by this protocol; undefined where it can, as far as Callsheet knows. */
export function whyNotKept(api: Pick<CliApi, 'cli'>, protocol: 'acp' | 'flags'): string | undefined {
  const name = toolNameOf(api);
  if (name !== undefined) return NOT_RESUMABLE[protocol][name];
  const isPlaced = typeof api.cli !== 'string' && api.cli.argv.some((part) => part.includes('{{sessionId}}'));
  return protocol === 'acp' || isPlaced ? undefined : 'cli.argv has no {{sessionId}}';
}

/** The session to load in a turn by the Agent Client Protocol, or why it is a fresh one. */
export function resumeOf(
  api: Pick<CliApi, 'cli'>,
  turn: CliTurn | undefined,
  { canLoad }: { readonly canLoad: boolean },
): SessionChoice {
  return chosen(turn, whyNotKept(api, 'acp') ?? (canLoad ? undefined : 'the tool cannot load sessions'));
}

/** The session to resume in a turn by flags, or why it is a fresh one. */
export function resumeByFlags(api: Pick<CliApi, 'cli'>, turn: CliTurn | undefined): SessionChoice {
  return chosen(turn, whyNotKept(api, 'flags'));
}

function chosen(turn: CliTurn | undefined, why: string | undefined): SessionChoice {
  const { resume, whyFresh } = turn?.session ?? {};
  if (why !== undefined) return { whyFresh: why };
  if (resume !== undefined) return { resume: resume.id, prompt: resume.prompt };
  return whyFresh === undefined ? {} : { whyFresh };
}

/** What the trace says of the session of a turn; nothing where sessions are not kept. */
export function sessionRecord(
  turn: CliTurn | undefined,
  choice: SessionChoice,
): Pick<TurnRecord, 'session' | 'whyFresh'> {
  if (turn?.session === undefined) return {};
  if (choice.resume !== undefined) return { session: 'resumed' };
  return { session: 'fresh', ...(choice.whyFresh !== undefined && { whyFresh: choice.whyFresh }) };
}

/** Codes with which a tool refuses `session/load`: an internal error, wrong parameters, a resource that is not there. */
const LOST_CODES: ReadonlySet<unknown> = new Set([-32603, -32602, -32002, -32601]);

/** Whether a tool has answered that it has no such session, and lives on. */
export function isAcpLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && LOST_CODES.has(error.code);
}

/** Words with which tools say that they have no such session. */
const LOST =
  /no (?:such )?(?:session|conversation|thread)\b|\b(?:session|conversation|thread)\b.{0,80}(?:not found|unknown|expired|does not exist|no longer)|unknown (?:session|conversation)/i;

/** Whether the last words of a tool say that it has no such session. */
export function saysLost(text: string): boolean {
  return LOST.test(text.slice(-2000));
}
