import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { inspectConfig } from '../../app/inspect.ts';
import { builtInToolCatalog } from '../../app/tool-catalog.ts';
import { errorBody } from '../../base/error.ts';
import type { Agent, ConfigService, Director, Snapshot } from '../../config/config.ts';
import { OWN_FAMILIES, reachesWorld, whyNever } from '../../config/permissions.ts';
import { namesTool } from '../../config/rule/match-rule.ts';
import { permissionOf } from '../../config/rule/permission-of.ts';
import { type CatalogTool, catalogTools } from '../../config/tool-name.ts';
import { parseKey } from '../../store/cipher.ts';
import type { InspectedStore } from '../../store/maintenance/inspection.ts';
import type { CommandContext } from '../context.ts';
import { type Check, fail, fine, warn } from './check.ts';
import { checkPrivate } from './data-folder.ts';
import { checkLogin } from './login.ts';
import { checkStorage } from './store.ts';

const WRITABLE_BY_OTHERS = 0o022;
const READABLE_BY_OTHERS = 0o044;
/** Names in one message, at most. */
const NAMED = 8;

/** Checks the key, the files, the sign-in, the leaks and the unasked tools of an installation (SECURITY.md). */
export async function checkSecurity(context: CommandContext, store: InspectedStore | undefined): Promise<Check[]> {
  const checks = [checkKey(context, store), ...checkPrivate(context.dataDir), ...checkFiles(context)];
  if (!existsSync(context.configDir)) return checks;
  let config: ConfigService;
  try {
    config = await inspectConfig(context, store);
  } catch (error) {
    return [...checks, fail('config', errorBody(error).message, 'run callsheet validate')];
  }
  try {
    const snapshot = config.current();
    checks.push(...(await checkLogin(context, snapshot)), ...checkAddress(snapshot), ...checkLeaks(config));
    return [...checks, ...checkActors(snapshot), ...checkPrograms(snapshot)];
  } finally {
    await config.close();
  }
}

function checkKey({ env }: CommandContext, store: InspectedStore | undefined): Check {
  const key = env('VX_MAILAGENT_KEY') ?? '';
  if (store !== undefined)
    return checkStorage(store, (env('DATABASE_URL') ?? '') === '' ? 'data folder' : 'database', key);
  if (parseKey(key) !== undefined) return fine('encryption', 'the first start encrypts all');
  return warn(
    'encryption',
    'VX_MAILAGENT_KEY is not set: mail lies in plain text',
    'make a key with callsheet key make',
  );
}

/** The address that `checkLogin` says nothing about: that of a server without `publicUrl`. */
function checkAddress({ settings: { server } }: Snapshot): Check[] {
  return server.publicUrl === undefined ? [fine('address', `it listens on ${server.host} alone`)] : [];
}

/** Who may read the keys in `.env`, and who may change the config, which decides what agents may do. */
function checkFiles({ configDir, envFile }: CommandContext): Check[] {
  if (process.platform === 'win32') return [];
  const secrets = stat(envFile.path);
  const exposed = secrets !== undefined && (secrets.mode & (READABLE_BY_OTHERS | WRITABLE_BY_OTHERS)) !== 0;
  const writable = filesOf(configDir).filter((path) => ((stat(path)?.mode ?? 0) & WRITABLE_BY_OTHERS) !== 0);
  return [
    exposed
      ? warn('keys', `other users of this machine can open ${envFile.path}`, `chmod 600 ${envFile.path}`)
      : fine('keys', secrets === undefined ? 'no .env file' : 'only its owner can open the .env file'),
    writable.length > 0
      ? warn(
          'config access',
          `other users of this machine can change ${listed(writable)}`,
          `chmod -R go-w ${configDir}`,
        )
      : fine('config access', 'only its owner can change the config'),
  ];
}

