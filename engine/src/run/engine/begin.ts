import { EngineError, errorBody } from '../../base/error.ts';
import type { Api, Snapshot } from '../../config/config.ts';
import type { Mail } from '../../mail/mail.ts';
import { mailOf, readContent, readMailRow } from '../../mail/mail-store.ts';
import { chooseApiOf, chooseApis, shownApis } from '../lifecycle/choose-apis.ts';
import { limitsOf } from '../step/run-limits.ts';
import type { Machine } from '../step/machine.ts';
import { withOutputNote } from '../../config/prompt/output-note.ts';
import { outputOf } from '../step/actor.ts';
import { usesVariable } from '../../config/prompt/render-prompt.ts';
import { privacyOf } from '../../guard/placeholder/policy.ts';
import { readPeople } from '../../mail/participants.ts';
import { hiddenText } from '../turn/find-private.ts';
import { mailQuery, NOTHING_RECALLED, type Recalled, recalledText } from '../step/recalled-memories.ts';
import type { Dependencies } from '../dependencies.ts';
import { directorPrompt, type MailTrigger, readMailTrigger } from '../step/thread-prompt.ts';
import type { ToolLists } from '../../tool/run-tools.ts';
import type { StepWork } from './step-runner.ts';
import { withParticipant } from '../participant.ts';
import { recordOf, type Run } from '../run.ts';
import { findSessionAgent } from '../session/session-agent.ts';
import { openInConversation } from '../conversation/take-over.ts';
import { openMessage } from '../session/message-run.ts';
import type { Step } from '../step/step.ts';
import { RECALLED, taintThread } from '../step/taint.ts';

/** What the first step of a run needs, prepared before the step: a step never waits for the network. */
interface Preparation {
  readonly api: Api;
  /** Id of the api of each agent that names its own; `''` where none was available. */
  readonly agents: Readonly<Record<string, string>>;
  readonly apis: readonly Api[];
  readonly trigger: MailTrigger | undefined;
  /** What the prompt of the director recalls. */
  readonly memories: Recalled;
  /** The tools of MCP servers that the run keeps. */
  readonly toolLists: ToolLists;
}

/**
 * Prepares the first step of a queued run: the apis are chosen here; the step renders the prompt and starts the
 * machine. `STORE_FAILED` where the store cannot be read now. With any other error the returned step fails the run.
 */
export async function begin(deps: Dependencies, runId: string): Promise<StepWork> {
  let preparation: Preparation | Error;
  try {
    preparation = await prepare(deps, runId);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'STORE_FAILED') throw error;
    preparation = error instanceof Error ? error : new Error(String(error));
  }
  return async (step) => {
    const machine = await step.machine(runId);
    if (machine === undefined || !machine.snapshot.matches('queued')) return;
    if (preparation instanceof Error) await fail(step, runId, preparation);
    else await start(step, runId, preparation);
  };
}

async function prepare(deps: Dependencies, runId: string): Promise<Preparation> {
  const row = await deps.store.get('run', { id: runId });
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no run "${runId}"`);
  const { run } = recordOf(row);
  const config = withParticipant(await deps.config.revision(run.revision), run);
  const { agentId } = run;
  const prepared = await (agentId === undefined
    ? prepareDirector(deps, config, run)
    : prepareAgent(deps, config, agentId, run));
  return { ...prepared, toolLists: await deps.tools.pin(config, toolNamesOf(config, run)) };
}

/** The tools and families that the actors of a run name. */
function toolNamesOf({ directors, agents }: Snapshot, { directorId, agentId }: Run): readonly string[] {
  if (agentId !== undefined) return agents.get(agentId)?.tools ?? [];
  const director = directors.get(directorId);
  const own = director?.agents.flatMap((id) => agents.get(id)?.tools ?? []) ?? [];
  return [...(director?.tools ?? []), ...own];
}

async function prepareDirector(
  deps: Dependencies,
  config: Snapshot,
  run: Run,
): Promise<Omit<Preparation, 'toolLists'>> {
  const director = config.directors.get(run.directorId);
  if (director === undefined) throw new EngineError('INTERNAL', `the run's config has no director "${run.directorId}"`);
  const { api, agents, apis } = await chooseApis(deps, config, director, run.id);
  const mail = await loadMail(deps, run.emailId);
  const trigger = mail && (await readMailTrigger(deps.store, mail, config, director));
  const query = mail === undefined ? (run.trigger.message ?? '') : mailQuery(mail);
  const embedAs = await hiddenQuery(deps, config, run, query);
  const isPlanned = run.mode === 'plan';
  const request = { config, director, query, runId: run.id, embedAs, isPlanned };
  const memories = await recalledText(deps.memory, deps.store, request);
  return { api, agents, apis, trigger, memories };
}

