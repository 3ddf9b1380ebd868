import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Store } from '../../store/store.ts';
import type { LiveBus } from '../../trace/live-bus.ts';
import type { Chat } from '../chat.ts';
import type { FolderRules } from './folder.ts';

/** What work in folders needs. */
export interface RoamingDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly live: Pick<LiveBus, 'publish'>;
  readonly env: (name: string) => string | undefined;
  /** The workspaces of the newest config. */
  readonly rules: () => FolderRules;
  /** Whether bubblewrap is there. */
  readonly hasBubblewrap: () => Promise<boolean>;
  readonly readChat: (id: string) => Promise<Chat | undefined>;
}
