import type { Abortable } from '../../base/abort.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Outgoing, SendOptions } from '../mailbox.ts';
import { type ImapConnection, type ImapConnections, formatRef } from './mailbox-connection.ts';
import { sendSmtp, type SmtpServer } from './smtp.ts';

/** The SMTP server of an account. */
export interface ImapSmtpServer extends SmtpServer {
  /** True where the server saves sent mail to Sent without a request. */
  readonly savesSent: boolean;
}

/**
 * Drafts and sending of an `imap` account. A mail goes to SMTP first and is then saved to Sent. Between the two steps
 * only the engine's store knows that it was sent (`onSent`), and SMTP has no command to find out. So a mail that is not
 * in Sent may have been sent nevertheless: `findSent` then throws `TOOL_OUTCOME_UNKNOWN`.
 */
export class ImapSender {
  readonly #accountId: string;
  readonly #smtp: ImapSmtpServer | undefined;
  readonly #connections: ImapConnections;

  constructor(
    { accountId, smtp }: { readonly accountId: string; readonly smtp: ImapSmtpServer | undefined },
    connections: ImapConnections,
  ) {
    this.#accountId = accountId;
    this.#smtp = smtp;
    this.#connections = connections;
  }

  draft(mail: Outgoing, { signal }: Abortable): Promise<{ readonly ref: string }> {
    return this.#connections.run({ signal }, async (connection) => ({
      ref: await this.#append(connection, await connection.ensureSpecial('\\Drafts'), mail, ['\\Draft', '\\Seen']),
    }));
  }

  findDraft(messageId: string, { signal }: Abortable): Promise<{ readonly ref: string } | undefined> {
    return this.#connections.run({ signal }, (connection) => find(connection, '\\Drafts', messageId));
  }

  /** Deletes the draft with this Message-ID, if there is one. */
  discardDraft(messageId: string, { signal }: Abortable): Promise<void> {
    return this.#connections.run({ signal }, async (connection) => {
      const path = await connection.findSpecial('\\Drafts');
      if (path === undefined) return;
      const { uids } = await connection.findByMessageId(path, messageId);
      if (uids.length === 0) return;
      await connection.open(path, { readOnly: false });
      await connection.request(connection.client.messageDelete(uids.join(), { uid: true }));
    });
  }

  async send(
    mail: Outgoing,
    { signal, onSent }: SendOptions,
  ): Promise<{ readonly ref?: string; readonly note?: string }> {
    signal?.throwIfAborted();
    if (this.#smtp === undefined) throw cannotSend(this.#accountId);
    const { note } = await sendSmtp(this.#smtp, mail, { signal });
    let unwritten: { readonly error: unknown } | undefined;
    await onSent?.().catch((error: unknown) => (unwritten = { error }));
    // Even if `onSent` failed, the mail is saved to Sent, where a later attempt finds it.
    const { ref, problem } = this.#smtp.savesSent ? {} : await this.#saveToSent(mail);
    if (unwritten !== undefined) throw unwritten.error;
    const notes = [note, problem].filter((one) => one !== undefined);
    return { ...(ref !== undefined && { ref }), ...(notes.length > 0 && { note: notes.join('; ') }) };
  }

  async findSent(messageId: string, { signal }: Abortable): Promise<{ readonly ref: string }> {
    const found = await this.#connections.run({ signal }, (connection) => find(connection, '\\Sent', messageId));
    if (found !== undefined) return found;
    const message = `account ${this.#accountId}: the mail is not in Sent, and SMTP cannot report whether it was sent`;
    const hint = 'Ask the recipient, or check the log of the mail server.';
    throw new EngineError('TOOL_OUTCOME_UNKNOWN', message, { hint });
  }

  /** Saves a sent mail to Sent, unless it is there already. */
  saveSent(
    mail: Pick<Outgoing, 'mime' | 'messageId'>,
    { signal }: Abortable = {},
  ): Promise<{ readonly ref?: string | undefined }> {
    return this.#connections.run({ signal }, async (connection) => {
      // Gmail and others save a sent mail to Sent without a request.
      if (connection.client.capabilities.has('X-GM-EXT-1')) return {};
      const saved = await find(connection, '\\Sent', mail.messageId);
      if (saved !== undefined) return saved;
      const path = await connection.ensureSpecial('\\Sent');
      return { ref: await this.#append(connection, path, mail, ['\\Seen']) };
    });
  }

  async #saveToSent(mail: Outgoing): Promise<{ readonly ref?: string | undefined; readonly problem?: string }> {
    try {
      return await this.saveSent(mail);
    } catch (error) {
      return { problem: `it was sent, but is not in Sent: ${errorBody(error).message}` };
    }
  }

  async #append(
    connection: ImapConnection,
    path: string,
    mail: Pick<Outgoing, 'mime' | 'messageId'>,
    flags: string[],
  ): Promise<string> {
    const done = await connection.request(connection.client.append(path, Buffer.from(mail.mime), flags));
    if (done === false)
      throw new EngineError(
        'ACCOUNT_FAILED',
        `account ${this.#accountId}: the server did not save the mail in ${path}`,
      );
    const { uid, uidValidity } = done;
    if (uid !== undefined && uidValidity !== undefined)
      return formatRef({ uidValidity: String(uidValidity), uid, path });
    // A server without UIDPLUS (RFC 4315) does not return the UID.
    const found = await connection.findByMessageId(path, mail.messageId);
    return formatRef({ uidValidity: found.uidValidity, uid: found.uids.at(-1) ?? 0, path });
  }
}

async function find(connection: ImapConnection, use: string, messageId: string): Promise<{ ref: string } | undefined> {
  const path = await connection.findSpecial(use);
  if (path === undefined) return undefined;
  const { uidValidity, uids } = await connection.findByMessageId(path, messageId);
  const uid = uids.at(-1);
  return uid === undefined ? undefined : { ref: formatRef({ uidValidity, uid, path }) };
}

function cannotSend(accountId: string): EngineError {
  return new EngineError('ACCOUNT_FAILED', `account ${accountId} has no SMTP server`, {
    hint: 'Add `smtp: { host: smtp.example.org }` to the account.',
  });
}
