import { createEmulator } from 'emulate';
import { google } from './gmail-tokens.ts';

export const TOKEN = 'gmail-test-token';

/** Google's API on loopback, as the `emulate` package plays it. */
export interface GmailEmulator {
  readonly url: string;
  /** Puts a mail into the mailbox, with labels by id; resolves with its id. */
  deliver(raw: Uint8Array, labelIds?: readonly string[], threadId?: string): Promise<string>;
  /** Labels put on and taken off, by id. */
  modify(id: string, add: readonly string[], remove: readonly string[]): Promise<void>;
  /** Deletes a mail for good. */
  remove(id: string): Promise<void>;
  /** Any other request; the answer's body. */
  ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** With a mailbox `email` and the label `Orders`. */
export async function startGmail(email: string): Promise<GmailEmulator> {
  const emulator = await createEmulator({
    service: 'google',
    port: 0,
    seed: {
      tokens: { [TOKEN]: { login: email, scopes: [] } },
      google: { users: [{ email, name: 'Team' }], labels: [{ id: 'Label_1', name: 'Orders', user_email: email }] },
    },
  });
  const url = emulator.url.replace('localhost', '127.0.0.1');
  const ask = google(url, TOKEN);
  return {
    url,
    ask,
    async deliver(raw, labelIds = ['INBOX', 'UNREAD'], threadId) {
      const body = { raw: Buffer.from(raw).toString('base64url'), labelIds, threadId };
      return String((await ask('POST', '/messages/import', body))['id']);
    },
    async modify(id, addLabelIds, removeLabelIds) {
      await ask('POST', `/messages/${id}/modify`, { addLabelIds, removeLabelIds });
    },
    async remove(id) {
      await ask('DELETE', `/messages/${id}`);
    },
    close: () => emulator.close(),
  };
}
