import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import type { Snapshot } from '../../config/config.ts';
import type { CliApi } from '../../config/documents.gen.ts';
import { type AcpProbe, probeAcp } from '../../model/cli/acp/probe.ts';
import { type CliReach, cliContextOf, reachOf } from '../../model/cli/cli.ts';
import type { CliContext } from '../../model/cli/driver.ts';
import { isSignedIn } from '../../model/cli/signed-in.ts';
import { commandOf, knownTools, toolLabel, toolNameOf } from '../../model/cli/tool.ts';
import { versionOf } from '../../model/cli/version.ts';
import type { CommandContext } from '../context.ts';
import { type Check, fine, warn } from './check.ts';

type Context = Pick<CommandContext, 'env' | 'redactor'>;

/**
 * Checks the command-line agents of the config, and the known ones that are installed but that no api names: version, sign-in, and
 * how Callsheet talks to them. A tool that is not there is a warning, and so is an adapter of the Agent Client Protocol that does not
 * work: it is started, and makes a session without a prompt.
 */
export function checkCliAgents(context: Context, { apis }: Pick<Snapshot, 'apis'>): Promise<Check[]> {
  const named = [...apis.values()].filter((api) => api.provider === 'cli');
  const others = Object.keys(knownTools).filter((cli) => !named.some((api) => api.cli === cli));
  return Promise.all([
    ...named.map((api) => checkAgent(`api ${api.id}`, api, context)),
    ...others.map((cli) => checkUnnamed(cli, context)),
  ]).then((checks) => checks.filter((check) => check !== undefined));
}

/** A known tool that no api names: undefined where it is not installed. */
async function checkUnnamed(cli: string, context: Context): Promise<Check | undefined> {
  const api: CliApi = {
    ...{
      id: cli,
      description: '',
      enabled: true,
      provider: 'cli',
      cli,
      protocol: 'auto',
      sessions: 'fresh',
      timeoutSeconds: 300,
    },
    ...{ env: [], limits: { concurrency: 1 }, locality: 'any', fallback: [] },
  };
  const agent = openContext(api, context);
  const reach = await reachOf(agent);
  if (reach.protocol === 'none') return undefined;
  const { text, broken } = await describe(agent, reach);
  return broken === undefined ? fine(`tool ${cli}`, `${text}; no api names it`) : warn(`tool ${cli}`, text, broken);
}

async function checkAgent(check: string, api: CliApi, context: Context): Promise<Check> {
  const agent = openContext(api, context);
  const reach = await reachOf(agent);
  if (reach.protocol === 'none') return warn(check, reach.why, reach.hint);
  const { text, broken, signedIn } = await describe(agent, reach);
  if (broken !== undefined) return warn(check, text, broken);
  const name = toolNameOf(api);
  if (name !== undefined && signedIn === false) return warn(check, text, knownTools[name].signIn);
  // Without roaming Claude Code is offered no tool that could read a file.
  if (name === 'claude' || (await agent.sandbox.isUsable())) return fine(check, text);
  return warn(
    check,
    `${text}; bubblewrap cannot be used here, so the tool can read what this user can read`,
    'install bubblewrap (Debian: apt-get install bubblewrap), or run Callsheet as a user of its own',
  );
}

function openContext(api: CliApi, { env, redactor }: Context): CliContext {
  return cliContextOf({ api, env, redactor, clock: systemClock, log: silentLogger });
}

/** A tool in words; `broken`: its adapter does not work, and this is what to do. */
interface Description {
  readonly text: string;
  readonly broken?: string;
  readonly signedIn?: boolean | undefined;
}

/** Name, version, sign-in and protocol, for people. */
async function describe(agent: CliContext, reach: Exclude<CliReach, { protocol: 'none' }>): Promise<Description> {
  const { api, versions } = agent;
  const probe = reach.protocol === 'acp' ? await probeAcp(agent) : undefined;
  const how = probe === undefined ? 'by command-line arguments' : howByAcp(probe);
  const broken = probe?.state === 'works' || probe === undefined ? {} : { broken: hintOf(probe) };
  const name = toolNameOf(api);
  if (name === undefined) return { text: `${toolLabel(api)}, ${how}`, ...broken };
  const [version, told] = await Promise.all([versionOf(agent, commandOf(api), versions), isSignedIn(agent)]);
  // The adapter knows better: a key in the environment may be one that it does not take.
  const signedIn = (probe?.state === 'works' ? probe.signedIn : undefined) ?? told;
  const sign = signedIn === undefined ? 'sign-in unknown' : signedIn ? 'signed in' : 'not signed in';
  const { title, tried } = knownTools[name];
  const note = version === undefined || version === tried ? '' : ` (tried: ${tried})`;
  return { text: `${title} ${version ?? 'of an unknown version'}${note}, ${sign}, ${how}`, signedIn, ...broken };
}

function howByAcp(probe: AcpProbe): string {
  if (probe.state === 'works') {
    const adapter = [probe.name, probe.version].filter((part) => part !== undefined).join(' ');
    return [`by the Agent Client Protocol (${adapter || 'no name'})`, ...probe.warnings].join('; ');
  }
  return `the Agent Client Protocol does not work: ${probe.state === 'missing' ? 'its program is gone' : probe.why}`;
}

function hintOf(probe: AcpProbe): string {
  const other = 'set protocol: flags in its api to do without it';
  return probe.state === 'failed' && probe.hint !== undefined ? `${probe.hint}; or ${other}` : other;
}
