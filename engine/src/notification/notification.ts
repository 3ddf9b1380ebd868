/** Why there is a notification. `message`: an actor called `notify`. */
export type NotificationKind = 'complete' | 'failure' | 'approval' | 'reminder' | 'message';

/** What a notification says, and what it is about. */
export interface NewNotification {
  readonly kind: NotificationKind;
  /** One line. */
  readonly title: string;
  /** Plain text; `''` for none. */
  readonly text: string;
  readonly runId?: string;
  readonly emailId?: string;
  readonly approvalId?: string;
  /** Of an approval: the director whose call waits; absent in a session of a person with an agent. */
  readonly directorId?: string;
  /** True where an approval was announced before, and nobody has answered it in time. */
  readonly isEscalation?: true;
  readonly reminderId?: string;
  /** Of a reminder that fired long after its time, since no Callsheet ran then: when it was due, ISO 8601. */
  readonly lateSince?: string;
}

/** A notification. `at` is ISO 8601. */
export interface Notification extends NewNotification {
  readonly id: string;
  readonly status: 'unread' | 'read';
  readonly at: string;
}

/** A way to deliver notifications outside the viewer. */
export type Channel = 'webhook' | 'mail';

/** The address of a page that answers an approval. `expiresAt` is ISO 8601. */
export interface AnswerLink {
  readonly address: string;
  readonly expiresAt: string;
}
