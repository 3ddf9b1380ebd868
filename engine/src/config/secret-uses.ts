import type { Account, Api, Snapshot, TypedDocument } from './config.ts';
import type { GmailAccount, ImapAccount, OutlookAccount } from './documents.gen.ts';
import type { DocumentPath } from './problem.ts';
import { parseReference } from './reference.ts';
import { GOOGLE, WORLDWIDE } from './provider-addresses.ts';

/** A `${secret:NAME}` of a document, and one host that gets its value. */
export interface SecretUse {
  readonly name: string;
  /** The key with the reference. */
  readonly path: DocumentPath;
  /** As `hostOf` writes it. */
  readonly host: string;
}

/** Hosts by the name of the secret that they get. */
export type NamedHosts = ReadonlyMap<string, ReadonlySet<string>>;

/** Ports that need no mention, since they carry the protocol on any server. */
const MAIL_PORTS: ReadonlySet<number> = new Set([993, 143, 465, 587]);

/**
 * The host that a person or a document means, in lower case: `api.openai.com`, with a port that is not the default
 * (`a.example:8443`), and with `http://` where a request is not encrypted. Undefined for anything else.
 */
export function hostOf(text: string): string | undefined {
  const isAddress = text.includes('://');
  const bare = text.split(':').length > 2 && !text.includes('[') ? `[${text}]` : text;
  const url = URL.parse(isAddress ? text : `https://${bare}`);
  if (url === null || url.host === '' || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (!isAddress && (url.username !== '' || url.pathname !== '/' || /[?#]/.test(text))) return undefined;
  return url.protocol === 'http:' ? `http://${url.host}` : url.host;
}

/** The host of a mail server. */
export function mailHostOf({ host, port }: { readonly host: string; readonly port: number }): string {
  const name = hostOf(host) ?? host;
  return MAIL_PORTS.has(port) ? name : `${name}:${port}`;
}

/** Hosts that get the client id and the client secret of an account. */
export function signInHosts({ provider, endpoints = {} }: GmailAccount | OutlookAccount): string[] {
  const own = provider === 'gmail' ? GOOGLE : { auth: WORLDWIDE.auth, token: endpoints.auth ?? WORLDWIDE.auth };
  const addresses = [endpoints.auth ?? own.auth, endpoints.token ?? own.token];
  return [...new Set(addresses.map((address) => hostOf(address) ?? address))];
}

/** Every `${secret:NAME}` of a document with every host that gets its value. */
export function secretUses(typed: TypedDocument): SecretUse[] {
  const sent = typed.kind === 'api' ? sentByApi(typed.value) : typed.kind === 'account' ? sentBy(typed.value) : [];
  return sent.flatMap(({ path, reference = '', hosts }) => {
    const { source, name = '' } = parseReference(reference) ?? {};
    return source === 'secret' ? hosts.map((host) => ({ name, path, host })) : [];
  });
}

/** The hosts that the enabled documents of a config name for each secret. */
export function hostsNamedBy({ apis, accounts }: Pick<Snapshot, 'apis' | 'accounts'>): NamedHosts {
  const uses = [
    ...Array.from(apis.values(), (value) => secretUses({ kind: 'api', value })),
    ...Array.from(accounts.values(), (value) => secretUses({ kind: 'account', value })),
  ];
  return groupHosts(uses.flat());
}

/** The hosts of uses, by secret. */
export function groupHosts(uses: Iterable<SecretUse>): NamedHosts {
  const named = new Map<string, Set<string>>();
  for (const { name, host } of uses) named.set(name, (named.get(name) ?? new Set()).add(host));
  return named;
}

interface Sent {
  readonly path: DocumentPath;
  readonly reference?: string | undefined;
  readonly hosts: readonly string[];
}

function sentByApi(api: Api): Sent[] {
  if (!('apiKey' in api)) return [];
  return [{ path: ['apiKey'], reference: api.apiKey, hosts: [hostOf(api.baseUrl) ?? api.baseUrl] }];
}

function sentBy(account: Account): Sent[] {
  if ('imap' in account) return sentByMailbox(account);
  if (!('oauth' in account)) return [];
  const hosts = signInHosts(account);
  const { clientId, clientSecret } = account.oauth;
  return [
    { path: ['oauth', 'clientId'], reference: clientId, hosts },
    { path: ['oauth', 'clientSecret'], reference: clientSecret, hosts },
  ];
}

/** The SMTP server gets the password of the IMAP server unless `smtp.auth` is set. */
function sentByMailbox({ imap, auth, smtp }: ImapAccount): Sent[] {
  const login = { path: ['auth', 'pass'], reference: auth.pass };
  const sent: Sent[] = [{ ...login, hosts: [mailHostOf(imap)] }];
  if (smtp === undefined) return sent;
  const own = smtp.auth && { path: ['smtp', 'auth', 'pass'], reference: smtp.auth.pass };
  return [...sent, { ...(own ?? login), hosts: [mailHostOf(smtp)] }];
}
