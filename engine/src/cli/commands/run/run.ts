import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sleep } from '../../../base/abort.ts';
import { systemClock } from '../../../base/clock.ts';
import { EngineError, errorBody } from '../../../base/error.ts';
import type { Run } from '../../../run/run.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { printOutcome, readOutcome } from './runs.ts';
import { withApi } from '../../with-api.ts';
import { EXIT } from '../../terminal/terminal.ts';

interface RunOptions {
  readonly message?: string;
  readonly email?: string;
}

/** The polling interval grows from `first` to `last`. */
const POLL_MS = { first: 50, last: 1000 } as const;

/**
 * `run <director>`: starts a run on a message or a mail, waits for its end and prints its items. Exit 0 if it completed,
 * 1 if it failed or was cancelled, 3 if it waits for a person, 130 on Ctrl-C: the run then continues in the server, or after the
 * next start.
 */
export async function run(
  context: CommandContext,
  options: RunOptions,
  [directorId = '']: readonly string[],
): Promise<number> {
  const body = { directorId, ...(await triggerOf(context, options)) };
  const interrupt = new AbortController();
  const off = context.terminal.onSignal((signal) => {
    if (interrupt.signal.aborted) context.terminal.exit(EXIT.interrupted);
    interrupt.abort(new EngineError('RUN_CANCELLED', signal));
  });
  try {
    return await withApi(context, { isDriving: true }, async (client) => {
      const { id } = await client.request<Run>('POST', '/api/runs', { body });
      context.log.info('run started', { run: id });
      return follow(context, client, id, interrupt.signal);
    });
  } finally {
    off();
  }
}

async function follow(context: CommandContext, client: ApiClient, id: string, signal: AbortSignal): Promise<number> {
  let pauseMs: number = POLL_MS.first;
  for (;;) {
    const { status, waitingFor } = await client.request<Run>('GET', path`/api/runs/${id}`);
    const isOver = status === 'completed' || status === 'failed' || status === 'cancelled';
    if (isOver || waitingFor === 'approval') break;
    try {
      await sleep(pauseMs, { signal, clock: systemClock });
    } catch (error) {
      if (!signal.aborted) throw error;
      const next = client.isLive ? 'the server continues it' : 'it continues after callsheet start';
      context.say(`stopped waiting for run ${id}: ${next}\n  callsheet runs cancel ${id}`);
      return EXIT.interrupted;
    }
    pauseMs = Math.min(pauseMs * 1.5, POLL_MS.last);
  }
  const outcome = await readOutcome(client, id);
  printOutcome(context, outcome);
  if (outcome.status === 'completed') return EXIT.fine;
  return outcome.waitingFor === 'approval' ? EXIT.person : EXIT.warning;
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
