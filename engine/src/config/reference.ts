import { EngineError } from '../base/error.ts';
import { isOwnVariable } from './own-variables.ts';

/** `${env:NAME}` or `${secret:NAME}`: a value that is looked up at each use and never stored in a document. */
export interface Reference {
  readonly source: 'env' | 'secret';
  readonly name: string;
}

const WHOLE = /^\$\{(env|secret):([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** Parses a text that is a reference as a whole; undefined otherwise. */
export function parseReference(text: string): Reference | undefined {
  const match = WHOLE.exec(text);
  return match?.[2] === undefined ? undefined : { source: match[1] === 'env' ? 'env' : 'secret', name: match[2] };
}

/** Sources of values. An empty value counts as not set. */
export interface ReferenceSources {
  readonly env: (name: string) => string | undefined;
  readonly secret: (name: string) => string | undefined;
}

/**
 * The value of a reference for requests to `hosts` (written as `hostOf` does), or undefined. Throws `SECRET_NEW_HOST` for a
 * secret that may not go to all of them.
 */
export type ResolveReference = (reference: string, hosts: readonly string[]) => string | undefined;

/** Throws `SECRET_NEW_HOST` unless all hosts may get the value of a reference. The environment is the operator's own. */
export function expectHosts(
  text: string,
  hosts: readonly string[],
  allowsHost: (name: string, host: string) => boolean,
): void {
  const reference = parseReference(text);
  if (reference?.source !== 'secret') return;
  const { name } = reference;
  for (const host of hosts)
    if (!allowsHost(name, host))
      throw new EngineError('SECRET_NEW_HOST', `the secret ${name} is not sent to ${host}: nobody has allowed that`, {
        hint: `if this is right: callsheet secrets allow ${name} ${host}`,
      });
}

/**
 * The current value of a reference; undefined if it is not set, if `text` is not a reference, or if it names a variable of
 * the engine's own (a document that an earlier version accepted may still do so).
 */
export function resolveReference(text: string, sources: ReferenceSources): string | undefined {
  const reference = parseReference(text);
  if (reference?.source === 'env' && isOwnVariable(reference.name)) return undefined;
  const value = reference === undefined ? undefined : sources[reference.source](reference.name);
  return value === undefined || value === '' ? undefined : value;
}

/** Returns the value of a reference in an account's file. Throws `ACCOUNT_FAILED` if it is not set. */
export function expectValue(
  accountId: string,
  { key, reference, value }: { readonly key: string; readonly reference: string; readonly value: string | undefined },
): string {
  if (value !== undefined && value !== '') return value;
  throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: there is no value for \`${key}\`, ${reference}`, {
    hint:
      parseReference(reference)?.source === 'env'
        ? 'Set this environment variable, for example in .env, and restart.'
        : 'Store it with `callsheet secrets set`.',
  });
}
