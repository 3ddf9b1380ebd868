import { randomUUID } from 'node:crypto';
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
import { commandOf, knownTools, toolLabel, toolNameOf } from '../tool.ts';
import { turnError, turnTimeout } from '../tool-errors.ts';
import { versionOf } from '../version.ts';

/**
 * One turn as a process of its own, by command-line arguments. It cannot ask for permissions: what the mode of the turn does
 * not allow, the tool itself refuses. Standard output is the message where its JSON has none or cannot be read. `MODEL_*` with
 * the end of standard error for an exit code other than 0.
 */
export const askByFlags: AskTool = async (context, request) => {
  const { api, sandbox } = context;
  await checkTrustedFolder(toolNameOf(api), request.cli?.roaming);
  const command = commandFor(context, request);
  const version = await versionOfTool(context);
  const wrap = await sandbox.wrapOf(api, request.cli);
  const env = cliEnvironment(context.env, api.env);
  const tool = await startCli(
    { argv: command.argv, cwd: request.cli?.roaming?.dir, env, wrap },
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
    ...warningsOf(context, version),
  };
  return answerFrom(context, end, reading, { record, request, reported: output.reported() });
};

function commandFor({ api }: CliContext, { messages, cli }: ModelRequest): FilledCommand {
  const prompt = promptOf(messages);
  const name = toolNameOf(api);
  if (name !== undefined) return { argv: [...commandOf(api), ...flagArguments[name](cli?.roaming)], stdin: prompt };
  return typeof api.cli === 'string' ? { argv: [api.cli], stdin: prompt } : fillCommand(api.cli, prompt, randomUUID);
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
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Turn {
  readonly record: TurnRecord;
  readonly request: ModelRequest;
  /** The part of the message that was reported already. */
  readonly reported: string;
}

function answerFrom(context: CliContext, end: CliEnd, reading: FlagsReading, turn: Turn): ModelAnswer {
  if (end.why === 'timeout') throw turnTimeout(context, `${end.stderr.text}\n${reading.error ?? ''}`);
  const { text: said, error, usage } = reading;
  if (end.exitCode !== 0 || (said === undefined && error !== undefined)) throw turnError(context, end, error);
  const text = (said ?? end.stdout.text).trimEnd();
  const { reported, request, record } = turn;
  if (text.startsWith(reported) && text.length > reported.length) request.onText?.(text.slice(reported.length));
  return answerOf(context, text, record, usage);
}
