import { EngineError } from '../../../base/error.ts';
import { type CredentialKey, CREDENTIALS } from '../../../config/secret-uses.ts';
import type { Agent } from '../../../config/config.ts';
import { parseReference } from '../../../config/reference.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { flag, optional, readBody, text } from '../../http/body.ts';
import { secret } from './secrets.ts';

/**
 * `POST /api/agents/:id/credentials` `{ key, value, plaintext? }` · `PUT /api/agents/:id/credentials/:key` `{ value, plaintext? }` ·
 * `DELETE` of the same. Keys are `apiKey` and `organization`, or `api_key` and `organization_id`. The value becomes a secret, and the
 * agent's file a reference to it. No answer has a value.
 */
export const agentCredentialRoutes: AddRoutes = (router, services) => {
  router.post('/agents/:id/credentials', async (ctx) => {
    const { key, value, plaintext } = readBody(ctx, { key: text, value: secret, plaintext: optional(flag) });
    await store(services, idOf(ctx), credentialKey(key), value, plaintext);
    ctx.status = 201;
    ctx.body = { key: credentialKey(key) };
  });
  router.put('/agents/:id/credentials/:key', async (ctx) => {
    const { value, plaintext } = readBody(ctx, { value: secret, plaintext: optional(flag) });
    await store(services, idOf(ctx), credentialKey(ctx.params['key']), value, plaintext);
    ctx.status = 204;
  });
  router.delete('/agents/:id/credentials/:key', async (ctx) => {
    await remove(services, idOf(ctx), credentialKey(ctx.params['key']));
    ctx.status = 204;
  });
};

function idOf(ctx: RouteContext): string {
  return String(ctx.params['id']);
}

function credentialKey(key: unknown): CredentialKey {
  for (const [own, seed] of Object.entries(CREDENTIALS) as [CredentialKey, string][])
    if (key === own || key === seed) return own;
  throw new EngineError('BAD_REQUEST', 'there is no such credential', {
    hint: `credentials of an agent are ${Object.keys(CREDENTIALS).join(' and ')}`,
  });
}

/** Stores the value first, so that no revision names a secret without one; takes it back if the file cannot be changed. */
async function store(
  { config, secrets, deps }: Services,
  id: string,
  key: CredentialKey,
  value: string,
  plaintext: boolean | undefined,
): Promise<void> {
  const { value: agent, credentials: old } = agentOf(config, id);
  const name = secretName(config, id, key);
  const before = secrets.get(name);
  const options = { allowsPlaintext: plaintext === true ? true : undefined };
  await secrets.set(name, value, options);
  try {
    const credentials = { ...old, [key]: `\${secret:${name}}` };
    await config.write('agent', id, { ...agent, credentials });
  } catch (error) {
    await (before === undefined ? secrets.delete(name) : secrets.set(name, before, options));
    throw error;
  }
  deps.log.info('credential of an agent stored', { agent: id, key, name });
}

async function remove({ config, secrets, deps }: Services, id: string, key: CredentialKey): Promise<void> {
  const { value: agent, credentials } = agentOf(config, id);
  const { [key]: reference, ...others } = credentials;
  if (reference === undefined) throw new EngineError('NOT_FOUND', `agent "${id}" has no credential ${key}`);
  const left = Object.keys(others).length === 0 ? undefined : others;
  await config.write('agent', id, { ...agent, credentials: left });
  const { source, name = '' } = parseReference(reference) ?? {};
  if (source === 'secret' && secrets.names().includes(name) && !isNamedElsewhere(config, id, name))
    await secrets.delete(name);
  deps.log.info('credential of an agent removed', { agent: id, key, name });
}

/** The keys of an agent's file with defaults, and its credentials. `NOT_FOUND`; `CONFIG_INVALID` where the file has an error. */
function agentOf(
  config: Services['config'],
  id: string,
): { readonly value: object; readonly credentials: NonNullable<Agent['credentials']> } {
  const { value } = config.read('agent', id);
  if (value === undefined)
    throw new EngineError('CONFIG_INVALID', `agent "${id}" is not valid and cannot be changed here`, {
      hint: 'fix its file first',
    });
  return { value, credentials: ('credentials' in value ? value.credentials : undefined) ?? {} };
}

/** `AGENT_HELPER_API_KEY`, with a number where another document already names that. */
function secretName(config: Services['config'], id: string, key: CredentialKey): string {
  const base = `AGENT_${id.replace(/-/g, '_')}_${CREDENTIALS[key].replace('_id', '')}`.toUpperCase();
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}_${n}`;
    if (!isNamedElsewhere(config, id, name)) return name;
  }
}

/** Whether another document than this agent names a secret. */
function isNamedElsewhere(config: Services['config'], agentId: string, name: string): boolean {
  return config
    .documents()
    .filter(({ kind, id }) => kind !== 'agent' || id !== agentId)
    .some(({ kind, id }) => config.read(kind, id).text.includes(`\${secret:${name}}`));
}
