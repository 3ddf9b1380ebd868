import { ModelError } from '../model-error.ts';
import type { CliContext } from './driver.ts';
import type { CliEnd } from './process.ts';
import { knownTools, toolLabel, toolNameOf } from './tool.ts';

/** Lines of standard error that a message shows, and the characters of each. */
const LINES = 5;
const LINE_CHARACTERS = 300;

/** Words with which tools say that nobody has signed in. */
const SIGN_IN =
  /not logged in|not signed in|please run \/login|set an auth method|unauthori[sz]ed|\b(?:http(?:\/[\d.]+)?|status(?: ?code)?|error|code)\b\W{0,4}401\b|authentication (required|failed)|invalid api key|login required|please (log|sign) in/i;

/** Words with which tools say that a limit of the account is reached. */
const RATE_LIMIT = /rate.?limit|usage limit|quota|too many requests|\b429\b/i;

/** Words with which tools say that they want an answer at a terminal. */
const PROMPT =
  /raw mode is not supported|not a (tty|terminal)|(needs|requires?) (an )?interactive|interactive (terminal|mode|prompt) (is )?required|(approval|confirmation) (is )?required|waiting for (approval|confirmation)|cannot prompt/i;

/** The last lines of an error output, without secrets, for a message. */
export function lastLines({ redactor }: Pick<CliContext, 'redactor'>, text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return redactor.text(
    lines
      .slice(-LINES)
      .map((line) => line.trim().slice(0, LINE_CHARACTERS))
      .join('\n'),
  );
}

/** The error of a tool that nobody has signed in to. The message says what to do: of a failed turn only the message is shown. */
export function signInError({ api }: Pick<CliContext, 'api'>): ModelError {
  const name = toolNameOf(api);
  const hint = name === undefined ? 'sign in to it in a terminal' : knownTools[name].signIn;
  return new ModelError('MODEL_SIGN_IN', `"${toolLabel(api)}" is not signed in; ${hint}`, { hint });
}

/** The error of a turn that the time limit has ended, with the end of what the tool said: perhaps it waited for the network. */
export function turnTimeout(context: Pick<CliContext, 'api' | 'redactor'>, said = ''): ModelError {
  const { api } = context;
  const last = lastLines(context, said);
  return new ModelError(
    'MODEL_TIMEOUT',
    `"${toolLabel(api)}" did not answer within ${api.timeoutSeconds} seconds, and was ended${last === '' ? '' : `: ${last}`}`,
    { hint: `raise timeoutSeconds of api "${api.id}"`, retryable: true },
  );
}

/**
 * The error of a turn that failed, by what the tool says: `error` in its own output, or the end of standard error. `end` is
 * missing where the tool did not end with it.
 */
export function turnError(
  context: Pick<CliContext, 'api' | 'redactor'>,
  end: Pick<CliEnd, 'exitCode' | 'signal' | 'stderr'> | undefined,
  error = '',
): ModelError {
  const { api } = context;
  const said = lastLines(context, `${end?.stderr.text ?? ''}\n${error}`);
  if (SIGN_IN.test(said)) return signInError(context);
  const how =
    end === undefined || end.exitCode === 0
      ? 'reported an error'
      : end.exitCode === null
        ? `was ended by ${end.signal ?? 'a signal'}`
        : `ended with exit code ${end.exitCode}`;
  const message = `"${toolLabel(api)}" ${how}${said === '' ? ', and said nothing' : `: ${said}`}`;
  if (RATE_LIMIT.test(said)) return new ModelError('MODEL_RATE_LIMIT', message, { retryable: true });
  if (PROMPT.test(said))
    return new ModelError('MODEL_TOOL_PROMPT', message, {
      hint: 'run the tool in a terminal, and answer what it asks',
    });
  return new ModelError('MODEL_UNAVAILABLE', message, {
    hint: 'run the tool in a terminal to see more',
    retryable: true,
  });
}
