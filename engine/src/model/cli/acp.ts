import type { PromptResponse } from '@agentclientprotocol/sdk';
import { sleep } from '../../base/abort.ts';
import { isRecord } from '../../base/json.ts';
import type { ModelAnswer, ModelRequest } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { acpTools, turnModeOf } from './acp/modes.ts';
import { type AcpResult, runAcpTurn } from './acp/turn.ts';
import { answerOf, type AskTool, type CliContext, type TurnRecord } from './driver.ts';
import { cliEnvironment } from './environment.ts';
import { findProgram } from './find-program.ts';
import { type CliEnd, startCli } from './process.ts';
import { sessionRecord, whyNotKept } from './session.ts';
import { knownTools, toolLabel, toolNameOf } from './tool.ts';
import { signInError, turnError, turnTimeout } from './tool-errors.ts';

/** Code with which a tool says that nobody has signed in. */
const AUTH_REQUIRED = -32000;

/** Time that a tool gets to end by itself after its turn. */
const END_MS = 1000;

/** The program of a tool that speaks the Agent Client Protocol, with its arguments; undefined where none is found. */
export async function findAcp({ api, env }: Pick<CliContext, 'api' | 'env'>): Promise<readonly string[] | undefined> {
  const name = toolNameOf(api);
  const argv = api.acpCommand ?? (name === undefined ? undefined : knownTools[name].acp);
  if (argv === undefined) return undefined;
  return (await findProgram(argv[0] ?? '', env('PATH') ?? '')) === undefined ? undefined : argv;
}

/**
 * One turn by the Agent Client Protocol: a process with one session, fresh or loaded, whose mode is set before the prompt. Abort answers open
 * permission requests with `cancelled`, cancels the session and ends the process tree. `MODEL_UNAVAILABLE` where the tool speaks
 * another version of the protocol, offers no mode for the turn, or leaves the mode that was set.
 */
export const askByAcp: AskTool = async (context, request) => {
  const { api, clock, sandbox } = context;
  const argv = await findAcp(context);
  if (argv === undefined)
    throw new ModelError('MODEL_TOOL_MISSING', `"${toolLabel(api)}" has no program for the protocol`);
  const wrap = await sandbox.wrapOf(api, request.cli);
  request.signal?.throwIfAborted();
  const tool = await startCli(
    {
      argv: [...argv, ...extraArguments(context, request)],
      cwd: request.cli?.roaming?.dir ?? request.cli?.session?.dir,
      env: { ...cliEnvironment(context.env, api.env), ...acpVariables(context, request) },
      wrap,
    },
    { clock, timeoutMs: api.timeoutSeconds * 1000, maxStdoutBytes: 0 },
  );
  const turn = runAcpTurn(context, request, tool);
  let cancelled: Promise<void> | undefined;
  const onAbort = () => (cancelled = turn.cancel());
  if (request.signal?.aborted) onAbort();
  else request.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await turn.done;
    // A tool that is asked to end by the end of its input still writes what it has to say.
    tool.stdin.end();
    await Promise.race([tool.ended, sleep(END_MS, { clock })]);
    const end = await tool.stop();
    request.signal?.throwIfAborted();
    return answerFrom(context, request, { result, end, isSandboxed: wrap !== undefined });
  } catch (error) {
    await cancelled;
    const end = await tool.stop();
    request.signal?.throwIfAborted();
    const failure = turn.failure();
    throw failure === undefined ? acpError(context, error, end) : failure.error;
  } finally {
    request.signal?.removeEventListener('abort', onAbort);
  }
};

function extraArguments({ api }: CliContext, { cli }: ModelRequest): readonly string[] {
  const name = toolNameOf(api);
  return name !== undefined && turnModeOf(cli) === 'yolo' ? (acpTools[name].yoloArguments ?? []) : [];
}

function acpVariables({ api }: CliContext, { cli }: ModelRequest): Readonly<Record<string, string>> {
  const name = toolNameOf(api);
  return name === undefined ? {} : (acpTools[name].variables?.(turnModeOf(cli)) ?? {});
}

interface Ended {
  readonly result: AcpResult;
  readonly end: CliEnd;
  readonly isSandboxed: boolean;
}

const STOPS: { readonly [S in PromptResponse['stopReason']]?: ModelAnswer['stop'] } = {
  max_tokens: 'length',
  max_turn_requests: 'length',
  refusal: 'refusal',
};

function answerFrom(context: CliContext, request: ModelRequest, { result, end, isSandboxed }: Ended): ModelAnswer {
  const { name, version, sessionId, stopReason, updates, session, canLoad } = result;
  const text = updates.end();
  // A tool also ends its turn so after a refused permission; what it said until then counts.
  if (stopReason === 'cancelled' && text === '') throw turnError(context, undefined, 'it cancelled its turn');
  const warnings = acpWarnings(context, version);
  const record: TurnRecord = {
    ...{ protocol: 'acp', tool: name ?? toolLabel(context.api), version, mode: turnModeOf(request.cli), isSandboxed },
    ...{ sessionId, ...sessionRecord(request.cli, session), toolCalls: updates.calls(), stderr: end.stderr.text },
    ...(warnings.length > 0 && { warnings }),
  };
  if (canLoad && whyNotKept(context.api, 'acp') === undefined) request.cli?.session?.onKept?.(sessionId);
  for (const warning of warnings) context.log.warn(warning, { api: context.api.id });
  return { ...answerOf(context, text, record), stop: STOPS[stopReason] ?? 'stop' };
}

/** What a person should know of the version of an adapter. */
export function acpWarnings({ api }: Pick<CliContext, 'api'>, version: string | undefined): string[] {
  const name = toolNameOf(api);
  if (name === undefined) return ['the modes of this tool are not known: it works in its start mode'];
  const { tried } = acpTools[name];
  if (version === tried) return [];
  return [`version ${version ?? '(unknown)'} of the ACP adapter of ${name} was not tried with Callsheet; ${tried} was`];
}

/** The error of a turn for people: what the tool answered, or how it ended. */
export function acpError(context: Pick<CliContext, 'api' | 'redactor'>, error: unknown, end: CliEnd): unknown {
  if (end.why === 'timeout') return turnTimeout(context);
  if (error instanceof ModelError || !(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  if (code === AUTH_REQUIRED) return signInError(context);
  if (typeof code === 'number') return turnError(context, undefined, `${error.message}${detailsOf(error)}`);
  // The connection has closed: an ended tool says more than that.
  const hasEnded = end.why === 'exit' || end.exitCode !== null;
  return hasEnded ? turnError(context, end) : turnError(context, undefined, `${end.stderr.text}\n${error.message}`);
}

function detailsOf(error: Error): string {
  const data = 'data' in error && isRecord(error.data) ? error.data : {};
  const details = data['details'] ?? data['message'];
  return typeof details === 'string' ? `: ${details}` : '';
}
