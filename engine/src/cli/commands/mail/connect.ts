import { sleep } from '../../../base/abort.ts';
import { systemClock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import { PROVIDER_NAMES } from '../../../account/scopes.ts';
import type { AttemptOutcome } from '../../../account/oauth/sign-in-attempt.ts';
import { expectCloud } from './accounts.ts';
import { openBrowser } from '../../terminal/browser.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi } from '../../with-api.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

interface ConnectOptions {
  readonly timeout: number;
  readonly plaintext?: boolean;
  readonly open: boolean;
}

interface Begun {
  readonly authorizeUrl: string;
  readonly attempt: string;
  readonly expiresAt: string;
}

const POLL_MS = 300;

/**
 * `accounts connect <id>`: prints where to sign in, opens it in a terminal, and waits. The provider sends the browser back to the
 * live server, or to one on 127.0.0.1 that lives as long as the command. With `--json` a line `{ authorizeUrl, attempt,
 * expiresAt }` and a line with what came of it. Exit 0 where the account is connected, 3 where nobody signed in in time or the
 * wrong person did, 130 on Ctrl-C.
 */
export async function connectAccount(
  context: CommandContext,
  { timeout, plaintext = false, open }: ConnectOptions,
  [id = '']: readonly string[],
): Promise<number> {
  const { terminal, isJson } = context;
  const interrupt = new AbortController();
  const off = terminal.onSignal((signal) => {
    if (interrupt.signal.aborted) terminal.exit(EXIT.interrupted);
    interrupt.abort(new EngineError('USAGE', signal));
  });
  try {
    return await withApi(context, { isDriving: false }, async (client) => {
      const { provider } = await expectCloud(client, id);
      const { route } = PROVIDER_NAMES[provider];
      const allows = plaintext || context.env('CALLSHEET_PLAINTEXT') === '1';
      const begun = await client.request<Begun>('POST', path`/api/oauth2/${route}/initiate`, {
        body: { accountId: id, ...(allows && { plaintext: true }) },
      });
      // The browser returns to a server that ends with this command, unless another one runs.
      const life = client.isLive ? 'for ten minutes' : `while this command waits (${timeout} s)`;
      if (!isJson) context.say(`Open this link in a browser on this machine to sign in; it is valid ${life}:`);
      terminal.out(isJson ? `${JSON.stringify(begun)}\n` : `${begun.authorizeUrl}\n`);
      const tunnel = tunnelTo(begun.authorizeUrl, context.env('SSH_CONNECTION'));
      if (!isJson && tunnel !== undefined)
        context.say(`To use a browser on the machine of your SSH client, forward the port first:\n  ${tunnel}`);
      if (open && terminal.isStdoutTty && !context.env('CI') && !isJson)
        openBrowser(begun.authorizeUrl, terminal.platform);
      const signal = AbortSignal.any([interrupt.signal, AbortSignal.timeout(timeout * 1000)]);
      const outcome = await wait(client, begun.attempt, signal);
      if (interrupt.signal.aborted) return EXIT.interrupted;
      if (isJson) terminal.out(`${JSON.stringify(outcome)}\n`);
      else context.say(outcomeMessage(id, outcome, client.isLive));
      return outcome.state === 'done' ? EXIT.fine : EXIT.person;
    });
  } finally {
    off();
  }
}

/** The ssh command that forwards the port of the redirect address; undefined outside an SSH session. */
function tunnelTo(authorizeUrl: string, connection: string | undefined): string | undefined {
  // sshd sets SSH_CONNECTION to address and port of the client, then of this machine.
  const host = connection?.split(' ')[2];
  const back = new URL(authorizeUrl).searchParams.get('redirect_uri');
  if (host === undefined || !/^[0-9a-fA-F.:]+$/.test(host) || back === null) return undefined;
  const { port } = new URL(back);
  return `ssh -L ${port}:127.0.0.1:${port} ${host}`;
}

/** Waits for the outcome of a sign-in; returns the open attempt when `signal` is aborted. */
async function wait(client: ApiClient, attempt: string, signal: AbortSignal): Promise<AttemptOutcome> {
  for (;;) {
    const outcome = await client.request<AttemptOutcome>('GET', path`/api/oauth2/attempts/${attempt}`);
    if (outcome.state !== 'open') return outcome;
    try {
      await sleep(POLL_MS, { signal, clock: systemClock });
    } catch (error) {
      if (!signal.aborted) throw error;
      return outcome;
    }
  }
}

function outcomeMessage(id: string, { state, message = '' }: AttemptOutcome, isLive: boolean): string {
  if (state === 'done') return `${id} is connected${isLive ? '' : '; its mail is fetched after callsheet start'}`;
  const why = state === 'open' ? 'no sign-in in time' : oneLine(message);
  return `${id} is not connected: ${why}\n  callsheet accounts connect ${id}`;
}
