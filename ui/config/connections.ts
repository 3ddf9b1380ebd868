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
