import type { BrokenLink } from './broken-links.ts';
import type { SecretHosts } from '../secrets.ts';
import { secretUses } from '../secret-uses.ts';
import type { ValidDocument } from '../validate/validate.ts';

/**
 * A broken link for each host that would get the value of a secret without anybody having allowed it. A disabled document
 * sends nothing.
 */
export function newHosts(
  { name: to, typed, isEnabled }: ValidDocument,
  secrets: SecretHosts | undefined,
): BrokenLink[] {
  if (!isEnabled || secrets === undefined) return [];
  return secretUses(typed)
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
