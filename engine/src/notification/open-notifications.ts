import type { Abortable } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { sha256 } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type { Snapshot } from '../config/config.ts';
import type { MailService } from '../mail/send/mail-service.ts';
import type { Store } from '../store/store.ts';
import { type Deliver, Deliveries } from './deliveries.ts';
import type { AnswerLink, NewNotification, Notification } from './notification.ts';
import { notificationChanges, notificationOf } from './notification-rows.ts';
import { channelsOf, targetsOf } from './targets.ts';

/** Dependencies of notifications. */
export interface NotificationDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: () => Pick<Snapshot, 'settings' | 'directors'>;
  /** The value of a reference; undefined if it is none or not set. */
  readonly resolve: (reference: string, hosts: readonly string[]) => string | undefined;
  readonly mailService: () => MailService;
  /** The address of a page that answers an approval, for one who is told of it by mail; undefined where it no longer waits. */
  readonly approvalLink: (notification: Notification, to: string) => Promise<AnswerLink | undefined>;
  /** Called after a notification was stored, so that viewers show it and `deliveries` sends it. */
  readonly onNew: (id: string) => void;
  /** Delivers in place of the channels. */
  readonly deliver?: Deliver;
}

/** Notifications for the user. */
export interface Notifications {
  /** Stores a notification, once for a key; it is delivered after that. */
  notify(notification: NewNotification, options: Abortable & { readonly key: string }): Promise<Notification>;
  readonly deliveries: Deliveries;
}

/** Opens the notifications of a store. Nothing is delivered before `deliveries.start()`. */
export function openNotifications(deps: NotificationDeps): Notifications {
  const { store, clock, config, onNew } = deps;
  return {
    deliveries: new Deliveries(deps, deps.deliver ?? deliverBy(deps)),
    async notify(notification, { key, signal }) {
      signal?.throwIfAborted();
      const id = `ntf_${sha256(`notification ${key}`).slice(0, 26)}`;
      const changes = notificationChanges(notification, {
        id,
        now: clock.now(),
        channels: channelsOf(config(), notification),
      });
      try {
        await store.apply(changes);
        onNew(id);
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
      }
      const row = await store.get('notification', { id });
      if (row === undefined) throw new EngineError('STORE_CONFLICT', `the notification ${id} was deleted meanwhile`);
      return notificationOf(row);
    },
  };
}

/** The channels load their code at the first delivery. */
function deliverBy({ config, resolve, mailService, approvalLink }: NotificationDeps): Deliver {
  return (channel, notification, { signal }) => {
    const { webhook, mail, hasLink } = targetsOf(config(), notification);
    if (channel === 'webhook') {
      if (webhook === undefined) return undefined;
      return import('./webhook.ts').then(({ postWebhook }) =>
        postWebhook(addressOf(webhook, resolve), notification, { signal }),
      );
    }
    if (mail === undefined) return undefined;
    return import('./notification-mail.ts').then(async ({ mailNotification }) => {
      const link = hasLink ? await approvalLink(notification, mail.to) : undefined;
      await mailNotification(mailService(), mail, { ...notification, link }, { signal });
    });
  };
}

/** The address of the webhook. A reference is the address itself, so that it names its own host. */
function addressOf(webhook: string, resolve: NotificationDeps['resolve']): string {
  const isReference = webhook.startsWith('${');
  const address = isReference ? resolve(webhook, []) : webhook;
  if (address !== undefined && /^https?:$/.test(URL.parse(address)?.protocol ?? '')) return address;
  throw new EngineError('NOTIFY_FAILED', `the webhook ${webhook} is not set, or no http address`, {
    retryable: true,
  });
}
