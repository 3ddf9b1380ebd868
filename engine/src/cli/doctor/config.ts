import { existsSync } from 'node:fs';
import type { ClusterReport } from '../../app/cluster-report.ts';
import { inspectConfig, inspectModels } from '../../app/inspect.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Api, ConfigService, Snapshot } from '../../config/config.ts';
import { chooseApi } from '../../model/choose-api.ts';
import type { Models } from '../../model/model.ts';
import type { Store } from '../../store/store.ts';
import type { CommandContext } from '../context.ts';
import { checkAccounts } from './accounts.ts';
import { checkTools } from './tools.ts';
import { checkCliAgents } from './command-line-agents.ts';
import { type Check, fail, fine, warn } from './check.ts';
import { checkLogin } from './login.ts';
import { checkMemory } from './memory.ts';
import { checkRecognizers } from './privacy.ts';

/** Timeout of the test request to a model. */
const ASK_MS = 60_000;

interface Options {
  readonly store: Store | undefined;
  /** Set where several processes share the store. */
  readonly shared: ClusterReport | undefined;
  readonly isAsking: boolean;
}

/** Checks the config, its accounts and its APIs. `isAsking` asks each model for one tool call, which may cost money. */
export async function checkConfig(context: CommandContext, options: Options): Promise<Check[]> {
  const { configDir } = context;
  if (!existsSync(configDir) && options.shared?.decision !== undefined)
    return [fine('config', 'no config folder here; the config of the database is used')];
  if (!existsSync(configDir))
    return [
      fail(
        'config',
        `there is no config folder ${configDir}`,
        'change to the folder that contains config/, or use --config',
      ),
    ];
  let config: ConfigService;
  try {
    config = await inspectConfig(context, options.store);
  } catch (error) {
    return [fail('config', errorBody(error).message, 'run callsheet validate')];
  }
  try {
    return await checkLoaded(config, context, options);
  } finally {
    await config.close();
  }
}

async function checkLoaded(config: ConfigService, context: CommandContext, options: Options): Promise<Check[]> {
  const snapshot = config.current();
  const models = await inspectModels(context, options.store);
  try {
    return [
      checkProblems(config, options.shared),
      ...(await checkAccounts(context, snapshot, options)),
      ...(await checkApis(snapshot, models, options.isAsking)),
      ...(await checkCliAgents(context, snapshot)),
      ...(await checkTools(context, snapshot, options.store)),
      checkMemory(snapshot),
      ...(await checkLogin(context, snapshot)),
      ...(await checkRecognizers(snapshot)),
    ];
  } finally {
    await models.close();
  }
}

function checkProblems(config: ConfigService, shared: ClusterReport | undefined): Check {
  const problems = config.problems();
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const waiting = problems.find(({ secretHost }) => secretHost !== undefined);
  if (waiting !== undefined) return fail('config', `${waiting.file}: ${waiting.message}`, waiting.hint ?? '');
  const hint = 'run callsheet validate for the list';
  const warnings = counted(problems.length - errors, 'warning');
  if (errors > 0) return fail('config', `${counted(errors, 'error')}, ${warnings}`, hint);
  if (problems.length > 0) return warn('config', warnings, hint);
  const { revision } = config.current();
  const text = `valid, revision ${revision.slice(0, 12)}`;
  if (shared?.decision === undefined || shared.decision.revision === revision) return fine('config', text);
  return warn(
    'config',
    `${text}; the running revision is ${shared.decision.revision.slice(0, 12)}, published by ${shared.decision.by}`,
    'edit the files there, or check out the same commit here',
  );
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

async function checkApis(snapshot: Snapshot, models: Models, isAsking: boolean): Promise<Check[]> {
  const apis = [...snapshot.apis.values()].filter(({ provider }) => provider !== 'cli');
  return Promise.all(apis.map((api) => checkApi(api, snapshot, models, isAsking)));
}

async function checkApi(api: Api, snapshot: Snapshot, models: Models, isAsking: boolean): Promise<Check> {
  const { apis } = snapshot;
  const check = `api ${api.id}`;
  if (api.provider === 'scripted') return fine(check, 'scripted, no AI: always available');
  const availability = await models.open(api).available({});
  if (!availability.ok) {
    const fallback = await chooseApi({ api, apis, models }).catch(() => undefined);
    const { why } = availability;
    const hint = 'set its key, start its server, or configure a fallback';
    if (fallback === undefined) return (isNamed(api.id, snapshot) ? fail : warn)(check, why, hint);
    return warn(check, `${why}; "${fallback.api.id}" is used instead`, 'set its key or start its server');
  }
  return isAsking ? askForCall(check, api, models) : checkKey(check, api, snapshot, models);
}

/** Tries the key of an API, which costs nothing. */
async function checkKey(check: string, api: Api, snapshot: Snapshot, models: Models): Promise<Check> {
  const result = (await models.open(api).checkKey?.({})) ?? { state: 'none' };
  switch (result.state) {
    case 'accepted':
      return fine(check, 'its key is accepted; --ask also tests a tool call');
    case 'none':
      return fine(check, 'its server answers; --ask also tests a tool call');
    case 'untried':
      return fine(check, 'its key is set, but its server cannot list models to try it; --ask tests it');
    case 'refused': {
      const hint = `set ${'apiKey' in api ? api.apiKey : 'its key'} to a valid key; check for spaces and for the wrong provider`;
      return (isNamed(api.id, snapshot) ? fail : warn)(check, result.why, hint);
    }
    case 'unknown':
      return warn(check, `its key could not be tried: ${result.why}`, 'check the network and baseUrl, and try again');
    default:
      return result satisfies never;
  }
}

/** Whether a director or agent names this API. An API that is only a fallback may be unavailable. */
function isNamed(id: string, { directors, agents }: Snapshot): boolean {
  return [...directors.values(), ...agents.values()].some(({ apiConfigId }) => apiConfigId === id);
}

const TOOL = {
  type: 'function' as const,
  function: {
    name: 'note_word',
    description: 'Notes one word.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  },
};

async function askForCall(check: string, api: Api, models: Models): Promise<Check> {
  try {
    const { message } = await models.open(api).ask({
      messages: [{ role: 'user', content: 'Call the tool note_word with the word "ready". Write nothing else.' }],
      tools: [TOOL],
      role: 'director',
      actorId: 'doctor',
      turn: 1,
      signal: AbortSignal.timeout(ASK_MS),
    });
    const isCalled = message.tool_calls?.some((call) => call.function.name === TOOL.function.name) === true;
    if (isCalled) return fine(check, 'answers, and calls tools');
    return fail(check, 'answers with text instead of a tool call', 'choose a model that supports tool calls');
  } catch (error) {
    const { code, message, hint = 'try again with callsheet run' } = errorBody(error);
    const name = error instanceof EngineError ? ` (${code})` : '';
    return fail(check, `no answer: ${message}${name}`, hint);
  }
}
