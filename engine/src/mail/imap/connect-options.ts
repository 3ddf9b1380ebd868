import { isLoopback } from '../../base/network-host.ts';
import type { ImapTarget } from './error.ts';

/**
 * Connection options of both IMAP clients. A connection that does not begin with TLS requires STARTTLS, except to this
 * machine.
 */
export function connectOptions({ host, port, secure, user }: ImapTarget, pass: string) {
  return {
    ...{ host, port, secure, auth: { user, pass } },
    // Without this, an attacker who removes the server's offer of STARTTLS would get the password in plain text.
    ...(!secure && !isLoopback(host) && { doSTARTTLS: true }),
    ...{ connectionTimeout: 20_000, logger: false as const },
  };
}
