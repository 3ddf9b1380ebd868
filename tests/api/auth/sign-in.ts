import type { Access } from '../../../engine/src/api/access.ts';
import { readAccess } from '../../../engine/src/api/http/read-access.ts';
import { CLIENT, type GoogleEmulator } from '../../account/oauth/google-emulator.ts';
import type { Play } from '../../run/harness.ts';
import { type Answer, type Desk, openDesk } from '../harness.ts';

/** Jane is an admin, John a viewer. */
export const USERS = `login:
  users:
    - { email: Jane@Example.org, role: admin }
    - { email: john@example.org, role: viewer }
`;

const SERVER = { host: '127.0.0.1', port: 3001, proxies: ['127.0.0.1', '::1'] };

/** A server that browsers reach as https://desk.example.org, behind a proxy of this machine. */
export const BEHIND_PROXY: Access = readAccess(
  { ...SERVER, publicUrl: 'https://desk.example.org' },
  { hasLogin: true, hasToken: false },
);

/** Headers that a proxy of this machine adds to the request of a browser. */
export const PROXIED = { 'host': 'desk.example.org', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };

/** A desk at which people sign in with a provider. */
export function openLoginDesk(
  issuer: string,
  { access, files, play, settings = USERS, isUnlimited = false }: LoginDeskOptions = {},
): Promise<Desk> {
  const login = { clientId: CLIENT.id, clientSecret: CLIENT.secret, issuer };
  return openDesk({
    files: { 'settings.yaml': settings, ...files },
    ...(play && { play }),
    serve: { login, ...(access && { access }) },
    ...(isUnlimited && { patch: { loginLimit: { take: () => {} } } }),
  });
}

interface LoginDeskOptions {
  readonly access?: Access;
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: string;
  readonly play?: Play;
  /** Without the limit of sign-ins, for many tests on one server. */
  readonly isUnlimited?: boolean;
}

type Headers = Readonly<Record<string, string>>;

/** Cookies of an answer as a browser would send them. */
export function cookiesOf({ headers }: Answer): string {
  return [headers['set-cookie'] ?? []]
    .flat()
    .filter((line) => !line.includes('Max-Age=0'))
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** What a browser does first: it gets the address of the provider, and a cookie. */
export async function beginSignIn(
  desk: Desk,
  { headers = {}, place = '' }: { headers?: Headers; place?: string } = {},
) {
  const query = place === '' ? '' : `?place=${encodeURIComponent(place)}`;
  const answer = await desk.get(`/api/auth/google/initiate${query}`, { isSignedIn: false, headers });
  return { answer, authorizeUrl: String(Reflect.get(answer.json, 'authorizeUrl')), cookie: cookiesOf(answer) };
}

/** What a browser does when the provider sends it back. */
export function returnTo(desk: Desk, back: URL, cookie: string, headers: Headers = {}): Promise<Answer> {
  return desk.get(back.pathname + back.search, { isSignedIn: false, headers: { cookie, ...headers } });
}

/** A whole sign-in. The headers are those of the page afterwards. */
export async function signIn(desk: Desk, google: GoogleEmulator, email: string, headers: Headers = {}) {
  const { authorizeUrl, cookie } = await beginSignIn(desk, { headers });
  const back = await google.consent(authorizeUrl, email);
  const answer = await returnTo(desk, back, cookie, headers);
  const key = /^\/#key=([\w-]{43})/.exec(String(answer.headers['location']))?.[1] ?? '';
  return { answer, back, headers: { ...headers, 'cookie': cookiesOf(answer), 'x-callsheet-key': key } };
}