function stat(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** The config folder, its folders and the files in them. */
function filesOf(dir: string): string[] {
  if (stat(dir)?.isDirectory() !== true) return [];
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return [dir, ...names.map((name) => join(dir, name))];
}

function checkLeaks(config: ConfigService): Check[] {
  const leaks = config.problems().filter(({ code }) => code === 'CONFIG_CAN_LEAK');
  if (leaks.length === 0) return [fine('leaks', 'no text of a mail can have private data sent without an approval')];
  return leaks.map(({ file, message, hint = 'run callsheet validate' }) => warn('leaks', `${file}: ${message}`, hint));
}

/** For each director, and each agent that persons can talk to alone: tools that reach the world without an approval. */
function checkActors(snapshot: Snapshot): Check[] {
  const tools = new Map<string, CatalogTool>(builtInToolCatalog().tools);
  for (const document of snapshot.tools.values())
    for (const [name, tool] of catalogTools(document)) tools.set(name, tool);
  const { roots } = snapshot.settings;
  const allowed = (documents: Documents) => unaskedTools(documents, tools, roots);
  const checks: Check[] = [];
  for (const director of snapshot.directors.values()) {
    const agents = director.agents.flatMap((id) => snapshot.agents.get(id) ?? []);
    const unasked = new Set([director, ...agents].flatMap((actor) => allowed([director, actor])));
    checks.push(...report(`director ${director.id}`, director, [...unasked]));
  }
  for (const agent of snapshot.agents.values())
    if (agent.apiConfigId !== undefined) checks.push(...report(`agent ${agent.id}`, agent, allowed([agent])));
  const none = 'no tool changes the world or sends something without asking a person';
  return checks.length === 0 ? [fine('unasked tools', none)] : checks;
}

/** The documents whose permissions apply to a call; the last one is the caller, whose scope counts. */
type Documents = readonly [Director | Agent, ...(Director | Agent)[]];

/** Names of tools that reach the world, that all documents allow, and that the scope of the caller can permit. */
function unaskedTools(
  documents: Documents,
  tools: ReadonlyMap<string, CatalogTool>,
  roots: Snapshot['settings']['roots'],
): string[] {
  const { tools: names = [], scope } = documents.at(-1) ?? {};
  return [...tools].flatMap(([name, { family, effects, reach, asks, operation }]) => {
    if (!names.includes(name) && !names.includes(family)) return [];
    if (operation !== undefined && whyNever(scope, operation, roots) !== undefined) return [];
    const facts = { name, effects, isOurs: OWN_FAMILIES.has(family), asks };
    const runs = documents.every(({ permissions }) => permissionOf(permissions, facts).permission === 'allow');
    return runs && reachesWorld({ ...facts, reach }) ? [name] : [];
  });
}

/** `acting` is the document whose `untrusted.act` counts in threads that have read text from outside. */
function report(check: string, acting: Director | Agent, unasked: readonly string[]): Check[] {
  if (unasked.length === 0) return [];
  const rules = acting.untrusted?.act ?? [];
  const after = unasked.filter((name) => rules.some((rule) => namesTool(rule, name)));
  const where =
    after.length === 0 ? 'only where no text from outside was read' : `after text from outside: ${listed(after)}`;
  const message = `unasked: ${listed(unasked)}; ${where}`;
  const hint = 'put those that a person should see under permissions.ask; callsheet permissions shows the rules';
  return [after.length === 0 ? fine(check, message) : warn(check, message, hint)];
}

/** Programs that run as the user, outside a sandbox. */
function checkPrograms({ tools }: Snapshot): Check[] {
  const programs = [...tools.values()].flatMap((tool) => {
    if (tool.kind === 'mcp') return 'command' in tool && tool.command !== undefined ? [`${tool.id} (MCP server)`] : [];
    return tool.kind === 'command' && tool.sandbox !== true ? [tool.id] : [];
  });
  if (programs.length === 0) return [fine('programs', 'no tool starts a program outside a sandbox')];
  return [
    warn(
      'programs',
      `start outside a sandbox, as you: ${listed(programs)}`,
      'write sandbox: true where the program needs no network; use MCP servers that you trust',
    ),
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
