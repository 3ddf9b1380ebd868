import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';

/** The page of a browser without a session: the link to Google where people sign in there, else how to get the token. */
export function SignedOut() {
  const [methods, setMethods] = useState<readonly string[] | undefined>(undefined);
  useEffect(() => {
    void findMethods().then(setMethods);
  }, []);
  if (methods === undefined) return null;
  return methods.includes('google') ? html`<${WithGoogle} />` : html`<${WithToken} />`;
}

function WithGoogle() {
  // The address may change while this page is shown.
  const onClick = ({ currentTarget }: MouseEvent) => {
    if (currentTarget instanceof HTMLAnchorElement) currentTarget.search = placeQuery();
  };
  return html`<main class="plain">
    <h1>Sign in to Callsheet</h1>
    <p>An admin of this Callsheet decides who may sign in.</p>
    <p><a class="sign-in" href="/api/auth/google/initiate" onClick=${onClick}>Sign in with Google</a></p>
  </main>`;
}

/** Where the person wants to go, for the way back. */
function placeQuery(): string {
  return location.hash.startsWith('#/') ? `?place=${encodeURIComponent(location.hash)}` : '';
}

function WithToken() {
  return html`<main class="plain">
    <h1>You are not signed in</h1>
    <p>Open the address that <code>callsheet start</code> prints in the terminal. The token in it signs you in.</p>
    <p><button title="Reload (F5)" onClick=${() => location.reload()}>Try again</button></p>
  </main>`;
}

/** How people can sign in; none if the server does not say. */
async function findMethods(): Promise<readonly string[]> {
  try {
    const answer = await fetch('/api/auth/methods');
    const body: unknown = answer.ok ? await answer.json() : undefined;
    const methods: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'methods') : undefined;
    return Array.isArray(methods) ? methods.map(String) : [];
  } catch {
    return [];
  }
}
