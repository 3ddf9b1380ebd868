import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliContext } from './driver.ts';
import { cliEnvironment } from './environment.ts';
import { startCli } from './process.ts';
import { commandOf, knownTools, toolNameOf } from './tool.ts';

const TIMEOUT_MS = 15_000;

/**
 * Whether a person is signed in to a known tool: a variable of its document is set, or the tool or its files say so. No request
 * goes to its maker. Undefined for a command of the user's own, and where the tool does not say. Never rejects.
 */
export async function isSignedIn(context: CliContext): Promise<boolean | undefined> {
  const { api, env, clock } = context;
  const name = toolNameOf(api);
  if (name === undefined) return undefined;
  const { status, signedInFile, signInVariables } = knownTools[name];
  const given = cliEnvironment(env, api.env);
  if (signInVariables.some((variable) => (given[variable] ?? '') !== '')) return true;
  if (signedInFile !== undefined)
    // Without the file a person may still have signed in by other means.
    return access(join(env('HOME') ?? '/', signedInFile)).then(
      () => true,
      () => undefined,
    );
  try {
    const argv = [...commandOf(api), ...(status ?? [])];
    const tool = await startCli({ argv, env: given }, { clock, timeoutMs: TIMEOUT_MS });
    tool.stdin.end();
    const { why, exitCode } = await tool.ended;
    return why === 'exit' ? exitCode === 0 : undefined;
  } catch {
    // The program cannot be started, which its own check says.
    return undefined;
  }
}
