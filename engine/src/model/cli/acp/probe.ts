import { type Abortable, sleep } from '../../../base/abort.ts';
import { errorBody } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import { ModelError } from '../../model-error.ts';
import { acpError, acpWarnings, findAcp } from '../acp.ts';
import type { CliContext } from '../driver.ts';
import { cliEnvironment } from '../environment.ts';
import { type CliProcess, startCli } from '../process.ts';
import { toolNameOf } from '../tool.ts';
import { connectAcp, identityOf, initialize } from './connection.ts';
import { acpTools } from './modes.ts';

const TIMEOUT_MS = 30_000;
/** Time in which a tool tells its sign-in after it made a session. */
const TELLS_MS = 200;

/** Result of a probe. `signedIn` is undefined where the tool does not tell it before the first prompt. */
export type AcpProbe =
  | {
      readonly state: 'works';
      readonly name: string | undefined;
      readonly version: string | undefined;
      readonly signedIn: boolean | undefined;
      readonly warnings: readonly string[];
    }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly why: string; readonly hint?: string | undefined };

/**
 * Tries the Agent Client Protocol with the tool of an api: starts it in an empty folder, begins the protocol, makes a session and ends
 * it, without a prompt, which costs nothing. Takes 30 seconds at most. Rejects only on abort, with the signal's reason.
 */
export async function probeAcp(context: CliContext, { signal }: Abortable = {}): Promise<AcpProbe> {
  const { api, env, clock, sandbox } = context;
  const argv = await findAcp(context);
  if (argv === undefined) return { state: 'missing' };
  try {
    const wrap = await sandbox.wrapOf(api, undefined);
    const tool = await startCli(
      { argv, env: cliEnvironment(env, api.env), wrap },
      { signal, clock, timeoutMs: TIMEOUT_MS, maxStdoutBytes: 0 },
    );
    try {
      return await talk(context, tool);
    } catch (error) {
      throw acpError(context, error, await tool.stop());
    } finally {
      await tool.stop();
    }
  } catch (error) {
    signal?.throwIfAborted();
    const { message, hint } = errorBody(error);
    return { state: 'failed', why: message, hint };
  }
}

async function talk(context: CliContext, tool: CliProcess): Promise<AcpProbe> {
  const { methods } = await import('@agentclientprotocol/sdk');
  const told = Promise.withResolvers<boolean | undefined>();
  const connection = await connectAcp(tool, {
    onUpdate: () => undefined,
    onPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
    onSignIn: (params) => told.resolve(isSignedIn(params)),
  });
  const { name, version } = identityOf(await initialize(connection));
  const works = { state: 'works', name, version, warnings: acpWarnings(context, version) } as const;
  const label = toolNameOf(context.api);
  const meta = label && acpTools[label].meta?.('none');
  try {
    await connection.agent.request(methods.agent.session.new, {
      ...{ cwd: tool.cwd, mcpServers: [], ...(meta && { _meta: meta }) },
    });
  } catch (error) {
    const asked = acpError(context, error, await tool.stop());
    if (asked instanceof ModelError && asked.code === 'MODEL_SIGN_IN') return { ...works, signedIn: false };
    throw asked;
  }
  const signedIn = await Promise.race([told.promise, sleep(TELLS_MS, { clock: context.clock })]);
  return { ...works, signedIn: signedIn ?? undefined };
}

/** Reads the extension `_auth/status_update`, which the adapters of Claude and Codex send. */
function isSignedIn(params: unknown): boolean | undefined {
  const status = isRecord(params) ? params['authStatus'] : undefined;
  const kind = isRecord(status) ? status['kind'] : undefined;
  return typeof kind === 'string' ? kind !== 'none' : undefined;
}
