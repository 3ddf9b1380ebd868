import { createConcurrency } from '../http/concurrency.ts';
import type { Model } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { askByAcp, findAcp } from './acp.ts';
import type { CliContext } from './driver.ts';
import { findProgram } from './find-program.ts';
import { askByFlags } from './flags/flags.ts';
import { createCliSandbox } from './sandbox.ts';
import { secretVariables } from './secret-variables.ts';
import { commandOf, knownTools, toolNameOf } from './tool.ts';

/** What an api of this kind needs; its sandbox is that of this machine unless another is given. */
export type CliDeps = Omit<CliContext, 'sandbox' | 'versions'> & Partial<Pick<CliContext, 'sandbox'>>;

/** How an api reaches its tool now. */
export type CliReach =
  | { readonly protocol: 'acp'; readonly argv: readonly string[] }
  | { readonly protocol: 'flags' }
  | { readonly protocol: 'none'; readonly why: string; readonly hint: string };

/**
 * A command-line agent as a model. Each request is one turn of a process; at most `limits.concurrency` run at a time, and the
 * others wait in order. The protocol is chosen at each turn: `auto` takes the Agent Client Protocol where its program is found,
 * else flags. The api is available if the program of one of its protocols is found; nothing is started for that.
 */
export function createCli(deps: CliDeps): Model {
  const context = cliContextOf(deps);
  const slots = createConcurrency(context.api.limits.concurrency);
  return {
    async ask(request) {
      const release = await slots.acquire(request);
      try {
        const reach = await reachOf(context);
        if (reach.protocol === 'none') throw new ModelError('MODEL_TOOL_MISSING', reach.why, { hint: reach.hint });
        await request.beforeSend?.();
        request.signal?.throwIfAborted();
        return await (reach.protocol === 'acp' ? askByAcp : askByFlags)(context, request);
      } finally {
        release();
      }
    },
    async available() {
      const reach = await reachOf(context);
      return reach.protocol === 'none' ? { ok: false, why: `${reach.why}; ${reach.hint}` } : { ok: true };
    },
  };
}

/** What the drivers of an api get, with a sandbox and versions of its own. The values that its tool gets by variables are redacted from then on. */
export function cliContextOf(deps: CliDeps): CliContext {
  for (const value of secretVariables(deps.api.env, deps.env)) deps.redactor.add(value);
  return { sandbox: createCliSandbox(deps.env), versions: new Map(), ...deps };
}

/** Chooses the protocol of an api by the programs that are found now. Never rejects. */
export async function reachOf(context: CliContext): Promise<CliReach> {
  const { api, env } = context;
  const name = toolNameOf(api);
  if (api.protocol !== 'flags') {
    const argv = await findAcp(context);
    if (argv !== undefined) return { protocol: 'acp', argv };
    if (api.protocol === 'acp') return { protocol: 'none', ...missingAcp(context) };
  }
  const [program = ''] = commandOf(api);
  if ((await findProgram(program, env('PATH') ?? '')) !== undefined) return { protocol: 'flags' };
  const hint =
    name === undefined
      ? 'correct cli.argv in its document, or install the program'
      : `install it: ${knownTools[name].install}`;
  return { protocol: 'none', why: `"${program}" is not installed`, hint };
}

function missingAcp({ api }: CliContext): { readonly why: string; readonly hint: string } {
  const name = toolNameOf(api);
  const wanted = api.acpCommand ?? (name === undefined ? undefined : knownTools[name].acp);
  if (wanted === undefined)
    return { why: 'it has no program for the Agent Client Protocol', hint: 'set acpCommand, or protocol: flags' };
  const install =
    name === undefined || api.acpCommand !== undefined ? 'correct acpCommand' : knownTools[name].installAcp;
  return { why: `"${wanted[0] ?? ''}" is not installed`, hint: `${install}; or set protocol: flags` };
}
