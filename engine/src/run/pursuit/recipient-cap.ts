import type { AnsweredMail } from './thread-mails.ts';
import type { Step } from '../step/step.ts';
import type { Machine } from '../step/machine.ts';
import { followUpOpening } from './follow-up-time.ts';
import { contextOf, directorOf } from './objective-of.ts';

const DAY_MS = 86_400_000;

/**
 * When a follow-up to a mail may leave, where one of its recipients has had as many within 24 hours as `followUp.perRecipientPerDay`
 * permits, from whatever objective; undefined where it may leave now. Otherwise it takes a slot of each recipient: of two processes only
 * one gets the last slot. A slot of the same objective whose follow-up has not left, since its wake was interrupted, serves again.
 */
export async function recipientBusyUntil(
  step: Step,
  root: Machine,
  mail: Pick<AnsweredMail, 'to'> | undefined,
): Promise<number | undefined> {
  if (mail === undefined) return undefined;
  const director = directorOf(step, root);
  const { perRecipientPerDay } = director.objective.followUp;
  const { followUps } = contextOf(root);
  const taken: { recipient: string; slot: number }[] = [];
  for (const address of new Set(mail.to.map((one) => one.toLowerCase()))) {
    const recipient = step.deps.store.lookupKey(`follow-up\0${address}`);
    const rows = await step.draft.list('followUp', { where: [['recipient', '=', recipient]] });
    if (rows.filter(({ objective }) => objective === root.id).length > followUps) continue;
    const recent = rows.filter(({ at }) => at > step.now - DAY_MS).sort((a, b) => a.at - b.at);
    const oldest = recent[recent.length - perRecipientPerDay];
    if (oldest !== undefined) return followUpOpening(oldest.at + DAY_MS, director, step.runState.config.settings);
    taken.push({ recipient, slot: Math.max(0, ...rows.map(({ slot }) => slot)) + 1 });
  }
  for (const { recipient, slot } of taken)
    await step.draft.add({
      op: 'insert',
      table: 'followUp',
      row: { recipient, slot, objective: root.id, at: step.now },
    });
  return undefined;
}
