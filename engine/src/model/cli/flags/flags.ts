import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { isRecord } from '../../../base/json.ts';
import type { ModelAnswer, ModelRequest } from '../../model.ts';
import { type AskTool, answerOf, type CliContext, type TurnRecord } from '../driver.ts';
import { cliEnvironment } from '../environment.ts';
import { fillCommand, type FilledCommand, flagArguments, modeOf } from './arguments.ts';
import { type FlagsReading, lineReaders, ownLineReader, type ReadLine } from './output.ts';
import { createLineSplitter } from './line-splitter.ts';
import { checkTrustedFolder } from './trusted-folder.ts';
import { type CliEnd, type CliProcess, startCli } from '../process.ts';
import { promptOf } from '../prompt.ts';
import { resumeByFlags, saysLost, type SessionChoice, sessionRecord, whyNotKept } from '../session.ts';
import { commandOf, knownTools, toolLabel, toolNameOf } from '../tool.ts';
import { turnError, turnTimeout } from '../tool-errors.ts';
import { versionOf } from '../version.ts';

/**
 * One turn as a process of its own, by command-line arguments. It cannot ask for permissions: what the mode of the turn does
 * not allow, the tool itself refuses. Standard output is the message where its JSON has none or cannot be read. `MODEL_*` with
 * the end of standard error for an exit code other than 0.
 */
export const askByFlags: AskTool = async (context, request) => {
  const { api } = context;
  await checkTrustedFolder(toolNameOf(api), request.cli?.roaming);
  const version = await versionOfTool(context);
  const choice = resumeByFlags(api, request.cli);
  const first = await runOnce(context, request, { choice, version });
  // A tool that has lost its session has done nothing yet.
  if (choice.resume === undefined || !isLost(first)) return answerFrom(context, request, first);
  const fresh = { whyFresh: 'the tool has lost the session' };
  return answerFrom(context, request, await runOnce(context, request, { choice: fresh, version }));
};

/** One process of a turn, after its end. */
interface Ended {
  readonly end: CliEnd;
  readonly reading: FlagsReading;
  readonly record: TurnRecord;
  /** The part of the message that was reported already. */
  readonly reported: string;
}

async function runOnce(
  context: CliContext,
  request: ModelRequest,
  { choice, version }: { readonly choice: SessionChoice; readonly version: string | undefined },
): Promise<Ended> {
  const { api, sandbox } = context;
  const command = commandFor(context, request, choice);
  const wrap = await sandbox.wrapOf(api, request.cli);
  const env = cliEnvironment(context.env, api.env);
  const tool = await startCli(
    { argv: command.argv, cwd: request.cli?.roaming?.dir ?? request.cli?.session?.dir, env, wrap },
    { signal: request.signal, clock: context.clock, timeoutMs: api.timeoutSeconds * 1000 },
  );
  const output = readOutput(tool, readerOf(context), request);
  tool.stdin.end(command.stdin);
  const end = await tool.ended;
  request.signal?.throwIfAborted();
  const reading = output.end();
  const record: TurnRecord = {
    ...{ protocol: 'flags', tool: toolLabel(api), version, mode: modeOf(request.cli?.roaming) },
    ...{ isSandboxed: wrap !== undefined, sessionId: reading.sessionId ?? command.sessionId },
    ...{ toolCalls: [...reading.toolCalls.values()], stderr: end.stderr.text, exitCode: end.exitCode },
    ...sessionRecord(request.cli, choice),
    ...warningsOf(context, version),
  };
  return { end, reading, record, reported: output.reported() };
}

function isLost({ end, reading: { text, error = '' } }: Ended): boolean {
  return end.why === 'exit' && text === undefined && (end.exitCode !== 0 || error !== '')
    ? saysLost(`${end.stderr.text}\n${error}`)
    : false;
}

function commandFor({ api }: CliContext, { messages, cli }: ModelRequest, choice: SessionChoice): FilledCommand {
  const { resume, prompt = promptOf(messages) } = choice;
  const name = toolNameOf(api);
  const session = { isKept: cli?.session?.dir !== undefined, resume };
  if (name !== undefined)
    return { argv: [...commandOf(api), ...flagArguments[name](cli?.roaming, session)], stdin: prompt };
  if (typeof api.cli === 'string') return { argv: [api.cli], stdin: prompt };
  return fillCommand(api.cli, prompt, () => resume ?? randomUUID());
}

function readerOf({ api }: CliContext): ReadLine | undefined {
  const name = toolNameOf(api);
  if (name !== undefined) return lineReaders[name];
  return typeof api.cli !== 'string' && api.cli.output === 'jsonl' ? ownLineReader(api.cli) : undefined;
}

/** A command of the user's own may do anything at `--version`, so it is not asked. */
async function versionOfTool(context: CliContext): Promise<string | undefined> {
  return toolNameOf(context.api) === undefined
    ? undefined
    : versionOf(context, commandOf(context.api), context.versions);
}

function warningsOf({ api, log }: CliContext, version: string | undefined): Pick<TurnRecord, 'warnings'> {
  const name = toolNameOf(api);
  if (name === undefined || version === knownTools[name].tried) return {};
  const { title, tried } = knownTools[name];
  const warning = `${title} ${version ?? 'of an unknown version'} was not tried with Callsheet; ${tried} was`;
  log.warn('command-line agent of a version that was not tried', { api: api.id, version, tried });
  return { warnings: [warning] };
}

/** Reads the JSON lines of a tool while it writes them. */
function readOutput(tool: CliProcess, read: ReadLine | undefined, request: ModelRequest) {
  const reading: FlagsReading = { text: undefined, toolCalls: new Map() };
  let reported = '';
  // White space at the end of the message is cut off, so it waits for the text after it.
  let space = '';
  const lines = createLineSplitter((text) => {
    const line = read && parsed(text);
    const piece = line && read?.(reading, line);
    if (piece === undefined || request.signal?.aborted) return;
    const known = (space + piece).trimEnd();
    space = (space + piece).slice(known.length);
    if (known === '') return;
    reported += known;
    request.onText?.(known);
  });
  if (read !== undefined) tool.stdout.on('data', (chunk: Buffer) => lines.add(chunk));
  return {
    reported: () => reported,
    end(): FlagsReading {
      lines.end();
      return reading;
    },
  };
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line, withoutColours);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Colours of the tool's own output are in its strings as escapes, which those of the whole output are not found by. */
function withoutColours(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? stripVTControlCharacters(value) : value;
}

function answerFrom(
  context: CliContext,
  request: ModelRequest,
  { end, reading, record, reported }: Ended,
): ModelAnswer {
  if (end.why === 'timeout') throw turnTimeout(context, `${end.stderr.text}\n${reading.error ?? ''}`);
  const { text: said, error, usage } = reading;
  if (end.exitCode !== 0 || (said === undefined && error !== undefined)) throw turnError(context, end, error);
  const text = (said ?? end.stdout.text).trimEnd();
  if (text.startsWith(reported) && text.length > reported.length) request.onText?.(text.slice(reported.length));
  const { sessionId } = record;
  if (sessionId !== undefined && whyNotKept(context.api, 'flags') === undefined)
    request.cli?.session?.onKept?.(sessionId);
  return answerOf(context, text, record, usage);
}
