import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError, errorBody } from '../../../base/error.ts';
import type { Run } from '../../../run/run.ts';
import type { ApiClient } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { exitCodeOfRun, followRun, untilInterrupted } from './follow.ts';
import { printOutcome, readOutcome } from './runs.ts';
import { withApi } from '../../with-api.ts';
import { EXIT } from '../../terminal/terminal.ts';

interface RunOptions {
  readonly message?: string;
  readonly email?: string;
}

/**
 * `run <director>`: starts a run on a message or a mail, prints its steps, and at its end its items. Exit 0 if it completed,
 * 1 if it failed or was cancelled, 3 if it waits for a person, 130 on Ctrl-C: the run then continues in the server, or after the
 * next start.
 */
export async function run(
  context: CommandContext,
  options: RunOptions,
  [directorId = '']: readonly string[],
): Promise<number> {
  const body = { directorId, ...(await triggerOf(context, options)) };
  return untilInterrupted(context, (signal) =>
    withApi(context, { isDriving: true }, async (client) => {
      const { id } = await client.request<Run>('POST', '/api/runs', { body });
      context.log.info('run started', { run: id });
      return follow(context, client, id, signal);
    }),
  );
}

/** Prints the steps of the run on stderr until it ends or waits for a person, then its outcome. */
async function follow(context: CommandContext, client: ApiClient, id: string, signal: AbortSignal): Promise<number> {
  const print = context.isJson || context.isQuiet ? () => {} : context.terminal.err;
  const color = context.hasColor.err;
  const isOver = await followRun(context, client, { id, signal, print, color, isBrief: true, stopsAtApproval: true });
  if (!isOver) return EXIT.interrupted;
  const outcome = await readOutcome(client, id);
  printOutcome(context, outcome);
  return exitCodeOfRun(outcome);
}

async function triggerOf({ terminal }: CommandContext, { message, email }: RunOptions): Promise<object> {
  if ((message === undefined) === (email === undefined))
    throw new EngineError('USAGE', 'a run needs either --message or --email', {
      hint: 'pass one of them, not both',
    });
  return email === undefined ? { message } : { raw: await readMailBase64(terminal.cwd, email) };
}

/** Reads a mail file as base64, for the API. `USAGE` if the file cannot be read. */
export async function readMailBase64(cwd: string, file: string): Promise<string> {
  const name = resolve(cwd, file);
  try {
    return (await readFile(name)).toString('base64');
  } catch (cause) {
    throw new EngineError('USAGE', `the mail ${name} cannot be read: ${errorBody(cause).message}`, {
      hint: 'pass the path of an .eml file',
      cause,
    });
  }
}
