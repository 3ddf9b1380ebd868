import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { CliApi } from '../../config/documents.gen.ts';
import type { ModelAnswer, ModelRequest, Usage } from '../model.ts';
import type { CliSandbox } from './sandbox.ts';
import type { VersionCache } from './version.ts';

/** What both drivers of an api get. */
export interface CliContext {
  readonly api: CliApi;
  /** A variable of Callsheet's own environment. */
  readonly env: (name: string) => string | undefined;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: Logger;
  readonly sandbox: CliSandbox;
  /** Versions of tools that were asked for already. */
  readonly versions: VersionCache;
}

/**
 * One turn of a tool: starts it, gives it the prompt, and ends it. Rejects with a `ModelError` (`MODEL_TOOL_MISSING`,
 * `MODEL_SIGN_IN`, `MODEL_TIMEOUT`, `MODEL_UNAVAILABLE`, `MODEL_BAD_ANSWER`, …); abort ends the tool and rejects with the signal's
 * reason.
 */
export type AskTool = (context: CliContext, request: ModelRequest) => Promise<ModelAnswer>;

/** A tool call that a tool reports: a command that it ran, or files that it read or changed. */
export interface ReportedCall {
  readonly title: string;
  /** Kind as the Agent Client Protocol names it. */
  readonly kind: string;
  readonly status: string;
  readonly input?: unknown;
  /** Paths of files. */
  readonly locations?: readonly string[];
}

/** Characters of an input of a call as JSON, at most. */
const MAX_INPUT = 20_000;

/** The input of a call as the trace keeps it: the beginning of its JSON where it is long, such as a whole file. */
export function shortInput(input: unknown): unknown {
  const json = JSON.stringify(input) ?? '';
  return json.length > MAX_INPUT
    ? `${json.slice(0, MAX_INPUT)} [truncated: ${json.length - MAX_INPUT} more characters]`
    : input;
}

/** What the trace keeps of a turn: the `raw` of its answer, as JSON. */
export interface TurnRecord {
  readonly protocol: 'acp' | 'flags';
  readonly tool: string;
  /** Undefined where the tool does not tell it. */
  readonly version: string | undefined;
  /** The mode in which the tool worked: `none` without roaming. */
  readonly mode: 'none' | 'safe' | 'yolo';
  /** True if the tool ran under bubblewrap. */
  readonly isSandboxed: boolean;
  readonly sessionId?: string | undefined;
  /** Where sessions are kept: whether this one is fresh, and why. */
  readonly session?: 'fresh' | 'resumed';
  readonly whyFresh?: string;
  readonly toolCalls: readonly ReportedCall[];
  /** End of standard error. */
  readonly stderr: string;
  readonly exitCode?: number | null;
  /** What a person should know, such as a version that nobody has tried. */
  readonly warnings?: readonly string[];
}

/** The answer of a tool. `model` is its name and version. Secrets are removed from the record. */
export function answerOf(
  { redactor }: Pick<CliContext, 'redactor'>,
  text: string,
  record: TurnRecord,
  usage?: Usage,
): ModelAnswer {
  const { tool, version } = record;
  return {
    message: { role: 'assistant', content: text },
    stop: 'stop',
    model: version === undefined ? tool : `${tool} ${version}`,
    raw: redactor.text(JSON.stringify(record)),
    ...(usage && { usage }),
  };
}
