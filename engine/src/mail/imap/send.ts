import type { Abortable } from '../../base/abort.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Outgoing, SendOptions } from '../mailbox.ts';
import { type ImapConnection, type ImapConnections, formatRef } from './mailbox-connection.ts';
import { sendSmtp, type SmtpServer } from './smtp.ts';

/** The server that sends the mail of an account. */
export interface ImapSmtpServer extends SmtpServer {
  /** Whether it puts what it sends into Sent by itself. */
  readonly savesSent: boolean;
}

/**
 * Drafts and sending of an `imap` account. What is sent goes to SMTP first and then into Sent; between the two only our own store
 * knows that it is out (`onSent`), and SMTP cannot be asked: so what is not in Sent may have been sent all the same, and
 * `findSent` says so.
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

  async send(
    mail: Outgoing,
    { signal, onSent }: SendOptions,
  ): Promise<{ readonly ref?: string; readonly note?: string }> {
    signal?.throwIfAborted();
    if (this.#smtp === undefined) throw cannotSend(this.#accountId);
    const { note } = await sendSmtp(this.#smtp, mail, { signal });
    let unwritten: { readonly error: unknown } | undefined;
    await onSent?.().catch((error: unknown) => (unwritten = { error }));
    // What could not be written down is kept all the same: in Sent it is found again.
    const { ref, lost } = this.#smtp.savesSent ? {} : await this.#keep(mail);
    if (unwritten !== undefined) throw unwritten.error;
    const notes = [note, lost].filter((one) => one !== undefined);
    return { ...(ref !== undefined && { ref }), ...(notes.length > 0 && { note: notes.join('; ') }) };
  }

  async findSent(messageId: string, { signal }: Abortable): Promise<{ readonly ref: string }> {
    const found = await this.#connections.run({ signal }, (connection) => find(connection, '\\Sent', messageId));
    if (found !== undefined) return found;
    const what = `account ${this.#accountId}: it is not in Sent, and SMTP cannot be asked`;
    const hint = 'Ask the recipient, or look into the log of the mail server.';
    throw new EngineError('TOOL_OUTCOME_UNKNOWN', what, { hint });
  }

  /** Puts what is out into Sent, unless it is there already. */
  async #keep(mail: Outgoing): Promise<{ readonly ref?: string; readonly lost?: string }> {
    try {
      return await this.#connections.run({}, async (connection) => {
        // Gmail and others keep it themselves.
        if (connection.client.capabilities.has('X-GM-EXT-1')) return {};
        const kept = await find(connection, '\\Sent', mail.messageId);
        if (kept !== undefined) return kept;
        const path = await connection.ensureSpecial('\\Sent');
        return { ref: await this.#append(connection, path, mail, ['\\Seen']) };
      });
    } catch (error) {
      return { lost: `it was sent, but is not in Sent: ${errorBody(error).message}` };
    }
  }

  async #append(connection: ImapConnection, path: string, mail: Outgoing, flags: string[]): Promise<string> {
    const done = await connection.request(connection.client.append(path, Buffer.from(mail.mime), flags));
    if (done === false)
      throw new EngineError(
        'ACCOUNT_FAILED',
        `account ${this.#accountId}: the server did not take the mail into ${path}`,
      );
    const { uid, uidValidity } = done;
    if (uid !== undefined && uidValidity !== undefined)
      return formatRef({ uidValidity: String(uidValidity), uid, path });
    // A server without UIDPLUS (RFC 4315) does not say where it has put it.
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
  return new EngineError('ACCOUNT_FAILED', `account ${accountId} has no server that sends`, {
    hint: 'Add `smtp: { host: smtp.example.org }` to the account.',
  });
}
