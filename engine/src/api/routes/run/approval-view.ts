import { mailOf, readMailRow } from '../../../mail/mail-store.ts';
import type { Address } from '../../../mail/mail.ts';
import type { Account } from '../../../config/config.ts';
import { type Approval, type ApprovalRecord, viewApproval } from '../../../guard/approval.ts';
import { type RunRecord, recordOf } from '../../../run/run.ts';
import type { Reader } from '../../../store/store.ts';
import type { Origin } from '../../../workspace/item.ts';

/** Recipients and subject of the mail that a call writes, as it would leave now. */
export interface LetterView {
  /** `Ada Ray <ray@example.org>`; of a reply also the recipients that follow from the answered mail. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  /** Why the recipients are not known, in plain words; then `to` lists only what the call names. */
  readonly unknown?: string;
}

/** An approval with what a person needs to decide it. */
export interface ApprovalView extends Approval {
  /** The mail that started the run. */
  readonly email?: Origin['email'];
  /** Of `mail_send` and `mail_draft`. */
  readonly letter?: LetterView;
}

const WRITES_MAIL = new Set(['mail_send', 'mail_draft']);

/** The approvals with the mail of their run, and recipients and subject of the mails that they write. */
export function viewApprovals(
  reader: Reader,
  records: readonly ApprovalRecord[],
  accounts: ReadonlyMap<string, Account>,
): Promise<ApprovalView[]> {
  return Promise.all(
    records.map(async (record) => {
      const email = await emailOf(reader, record.runId);
      const letter = WRITES_MAIL.has(record.tool)
        ? await letterOf(reader, record.arguments, email?.id, accounts)
        : undefined;
      return { ...viewApproval(record), ...(email && { email }), ...(letter && { letter }) };
    }),
  );
}

async function emailOf(reader: Reader, runId: string): Promise<RunRecord['origin']['email']> {
  const row = await reader.get('run', { id: runId });
  try {
    return row && recordOf(row).origin.email;
  } catch {
    // The run is damaged. Its approval can still be decided.
    return undefined;
  }
}

/** As `writeRequestOf` of the tools: an answer to the named mail, else to that of the run, or a new mail where `to` is given. */
async function letterOf(
  reader: Reader,
  args: ApprovalRecord['arguments'],
  runMailId: string | undefined,
  accounts: ReadonlyMap<string, Account>,
): Promise<LetterView> {
  const named = { to: texts(args['to']), cc: texts(args['cc']), bcc: texts(args['bcc']) };
  const subject = typeof args['subject'] === 'string' ? args['subject'] : '';
  if (named.to.length > 0) return { ...named, subject };
  if (typeof args['ref'] === 'string')
    return { ...named, subject, unknown: `the sender of the mail ${args['ref']} in the account` };
  const mailId = typeof args['emailId'] === 'string' ? args['emailId'] : runMailId;
  const row = mailId === undefined ? undefined : await readMailRow(reader, mailId);
  if (row === undefined) return { ...named, subject, unknown: 'the mail that would be answered does not exist' };
  const { summary } = mailOf(row);
  const { recipientsOf, replySubject } = await import('../../../mail/send/reply.ts');
  const own = [accounts.get(summary.accountId)?.email ?? []].flat();
  try {
    const { to, cc } = recipientsOf(summary, own, args['all'] === true);
    return { ...named, to: to.map(line), cc: [...cc.map(line), ...named.cc], subject: replySubject(summary.subject) };
  } catch {
    return { ...named, subject: replySubject(summary.subject), unknown: 'the mail has no address to answer to' };
  }
}

const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

const line = ({ name, address }: Address) => (name === '' ? address : `${name} <${address}>`);
