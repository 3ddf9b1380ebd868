import { orAbort } from '../../base/abort.ts';
import { errorBody } from '../../base/error.ts';
import type { WorldContext } from '../../tool/tool.ts';
import type { GeneratedFile } from '../../workspace/generated-file.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ToolEffect } from '../step/effect.ts';

/** The files that a call has made, where its run keeps them. The call is done whatever becomes of its files. */
export async function madeFiles(
  { log }: Pick<Dependencies, 'log'>,
  { root, tool, arguments: args, keepsFiles = false }: ToolEffect,
  result: unknown,
  context: WorldContext & { readonly signal: AbortSignal },
): Promise<readonly GeneratedFile[]> {
  if (!keepsFiles || tool.files === undefined) return [];
  try {
    return await orAbort(tool.files(args, result, context), context.signal);
  } catch (error) {
    if (!context.signal.aborted)
      log.warn('the file of a tool call cannot be kept', { run: root, tool: tool.name, ...errorBody(error) });
    return [];
  }
}
