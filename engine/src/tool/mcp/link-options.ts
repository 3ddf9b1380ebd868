import type { Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ToolList } from './remote-tools.ts';

/** State of a server as people see it. Times are ISO 8601. */
export interface ServerStatus {
  readonly id: string;
  /** `waiting`: for the next attempt to start it, at `retryAt`. */
  readonly state: 'connecting' | 'ready' | 'waiting' | 'stopped';
  readonly since: string;
  /** Number of tools that it has listed. */
  readonly tools: number;
  /** What it calls itself, with its version. */
  readonly name?: string;
  /** Why the last attempt failed. */
  readonly error?: string;
  readonly retryAt?: string;
}

/** Options of a link. */
export interface LinkOptions {
  readonly id: string;
  /** Identifies how the server is reached, in the hash of its tools. */
  readonly server: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Version of Callsheet, which the server may log. */
  readonly version: string;
  /** Makes a transport for one attempt. */
  readonly open: () => Promise<Transport>;
  /** True for HTTP, where a client can ask for the protocol before anything else. */
  readonly isHttp: boolean;
  /** Called with each new list of tools. */
  readonly onTools: (list: ToolList) => void;
}
