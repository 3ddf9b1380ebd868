import { EngineError } from '../../base/error.ts';
import type { Address, MailSummary } from '../mail.ts';

/**
 * Addresses behind which there is a program (RFC 3834 2, and what senders call those that nobody reads): an answer would go to a
 * machine, or to all of a list.
 */
const MACHINE =
  /^(?:mailer-daemon|postmaster|owner-.*|.*-request|.*-owner|.*-bounces?|bounces?[+-].*|(?:do[._-]?)?not?[._-]?reply.*)@/i;

/**
 * Why nobody but a person may answer a mail, in words, or undefined where an answer breaks no rule (RFC 3834 2): mail that a
 * program sent, mail over a list or in bulk, own mail.
 */
export function replyFault(mail: Pick<MailSummary, 'autoSubmitted' | 'list' | 'own'>): string | undefined {
  if (mail.own) return 'it is own mail';
  if (mail.autoSubmitted) return 'a program sent it (Auto-Submitted, or without a return path)';
  if (mail.list) return 'it came over a list or in bulk';
  return undefined;
}

/** Throws `REPLY_LOOP` where an agent must not answer a mail, or not at these addresses. */
export function expectNoLoop(
  mail: Pick<MailSummary, 'autoSubmitted' | 'list' | 'own'>,
  recipients: readonly Address[],
): void {
  const fault = replyFault(mail);
  if (fault !== undefined) throw loop(`this mail is not answered: ${fault}`);
  const machine = recipients.find(({ address }) => MACHINE.test(address));
  if (machine !== undefined) throw loop(`no answer is sent to ${machine.address}: nobody reads there`);
}

/**
 * The same for a new mail of a run about a mail: where that must not be answered, its sender is not written to by another way
 * either.
 */
export function expectNoDetour(
  mail: Pick<MailSummary, 'autoSubmitted' | 'list' | 'own' | 'from' | 'replyTo'>,
  recipients: readonly Address[],
): void {
  const fault = replyFault(mail);
  if (fault === undefined) return;
  const senders = new Set([...mail.from, ...mail.replyTo].map(({ address }) => address.toLowerCase()));
  const found = recipients.find(({ address }) => senders.has(address.toLowerCase()));
  if (found !== undefined)
    throw loop(`${found.address} sent the mail that this run is about, which is not answered: ${fault}`);
}

function loop(message: string): EngineError {
  return new EngineError('REPLY_LOOP', message, {
    hint: 'do not send it in another way; a person may answer it, so leave a draft or an item in the workspace',
  });
}
