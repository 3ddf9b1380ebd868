import { isLoopback } from '../../base/network-host.ts';
import type { ImapTarget } from './error.ts';

/** What every connection to a server begins with. Where it does not begin with TLS it goes over to it, but on this machine. */
export function connectOptions({ host, port, secure, user }: ImapTarget, pass: string) {
  return {
    ...{ host, port, secure, auth: { user, pass } },
    // Else a server is asked without TLS wherever somebody on the way has taken the offer of it away.
    ...(!secure && !isLoopback(host) && { doSTARTTLS: true }),
    ...{ connectionTimeout: 20_000, logger: false as const },
  };
}
