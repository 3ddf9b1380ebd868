import { EngineError } from '../base/error.ts';

/** `${env:NAME}` or `${secret:NAME}`: a value that is looked up when it is used, and never written down. */
export interface Reference {
  readonly source: 'env' | 'secret';
  readonly name: string;
}

const WHOLE = /^\$\{(env|secret):([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** The reference that a text is as a whole, or undefined. */
export function parseReference(text: string): Reference | undefined {
  const match = WHOLE.exec(text);
  return match?.[2] === undefined ? undefined : { source: match[1] === 'env' ? 'env' : 'secret', name: match[2] };
}

/** Where values come from. An empty value counts as none. */
export interface ReferenceSources {
  readonly env: (name: string) => string | undefined;
  readonly secret: (name: string) => string | undefined;
}

/** What a reference stands for now, or undefined where nothing is set (or `text` is no reference). */
export function resolveReference(text: string, sources: ReferenceSources): string | undefined {
  const reference = parseReference(text);
  const value = reference === undefined ? undefined : sources[reference.source](reference.name);
  return value === undefined || value === '' ? undefined : value;
}

/** What a reference in an account's file was found to stand for; `ACCOUNT_FAILED` where that is nothing. */
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
