import type { TypedDocument } from '../config.ts';
import type { BrokenLink } from './broken-link.ts';
import type { SecretHosts } from '../secrets.ts';
import { type SecretUse, secretUses } from '../secret-uses.ts';
import type { ValidDocument } from '../validate/validate.ts';

/** Uses of documents. A document never changes, and every save of any document asks for those of all. */
const known = new WeakMap<TypedDocument, readonly SecretUse[]>();

function usesOf(typed: TypedDocument): readonly SecretUse[] {
  if (typed.kind !== 'api' && typed.kind !== 'account' && typed.kind !== 'tool') return [];
  let uses = known.get(typed);
  if (uses === undefined) known.set(typed, (uses = secretUses(typed)));
  return uses;
}

/**
 * A broken link for each host that would get the value of a secret without anybody having allowed it. A disabled document
 * sends nothing.
 */
export function newHosts(
  { name: to, typed, isEnabled }: ValidDocument,
  secrets: SecretHosts | undefined,
): BrokenLink[] {
  if (!isEnabled || secrets === undefined) return [];
  return usesOf(typed)
    .filter(({ name, host }) => !secrets.allowsHost(name, host))
    .map(({ name, path, host }) => ({
      to,
      isMissing: false,
      finding: {
        code: 'CONFIG_SECRET_NEW_HOST',
        path,
        message: `the secret ${name} would be sent to ${host}, which nobody has allowed; no change of this file runs until then`,
        hint: `if this is right: callsheet secrets allow ${name} ${host}`,
        secretHost: { name, host },
      },
    }));
}
