import { createEmulator } from 'emulate';

export const CLIENT = { id: 'callsheet-test.apps.example', secret: 'a-secret-of-the-client' } as const;

export interface GoogleEmulator {
  readonly url: string;
  /** As the `endpoints` of an account's file. */
  readonly endpoints: string;
  /** What a person does at Google: opens the link, and lets `email` in. Gives the address that the browser is sent to. */
  consent(authorizeUrl: string, email: string): Promise<URL>;
  /** Forgets every grant and every user's data, as if all had been taken back. */
  forget(): void;
  close(): Promise<void>;
}

/**
 * Google's OAuth, Gmail and Calendar on a loopback port, with two people. It takes one client and the given redirect addresses
 * only; without them, any: Google's desktop clients take every port of 127.0.0.1, which the emulator does not know.
 */
export async function startGoogle(redirectUris?: readonly string[]): Promise<GoogleEmulator> {
  const users = ['jane@example.org', 'john@example.org'].map((email) => ({ email }));
  const google = await createEmulator({
    service: 'google',
    port: 0,
    seed: {
      google: {
        users,
        ...(redirectUris && {
          oauth_clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [...redirectUris] }],
        }),
      },
    },
  });
  const { url } = google;
  return {
    url,
    endpoints: `{ auth: '${url}', token: '${url}/oauth2', api: '${url}' }`,
    async consent(authorizeUrl, email) {
      const page = await fetch(authorizeUrl);
      if (page.status !== 200) throw new Error(`Google shows ${page.status}: ${await page.text()}`);
      await page.body?.cancel();
      const form = new URLSearchParams({ ...Object.fromEntries(new URL(authorizeUrl).searchParams), email });
      const answer = await fetch(`${url}/o/oauth2/v2/auth/callback`, {
        method: 'POST',
        body: form,
        redirect: 'manual',
      });
      return new URL(answer.headers.get('location') ?? '');
    },
    forget: () => google.reset(),
    close: () => google.close(),
  };
}
