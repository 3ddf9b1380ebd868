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
import { type Check, fail, fine, warn } from './check.ts';

/** A model that does not answer a question of one line by then is as good as away. */
const ASK_MS = 60_000;

interface Options {
  readonly store: Store | undefined;
  /** Set where several processes share the store. */
  readonly shared: ClusterReport | undefined;
  readonly isAsking: boolean;
}

/** The config, its accounts and its apis. With `isAsking` each model is asked for one tool call, which may cost money. */
export async function checkConfig(context: CommandContext, options: Options): Promise<Check[]> {
  const { configDir } = context;
  if (!existsSync(configDir) && options.shared?.decision !== undefined)
    return [fine('config', 'no config folder here; what runs comes from the database')];
  if (!existsSync(configDir))
    return [
      fail('config', `there is no config folder ${configDir}`, 'go to the folder that holds config/, or use --config'),
    ];
  let config: ConfigService;
  try {
    config = await inspectConfig(context);
  } catch (error) {
    return [fail('config', errorBody(error).message, 'callsheet validate names each problem')];
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
    ];
  } finally {
    await models.close();
  }
}

function checkProblems(config: ConfigService, shared: ClusterReport | undefined): Check {
  const problems = config.problems();
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const hint = 'callsheet validate names each of them';
  const warnings = counted(problems.length - errors, 'warning');
  if (errors > 0) return fail('config', `${counted(errors, 'error')}, ${warnings}`, hint);
  if (problems.length > 0) return warn('config', warnings, hint);
  const { revision } = config.current();
  const text = `valid, revision ${revision.slice(0, 12)}`;
  if (shared?.decision === undefined || shared.decision.revision === revision) return fine('config', text);
  return warn(
    'config',
    `${text}; what runs is revision ${shared.decision.revision.slice(0, 12)}, decided by ${shared.decision.by}`,
    'change the files there, or bring this folder to the same commit',
  );
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

async function checkApis(snapshot: Snapshot, models: Models, isAsking: boolean): Promise<Check[]> {
  const checks: Check[] = [];
  for (const api of snapshot.apis.values()) checks.push(await checkApi(api, snapshot, models, isAsking));
  return checks;
}

async function checkApi(api: Api, snapshot: Snapshot, models: Models, isAsking: boolean): Promise<Check> {
  const { apis } = snapshot;
  const check = `api ${api.id}`;
  if (api.provider === 'scripted') return fine(check, 'scripted, no AI: it always answers');
  const availability = await models.open(api).available({});
  if (!availability.ok) {
    const stands = await chooseApi({ api, apis, models }).catch(() => undefined);
    const { why } = availability;
    const hint = 'set its key, start its server, or give it a fallback';
    if (stands === undefined) return (isNamed(api.id, snapshot) ? fail : warn)(check, why, hint);
    return warn(check, `${why}; "${stands.api.id}" stands in for it`, 'set its key or start its server');
  }
  if (!isAsking) return fine(check, 'it can be used; --ask also tries a tool call');
  return askForCall(check, api, models);
}

/** Whether somebody asks this api first; one that is only a fallback may be away. */
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
    if (isCalled) return fine(check, 'it answers, and calls tools');
    return fail(
      check,
      'it answers, but in words where it was asked to call a tool',
      'name a model that can call tools',
    );
  } catch (error) {
    const { code, message, hint = 'callsheet run tries it again' } = errorBody(error);
    const name = error instanceof EngineError ? ` (${code})` : '';
    return fail(check, `it does not answer: ${message}${name}`, hint);
  }
}
