import type { Run } from '../http/api-types.ts';

/** First line of a run whose mail or message has no text. */
const STARTED_BY = {
  mail: '(no subject)',
  message: 'Started by a message',
  task: 'Started by a task',
  date: 'Started by a date',
  chat: 'A turn in a group chat',
} as const;

/** The title of a run: the subject of its mail, or its message. */
export function titleOf({ subject, trigger }: Pick<Run, 'subject' | 'trigger'>): string {
  return subject || STARTED_BY[trigger.kind];
}
