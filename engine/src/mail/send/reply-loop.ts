import { EngineError } from '../../base/error.ts';
import type { Address, MailSummary } from '../mail.ts';

/**
 * Addresses of programs (RFC 3834 2, and usual names of addresses that nobody reads): a reply would go to a program, or
 * to a whole list.
 */
const MACHINE =
  /^(?:mailer-daemon|postmaster|owner-.*|.*-request|.*-owner|.*-bounces?|bounces?[+-].*|(?:do[._-]?)?not?[._-]?reply.*)@/i;

/**
 * The reason why only a person may reply to a mail, in words, or undefined where an automatic reply is allowed (RFC
 * 3834 2): mail from programs, mail over a list or in bulk, own mail.
 */
export function replyFault(mail: Pick<MailSummary, 'autoSubmitted' | 'list' | 'own'>): string | undefined {
  if (mail.own) return 'it is own mail';
  if (mail.autoSubmitted) return 'a program sent it (Auto-Submitted, or without a return path)';
  if (mail.list) return 'it came over a list or in bulk';
  return undefined;
}

/** Throws `REPLY_LOOP` where an agent must not reply to a mail, or not to these addresses. */
export function expectNoLoop(
  mail: Pick<MailSummary, 'autoSubmitted' | 'list' | 'own'>,
  recipients: readonly Address[],
): void {
  const fault = replyFault(mail);
  if (fault !== undefined) throw loop(`no reply is sent to this mail: ${fault}`);
  expectNoMachine(recipients);
}

/** Throws `REPLY_LOOP` for an address that nobody reads. */
export function expectNoMachine(recipients: readonly Address[]): void {
  const machine = recipients.find(({ address }) => MACHINE.test(address));
  if (machine !== undefined) throw loop(`no reply is sent to ${machine.address}: nobody reads mail there`);
}

/**
 * The same check for a new mail of a run about a mail: where a reply is not allowed, the sender must not get a new mail
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
    throw loop(`${found.address} sent the mail that this run is about, and no reply is sent to it: ${fault}`);
}

function loop(message: string): EngineError {
  return new EngineError('REPLY_LOOP', message, {
    hint: 'Do not send it in another way. A person may reply, so leave a draft or an item in the workspace.',
  });
}
