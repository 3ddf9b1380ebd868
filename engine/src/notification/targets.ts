import type { Settings, Snapshot } from '../config/config.ts';
import type { Channel, NewNotification } from './notification.ts';

/** Where a notification is delivered. */
export interface Targets {
  /** Address, or a reference to it. */
  readonly webhook?: string;
  readonly mail?: NonNullable<Settings['notify']['mail']>;
  /** Whether the mail has a link that answers the approval. */
  readonly hasLink: boolean;
}

type Config = Pick<Snapshot, 'settings' | 'directors'>;

/** What decides about the targets of a notification. */
export type Told = Pick<NewNotification, 'kind' | 'directorId' | 'isEscalation'>;

/**
 * The targets of a notification under a config. For approvals, `approvals.notify` goes before `notify`, and what the director
 * says goes before the settings. An escalation goes to `approvals.escalateTo`, or else to where the approval was announced.
 */
export function targetsOf(config: Config, told: Told): Targets {
  const { notify } = config.settings;
  if (told.kind !== 'approval') return { ...notify, hasLink: false };
  const rules = approvalRules(config, told.directorId);
  const announced = { ...notify, ...rules.notify };
  const { webhook, mail, link } = told.isEscalation === true ? (rules.escalateTo ?? {}) : announced;
  const own = webhook === undefined && mail === undefined ? announced : { webhook, mail };
  return {
    ...(own.webhook !== undefined && { webhook: own.webhook }),
    ...(own.mail !== undefined && { mail: own.mail }),
    hasLink: link ?? announced.link ?? false,
  };
}

/** The channels by which a notification is delivered. */
export function channelsOf(config: Config, told: Told): readonly Channel[] {
  const targets = targetsOf(config, told);
  return (['webhook', 'mail'] as const).filter((channel) => targets[channel] !== undefined);
}

/** What the config says about approvals of a director: its own keys, then those of the settings. */
export function approvalRules({ settings, directors }: Config, directorId = ''): NonNullable<Settings['approvals']> {
  const own = directors.get(directorId)?.approvals;
  const notify = { ...settings.approvals?.notify, ...own?.notify };
  return { ...settings.approvals, ...own, notify };
}
