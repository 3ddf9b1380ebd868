import type { ScriptCall } from '../documents.gen.ts';
import type { DocumentPath } from '../problem.ts';

/** The calls of a rule of a scripted api, one or several, each with its path. */
export function callsOf(
  call: ScriptCall | readonly ScriptCall[],
  path: DocumentPath,
): { readonly call: ScriptCall; readonly path: DocumentPath }[] {
  return 'tool' in call ? [{ call, path }] : call.map((one, n) => ({ call: one, path: [...path, n] }));
}
