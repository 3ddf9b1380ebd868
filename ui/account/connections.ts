import { signal } from '@preact/signals';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { Connection } from '../http/api-types.ts';
import type { Tone } from '../widget/chip.ts';

/** The connection state of each account. */
export const connections = createResource((_key, signal) =>
  request<{ readonly items: readonly Connection[] }>('GET', '/api/connections', { signal }),
);

/** Colour, icon and text of each connection state. */
export const CONNECTION_LABELS: Readonly<
  Record<Connection['state'], { readonly tone: Tone; readonly icon: string; readonly label: string }>
> = {
  ready: { tone: 'quiet', icon: 'check', label: 'needs no sign-in' },
  connected: { tone: 'ok', icon: 'check', label: 'connected' },
  not_connected: { tone: 'wait', icon: 'clock', label: 'not signed in' },
  grant_lost: { tone: 'bad', icon: 'alert', label: 'sign-in no longer valid' },
  scope_missing: { tone: 'wait', icon: 'alert', label: 'needs more permissions' },
  client_missing: { tone: 'bad', icon: 'alert', label: 'OAuth client is not set up' },
};

/** The file of an account, as the page Accounts needs it. */
export interface AccountDocument {
  readonly id: string;
  readonly file: string;
  readonly fileHash: string;
  /** `''` for none. */
  readonly signature: string;
}

/** The files of the accounts. */
export const accountDocuments = createResource(async (_key, signal): Promise<readonly AccountDocument[]> => {
  interface Listed {
    readonly id: string;
    readonly signature?: string;
    readonly document: { readonly file: string; readonly fileHash: string };
  }
  const { items } = await request<{ readonly items: readonly Listed[] }>('GET', '/api/accounts?limit=200', { signal });
  return items.map(({ id, signature = '', document: { file, fileHash } }) => ({ id, file, fileHash, signature }));
});

/** Unsaved signatures by account. */
export const signatureDrafts = signal<ReadonlyMap<string, string>>(new Map());

/** Keeps an unsaved signature; undefined drops it. */
export function setSignatureDraft(id: string, text: string | undefined): void {
  const next = new Map(signatureDrafts.value);
  if (text === undefined) next.delete(id);
  else next.set(id, text);
  signatureDrafts.value = next;
}