/** The query without private values; undefined where the director has no `privacy`, or they could not be found. */
async function hiddenQuery(
  { store, recogniser }: Dependencies,
  config: Snapshot,
  run: Run,
  query: string,
): Promise<string | undefined> {
  const policy = privacyOf(config, run);
  const isAsked =
    run.mode === 'plan' || usesVariable(config.directors.get(run.directorId)?.prompt, config.prompts, 'memories');
  if (policy === undefined || !isAsked) return undefined;
  return hiddenText(recogniser, query, policy, await readPeople(store, run.emailId));
}

/** Prepares the run of an agent that works for a person. A local api that writes the summary of a chat has only local fallbacks. */
async function prepareAgent(
  deps: Dependencies,
  config: Snapshot,
  agentId: string,
  { trigger }: Run,
): Promise<Omit<Preparation, 'toolLists'>> {
  const { agent, apiConfigId, locality } = findSessionAgent(config, agentId);
  const isLocal = trigger.isSummary === true && config.apis.get(apiConfigId)?.locality === 'local';
  const api = await chooseApiOf(deps, config, apiConfigId, isLocal ? 'local' : locality, agent);
  return { api, agents: {}, apis: [api], trigger: undefined, memories: NOTHING_RECALLED };
}

async function loadMail(deps: Dependencies, id: string | undefined): Promise<Mail | undefined> {
  if (id === undefined) return undefined;
  const row = await readMailRow(deps.store, id);
  if (row === undefined) throw new EngineError('NOT_FOUND', 'the mail was deleted before the run began');
  return { ...mailOf(row).summary, ...(await readContent(deps.store, id)) };
}

async function start(step: Step, runId: string, preparation: Preparation): Promise<void> {
  const { api, agents, apis, trigger, memories, toolLists } = preparation;
  const machine = await step.machine(runId);
  if (machine === undefined) return;
  machine.facts = { ...machine.facts, apiId: api.id, agentApis: agents };
  machine.isChanged = true;
  const { facts } = machine;
  step.runState.sessions = new Map();
  step.runState.toolLists = toolLists;
  (await step.runState.privacy())?.learn(step.draft, memories.memories);
  step.runState.recalled = memories.text;
  if (facts.agentId === '') await openThread(step, machine, { trigger, memories });
  else await openMessage(step, machine);
  step.patchRun({
    ...shownApis(apis),
    ...(Object.keys(toolLists).length > 0 && { toolLists }),
  });
  await step.send(runId, { type: 'START', at: step.now, limits: await limitsOf(step, facts) });
}

/** Opens the director's thread with its prompt and its trigger. */
async function openThread(
  step: Step,
  machine: Machine,
  opening: Pick<Preparation, 'trigger' | 'memories'>,
): Promise<void> {
  const { facts } = machine;
  step.runState.openTranscript(facts.threadId);
  const messages = withOutputNote(await directorPrompt(step, facts, opening), outputOf(step.runState, facts));
  await openInConversation(step, machine, messages);
  if (opening.memories.isUntrusted) await taintThread(step, facts.threadId, RECALLED);
  if (step.runState.record.run.attachments !== undefined)
    await taintThread(step, facts.threadId, 'the files that are attached to its message');
  step.entry({
    phase: 'director',
    detail: { action: 'director_start', apiId: facts.apiId, trigger: step.runState.record.run.trigger.kind },
  });
}

async function fail(step: Step, runId: string, cause: Error): Promise<void> {
  const { code, ...body } = errorBody(cause);
  const message = step.deps.redactor.text(body.message);
  const phase = step.runState.record.run.agentId === undefined ? 'director' : 'agent';
  step.entry({ phase, detail: { action: `${phase}_start` }, error: { code, message } });
  await step.send(runId, { type: 'START_FAILED', at: step.now, failure: { code, message } });
}
