import { EngineError } from '../../base/error.ts';
import type { DeclaredServices } from '../declared-tool.ts';
import { fillText } from './fill-template.ts';

/** Variables that a program gets from the environment of Callsheet. */
const INHERITED = ['PATH', 'LANG', 'HOME'];

/**
 * The whole environment of a program: `PATH`, `LANG`, `HOME`, and the variables of its document with their references replaced.
 * `TOOL_FAILED` for a reference without a value, `SECRET_NEW_HOST` for a secret that this program may not have.
 */
export function programEnvironment(
  { id, env: own = {} }: { readonly id: string; readonly env?: Readonly<Record<string, string>> },
  { env, resolve }: Pick<DeclaredServices, 'env' | 'resolve'>,
  hosts: readonly string[],
): Record<string, string> {
  const reference = (text: string) => {
    const value = resolve(text, hosts);
    if (value !== undefined && !value.includes('\0')) return value;
    throw new EngineError('TOOL_FAILED', `${text} has no value, so ${id} cannot be started`, {
      hint: 'a person must set it; go on without this tool',
    });
  };
  const inherited = INHERITED.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const declared = Object.entries(own).map(([name, text]) => [name, fillText(text, { args: {}, reference })] as const);
  return Object.fromEntries([...inherited, ...declared]);
}
