import { isOwnVariable } from '../own-variables.ts';
import type { Finding } from '../problem.ts';
import { parseReference, type Reference } from '../reference.ts';
import { REFERENCE_KEYS, textsBelow } from '../validate/reference-keys.ts';
import type { ValidDocument } from '../validate/validate.ts';

/** Whether a reference has a value; undefined if that is not known. */
export type IsSet = (reference: Reference) => boolean | undefined;

/** Warnings about `${env:NAME}` and `${secret:NAME}` without a value. Values change without the documents. */
export function unsetReferences({ typed }: ValidDocument, isSet: IsSet): Finding[] {
  return textsBelow(typed.value, []).flatMap(({ text, at }): Finding[] => {
    const reference = parseReference(text);
    const missing = REFERENCE_KEYS[at.join('.')];
    if (reference === undefined || missing === undefined || isSet(reference) !== false) return [];
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
