import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { EncryptionState } from '../../engine/src/api/api.ts';
import { confirm } from '../widget/confirm.ts';
import { attempt } from '../widget/toast.ts';

/** How the stored data are encrypted; only an admin may ask. */
export const encryption = createResource((_key, signal) =>
  request<EncryptionState>('GET', '/api/encryption', { signal }),
);

/** Asks the person, then has the server make a key and encrypt. The server chooses the key, and no answer contains it. */
export async function encryptNow(envFile: string): Promise<void> {
  const isWanted = await confirm({
    title: 'Encrypt the stored data?',
    text:
      `The server makes a key on its machine and writes it to ${envFile}, which only its user can read. Then it restarts itself, ` +
      'which takes some seconds, and longer with much mail; this page reconnects. There is no way back to plain text. ' +
      'Whoever loses the key loses the data: keep a copy of it at another place.',
    action: 'Encrypt and restart',
    isSafe: true,
  });
  if (isWanted) await attempt(async () => encryption.set(await request<EncryptionState>('POST', '/api/encryption')));
}
