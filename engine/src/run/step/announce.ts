import type { ErrorBody } from '../../base/error.ts';
import { mailOf } from '../../mail/mail-store.ts';
import { type Channel, channelsOf, type NewNotification } from '../../notification/notification.ts';
import { notificationChanges } from '../../notification/notification-rows.ts';
import type { Machine } from './machine.ts';
import type { Step } from './step.ts';

/** Notifies the user that a run has ended, where the settings say so. A cancelled run is no news. */
export async function announceEnd(step: Step, machine: Machine, status: string, error?: ErrorBody): Promise<void> {
  const { directorName, directorId } = step.runState.record.run;
  const who = directorName || directorId;
  if (status === 'completed')
    await announce(step, machine, {
      kind: 'complete',
      title: `${who}: processing complete`,
      text: subjectOf(step, machine),
    });
  if (status === 'failed')
    await announce(step, machine, {
      ...{ kind: 'failure', title: `${who}: run failed` },
      text: [subjectOf(step, machine), error === undefined ? '' : `${error.code}: ${error.message}`].join('\n').trim(),
    });
}

/** Notifies the user that a call waits for an answer, where the settings say so. */
export function announceApproval(step: Step, machine: Machine, approvalId: string, tool: string): Promise<void> {
  const { directorName, directorId, agentName, agentId } = step.runState.record.run;
  const who = directorName || agentName || directorId || agentId;
  const title = `${who} asks to call ${tool}`;
  return announce(step, machine, { kind: 'approval', title, text: subjectOf(step, machine), approvalId });
}

/** Longest line about a run, in characters. */
const MAX_SUBJECT = 300;

/** The subject of the run's mail, or the beginning of its message. */
function subjectOf(step: Step, { facts }: Machine): string {
  const { trigger } = step.runState.record.run;
  return (facts.origin.email?.subject ?? trigger.message ?? '').slice(0, MAX_SUBJECT);
}

type Told = Omit<NewNotification, 'kind'> & { readonly kind: 'complete' | 'failure' | 'approval' };

async function announce(step: Step, { facts }: Machine, told: Told): Promise<void> {
  const { settings } = step.deps.config.current();
  if (!settings.notifications.includes(told.kind)) return;
  const { runId, mailId } = facts;
  const notification = { ...told, runId, ...(mailId !== '' && { emailId: mailId }) };
  const id = step.deps.ids.next('ntf');
  const channels = await withoutLoop(step, mailId, channelsOf(settings));
  step.draft.append(...notificationChanges(notification, { id, now: step.now, channels }));
  step.notice('notification', { id, kind: told.kind });
}

/**
 * The channels for news about a mail. No mail about a mail that a program or the user has sent: where the notified account is
 * fetched too, each notification would cause the next one.
 */
async function withoutLoop(step: Step, mailId: string, channels: readonly Channel[]): Promise<readonly Channel[]> {
  if (mailId === '' || !channels.includes('mail')) return channels;
  const row = await step.draft.get('mail', { id: mailId });
  const summary = row === undefined ? undefined : mailOf(row).summary;
  const isPersons = summary !== undefined && !summary.autoSubmitted && !summary.own;
  return isPersons ? channels : channels.filter((channel) => channel !== 'mail');
}
