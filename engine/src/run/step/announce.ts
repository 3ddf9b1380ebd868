import type { ErrorBody } from '../../base/error.ts';
import { mailOf } from '../../mail/mail-store.ts';
import type { Channel, NewNotification } from '../../notification/notification.ts';
import { notificationChanges } from '../../notification/notification-rows.ts';
import { channelsOf } from '../../notification/targets.ts';
import { ASK_USER } from '../../tool/person.ts';
import type { Machine } from './machine.ts';
import type { Step } from './step.ts';

/** Notifies the user that a run has ended, where the settings say so. A cancelled run is no news. */
export async function announceEnd(step: Step, machine: Machine, status: string, error?: ErrorBody): Promise<void> {
  const who = whoAsks(step);
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
export async function announceApproval(step: Step, machine: Machine, approvalId: string, tool: string): Promise<void> {
  await announce(step, machine, {
    ...asked(step, machine, approvalId),
    title: `${whoAsks(step)} asks to call ${tool}`,
  });
}

/** Notifies the user that a run asks a question, where the settings say so. */
export async function announceQuestion(
  step: Step,
  machine: Machine,
  approvalId: string,
  question: string,
): Promise<void> {
  const told = asked(step, machine, approvalId);
  const text = [question, told.text].filter((part) => part !== '').join('\n\n');
  await announce(step, machine, { ...told, title: `${whoAsks(step)} asks you a question`, text });
}

/** Notifies those whom `approvals.escalateTo` names that nobody has answered a call in time. */
export async function announceEscalation(
  step: Step,
  machine: Machine,
  approvalId: string,
  tool: string,
): Promise<void> {
  const what = tool === ASK_USER ? 'for an answer' : `to call ${tool}`;
  const title = `${whoAsks(step)} still waits ${what}`;
  await tell(step, machine, { ...asked(step, machine, approvalId), title, isEscalation: true });
}

function asked(step: Step, machine: Machine, approvalId: string) {
  const { directorId } = step.runState.record.run;
  const about = { kind: 'approval' as const, text: subjectOf(step, machine), approvalId };
  return { ...about, ...(directorId !== '' && { directorId }) };
}

function whoAsks(step: Step): string {
  const { directorName, directorId, agentName, agentId } = step.runState.record.run;
  return directorName || agentName || directorId || agentId || '';
}

/** Longest line about a run, in characters. */
const MAX_SUBJECT = 300;

/** The subject of the run's mail, or the beginning of its message. */
function subjectOf(step: Step, { facts }: Machine): string {
  const { trigger } = step.runState.record.run;
  return (facts.origin.email?.subject ?? trigger.title ?? trigger.message ?? '').slice(0, MAX_SUBJECT);
}

type Told = Omit<NewNotification, 'kind'> & { readonly kind: 'complete' | 'failure' | 'approval' };

async function announce(step: Step, machine: Machine, told: Told): Promise<void> {
  if (step.deps.config.current().settings.notifications.includes(told.kind)) await tell(step, machine, told);
}

async function tell(step: Step, { facts }: Machine, told: Told): Promise<void> {
  const { runId, mailId } = facts;
  const notification = { ...told, runId, ...(mailId !== '' && { emailId: mailId }) };
  const id = step.deps.ids.next('ntf');
  const channels = await withoutLoop(step, mailId, channelsOf(step.deps.config.current(), told));
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
