import { basename } from 'node:path';
import { isRecord, sha256 } from '../base/json.ts';
import type { Account, Agent, Api, DeclaredTool, Snapshot, TypedDocument } from './config.ts';
import type { GmailAccount, ImapAccount, OutlookAccount } from './documents.gen.ts';
import type { DocumentPath } from './problem.ts';
import { parseReference } from './reference.ts';
import { referencesIn } from './tool-template.ts';
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
  return usesOf(sentByDocument(typed));
}

function usesOf(sent: readonly Sent[]): SecretUse[] {
  return sent.flatMap(({ path, reference = '', hosts }) => {
    const { source, name = '' } = parseReference(reference) ?? {};
    return source === 'secret' ? hosts.map((host) => ({ name, path, host })) : [];
  });
}

function sentByDocument(typed: TypedDocument): Sent[] {
  if (typed.kind === 'api') return sentByApi(typed.value);
  if (typed.kind === 'account') return sentBy(typed.value);
  return typed.kind === 'tool' ? sentByTool(typed.value) : [];
}

/**
 * What stands for the host of a program that gets a secret in its environment: its name and a hash of its arguments, such as
 * `npx-1f0a2b3c.command`. Other arguments are another host.
 */
export function commandHostOf(argv: readonly string[]): string {
  const name = basename(argv[0] ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${name === '' ? 'program' : name.slice(0, 40)}-${sha256(JSON.stringify(argv)).slice(0, 8)}.command`;
}

/** The host that gets the references of a declared tool. */
export function toolHostOf(tool: DeclaredTool): string {
  if (tool.kind === 'command') return commandHostOf(tool.argv);
  if (tool.kind === 'http') return urlHostOf(tool.request.url);
  return 'command' in tool ? commandHostOf([tool.command, ...(tool.args ?? [])]) : urlHostOf(tool.url);
}

/** The host of an address whose path may hold placeholders. */
function urlHostOf(address: string): string {
  const [origin = address] = /^https?:\/\/[^/?#\\]+/.exec(address) ?? [];
  return hostOf(origin) ?? origin;
}

/** The hosts that the enabled documents of a config name for each secret. */
export function hostsNamedBy(
  config: Pick<Snapshot, 'apis' | 'accounts' | 'tools' | 'agents' | 'directors'>,
): NamedHosts {
  const { apis, accounts, tools, agents } = config;
  const uses = [
    ...Array.from(apis.values(), (value) => secretUses({ kind: 'api', value })),
    ...Array.from(accounts.values(), (value) => secretUses({ kind: 'account', value })),
    ...Array.from(tools.values(), (value) => secretUses({ kind: 'tool', value })),
    ...Array.from(agents.values(), (agent) => agentSecretUses(agent, config)),
  ];
  return groupHosts(uses.flat());
}

/** Every `${secret:NAME}` of an agent's credentials with the hosts of the apis that get it. */
export function agentSecretUses(agent: Agent, config: Pick<Snapshot, 'apis' | 'directors'>): SecretUse[] {
  const { apiKey, organization } = agent.credentials ?? {};
  const hosts = [...apisWithCredentials(config, agent)].flatMap((id) => {
    const api = config.apis.get(id);
    return api !== undefined && 'apiKey' in api ? [hostOf(api.baseUrl) ?? api.baseUrl] : [];
  });
  return usesOf([
    { path: ['credentials', 'apiKey'], reference: apiKey, hosts },
    { path: ['credentials', 'organization'], reference: organization, hosts },
  ]);
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
  const hosts = [hostOf(api.baseUrl) ?? api.baseUrl];
  const organization = 'organization' in api ? api.organization : undefined;
  return [
    { path: ['apiKey'], reference: api.apiKey, hosts },
    { path: ['organization'], reference: organization, hosts },
  ];
}

/** References may stand anywhere in the texts of these keys. */
function sentByTool(tool: DeclaredTool): Sent[] {
  const hosts = [toolHostOf(tool)];
  const inside = (value: unknown, path: DocumentPath): Sent[] => {
    if (typeof value === 'string') return referencesIn(value).map((reference) => ({ path, reference, hosts }));
    if (Array.isArray(value)) return value.flatMap((member, i) => inside(member, [...path, i]));
    return isRecord(value) ? Object.entries(value).flatMap(([key, member]) => inside(member, [...path, key])) : [];
  };
  const { request, env, headers }: { request?: unknown; env?: unknown; headers?: unknown } = { ...tool };
  return [...inside(request, ['request']), ...inside(env, ['env']), ...inside(headers, ['headers'])];
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

/** Keys of `credentials` of an agent, each with the name that seed 002 gives it. */
export const CREDENTIALS = { apiKey: 'api_key', organization: 'organization_id' } as const;
export type CredentialKey = keyof typeof CREDENTIALS;

/** The apis whose keys the credentials of an agent replace: its own, else those of the directors that may ask it. Never a fallback. */
export function apisWithCredentials(
  { directors }: Pick<Snapshot, 'directors'>,
  agent: Pick<Agent, 'id' | 'apiConfigId' | 'credentials'>,
): ReadonlySet<string> {
  if (agent.credentials === undefined) return new Set();
  if (agent.apiConfigId !== undefined) return new Set([agent.apiConfigId]);
  const asking = [...directors.values()].filter(({ agents }) => agents.includes(agent.id));
  return new Set(asking.map(({ apiConfigId }) => apiConfigId));
}

/** The api as an agent asks it: with the agent's credentials before its own. */
export function withCredentials(api: Api, config: Pick<Snapshot, 'directors'>, agent: Agent | undefined): Api {
  if (agent?.credentials === undefined || !('apiKey' in api)) return api;
  if (!apisWithCredentials(config, agent).has(api.id)) return api;
  const { apiKey = api.apiKey, organization } = agent.credentials;
  if (api.provider !== 'openai') return { ...api, apiKey };
  return { ...api, apiKey, ...(organization !== undefined && { organization }) };
}
