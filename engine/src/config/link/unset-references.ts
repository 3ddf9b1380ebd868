import { isOwnVariable } from '../own-variables.ts';
import type { Finding } from '../problem.ts';
import type { Reference } from '../reference.ts';
import type { ValidDocument } from '../validate/validate.ts';

/** Whether a reference has a value; undefined if that is not known. */
export type IsSet = (reference: Reference) => boolean | undefined;

/** Warnings about `${env:NAME}` and `${secret:NAME}` without a value. Values change without the documents. Disabled documents need none. */
export function unsetReferences({ references, isEnabled }: ValidDocument, isSet: IsSet): Finding[] {
  if (!isEnabled || references.length === 0) return [];
  return references.flatMap(({ reference, at, missing }): Finding[] => {
    if (missing === undefined || isSet(reference) !== false) return [];
    const { source, name } = reference;
    if (source === 'secret') {
      const hint = `store it: callsheet secrets set ${name}`;
      return [
        { code: 'CONFIG_SECRET_UNSET', path: at, message: `the secret ${name} has no value, so ${missing}`, hint },
      ];
    }
    // Reported as an error of its own.
    if (isOwnVariable(name)) return [];
    const hint = `set ${name} in the environment or in the .env file`;
    const message = `the environment variable ${name} is not set, so ${missing}`;
    return [{ code: 'CONFIG_ENV_UNSET', path: at, message, hint }];
  });
}
