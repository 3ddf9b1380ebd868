import { isoTime } from '../../base/clock.ts';
import type { ErrorBody } from '../../base/error.ts';
import { withOutputNote } from '../../config/prompt/output-note.ts';
import type { RenderedMessage } from '../../config/prompt/transcript.ts';
import type { JsonSchema, Message } from '../../model/model.ts';
import { MAX_CORRECTIONS } from '../output/nudge.ts';
import { outputValue } from '../output/keep-output.ts';
import { outputOf } from '../step/actor.ts';
import type { MachineFacts, Machine } from '../step/machine.ts';
import { limitsOf } from '../step/run-limits.ts';
import { statusOf } from '../step/run-status.ts';
import type { Step } from '../step/step.ts';
import { RECALLED, taintOf, taintThread } from '../step/taint.ts';
import { agentPrompt, directorPrompt } from '../step/thread-prompt.ts';
import { recalledText } from '../step/recalled-memories.ts';
import { agentOf } from '../step/tool-result.ts';
import { endThread, insertThread, readThread } from '../thread.ts';
import { callsOf, type MadeCall } from '../turn/agent-ask.ts';

/** The action that gives a mode the end of a role. */
export const ROLE_DONE = 'roleDone';

/** One piece of work of a run: a role, such as the planner, on some data. */
export interface RoleWork {
  /** Name of the role, such as `planner`; a word without `/`. */
  readonly name: string;
  /** Tells the pieces of work of one role apart within the run. */
  readonly number: number;
  /** The agent that does the work. Missing: the director itself. */
  readonly agentId?: string;
  /** What the role has to do; only for a role without an agent, since the prompt of an agent says that. */
  readonly system: string;
  /** What it works on, as a user message. Text that strangers wrote stands in envelopes there (`envelopeOf`). */
  readonly data: string;
  /** The mails of the thread, in envelopes: the variable `thread` of the agent's prompt. Default: none. */
  readonly thread?: string;
  /** The cause, where `data` has words of strangers that the thread of the run has not read. */
  readonly taint?: string;
  /** `none`, the names of the only tools, or all tools of who does the work. */
  readonly tools: 'none' | readonly string[] | 'own';
  /** Most model answers; corrections of structured output come on top. The budget of who does the work holds as well. */
  readonly maxTurns: number;
  /** The schema of the answer, where it must be JSON. */
  readonly output?: JsonSchema;
  /** True where the person gets its text as the answer of the run: they read it while it arrives, in the thread of the run. */
  readonly isAnswer?: boolean;
  /** True where it summarises the conversation: its requests cost no turn, and it does not read the prompt of the director. */
  readonly isSummary?: boolean;
}

/** The end of a role. */
export interface RoleResult {
  readonly name: string;
  readonly number: number;
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Text of the last answer, with real values; `''` where there was none. */
  readonly text: string;
  /** The answer as a value, valid by the schema; only where the work or its agent has one, and it is completed. */
  readonly output?: unknown;
  readonly failure?: ErrorBody;
  readonly toolCalls: readonly MadeCall[];
}

/** Id of the machine of a role. */
export function roleId(root: Pick<Machine, 'id'>, { name, number }: Pick<RoleWork, 'name' | 'number'>): string {
  return `${root.id}/${name}/${number}`;
}

/**
 * Starts a role: a machine with the tool loop, in a thread of its own, under the budget and the time limit of the root. Its messages
 * are the director's system messages, the prompt of its agent (or `system`), and the data. When it ends, the mode of the root gets
 * `roleDone`; while it waits for a person or a limit the root gets CALL_PARKED and CALL_RESUMED for the call
 * `role/<name>/<number>`. It ends with its root, and goes on after a restart.
 */
export async function startRole(step: Step, root: Machine, work: RoleWork): Promise<void> {
  const { name, number } = work;
  const threadId = await openThread(step, root, work);
  const facts = factsOf(step, root, work, threadId);
  const messages = await promptOf(step, facts, work);
  const id = roleId(root, work);
  changeRoles(root, (open) => [...open, id]);
  await step.start('run', { id, facts: { ...facts, from: messages.length } }, undefined);
  for (const message of messages) await step.append(threadId, message);
  step.entry({ phase: 'director', detail: { action: 'role_start', role: name, number, sessionId: threadId } });
  if (facts.apiId === '') {
    const failure = { code: 'MODEL_NONE_AVAILABLE', message: `no model can be reached for agent ${facts.agentId}` };
    return step.later(id, { type: 'START_FAILED', at: step.now, failure });
  }
  const limits = await limitsOf(step, facts);
  const corrections = outputOf(step.runState, facts) === undefined ? 0 : MAX_CORRECTIONS;
  step.later(id, {
    type: 'START',
    at: step.now,
    limits: { ...limits, maxTurns: Math.min(limits.maxTurns, work.maxTurns + corrections) },
  });
}

async function openThread(step: Step, root: Machine, { name, agentId, taint }: RoleWork): Promise<string> {
  const { runId, workspaceId, directorId, mailId, threadId: parentThreadId } = root.facts;
  const id = step.deps.ids.next('th');
  await step.draft.add(
    insertThread({
      ...{ id, runId, workspaceId, directorId, parentThreadId, role: name },
      kind: agentId === undefined ? 'director' : 'agent',
      ...(agentId !== undefined && { agentId }),
      ...(mailId !== '' && { emailId: mailId }),
      ...{ status: 'ongoing', finalized: false, createdAt: isoTime(step.now), taint: null },
    }),
  );
  step.runState.openTranscript(id);
  const known = await taintOf(step, parentThreadId);
  const cause = known === undefined ? taint : `the thread of its run, which has read ${known.cause}`;
  if (cause !== undefined) await taintThread(step, id, cause);
  return id;
}

function factsOf(
  { runState }: Step,
  { id, facts: root }: Machine,
  { name, number, agentId = '', tools, output, isAnswer = false, isSummary = false }: RoleWork,
  threadId: string,
): MachineFacts {
  const { runId, workspaceId, revision, directorId, mailId, origin, apiId, agentApis } = root;
  const agent = runState.config.agents.get(agentId);
  return {
    ...{ runId, threadId, workspaceId, revision, directorId, agentId, mailId },
    origin: { ...origin, ...(agent !== undefined && { agent: { id: agent.id, name: agent.name } }) },
    apiId: agent?.apiConfigId === undefined ? apiId : (agentApis?.[agentId] ?? ''),
    role: { name, number },
    caller: { machine: id, call: `role/${name}/${number}` },
    ...(agent === undefined && agentApis !== undefined && { agentApis }),
    ...(tools !== 'own' && { options: { toolFilter: tools === 'none' ? [] : tools } }),
    ...(output !== undefined && { output }),
    ...(isAnswer && { isAnswer }),
    ...(isSummary && { isSummary }),
  };
}

async function promptOf(step: Step, facts: MachineFacts, work: RoleWork): Promise<Message[]> {
  const { system, data, thread } = work;
  const { config } = step.runState;
  if (work.isSummary === true)
    return [
      { role: 'system', content: system },
      { role: 'user', content: data },
    ];
  const director = config.directors.get(facts.directorId);
  const request = { config, director, query: data, runId: facts.runId, isOffline: true };
  const memories = await recalledText(step.deps.memory, step.draft, request);
  (await step.runState.privacy())?.learn(step.draft, memories.memories);
  if (memories.isUntrusted) await taintThread(step, facts.threadId, RECALLED);
  const opening = await directorPrompt(step, facts, { trigger: undefined, memories });
  const own: RenderedMessage[] =
    facts.agentId === ''
      ? [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), { role: 'user', content: data }]
      : await agentPrompt(step, facts, data, { thread });
  const messages = [...opening.filter(({ role }) => role === 'system'), ...own];
  return withOutputNote(messages, outputOf(step.runState, facts));
}

/** Ends a role: closes its thread, taints the thread of the run where it has read words of strangers, and informs the mode of the root. */
export async function finishRole(step: Step, machine: Machine): Promise<void> {
  const { role, caller, threadId, from } = machine.facts;
  const root = caller && (await step.machine(caller.machine));
  if (role === undefined || root === undefined) return;
  const { status, failure } = statusOf(machine);
  const messages = (await step.runState.transcript(threadId)).slice(from);
  const text = messages.findLast((message) => message.role === 'assistant')?.content ?? '';
  const isDone = status === 'completed';
  const thread = await readThread(step.draft, threadId);
  if (thread !== undefined) step.draft.append(endThread(thread, isDone ? 'completed' : 'failed', step.now));
  step.entry({
    ...agentOf(step.actors.resolve(step.runState, machine.facts)),
    phase: 'agent',
    detail: { action: 'role_end', role: role.name, number: role.number, status, sessionId: threadId },
    result: text,
    ...(failure !== undefined && { error: failure }),
  });
  changeRoles(root, (open) => open.filter((id) => id !== machine.id));
  if (root.snapshot.status !== 'active') return;
  const taint = await taintOf(step, threadId);
  if (taint !== undefined) await taintThread(step, root.facts.threadId, `the work of its ${role.name}: ${taint.cause}`);
  const output = isDone ? outputValue(step, machine, text) : undefined;
  const result: RoleResult = {
    ...role,
    status: isDone ? 'completed' : status === 'cancelled' ? 'cancelled' : 'failed',
    text,
    ...(output !== undefined && { output: output.value }),
    ...(failure !== undefined && { failure }),
    toolCalls: callsOf(messages),
  };
  await step.perform(root, { type: ROLE_DONE, params: result });
}

/** Cancels one role; its mode gets `roleDone` with the status `cancelled`. Does nothing where it does not work. */
export async function dropRole(step: Step, root: Machine, work: Pick<RoleWork, 'name' | 'number'>): Promise<void> {
  await step.send(roleId(root, work), { type: 'CANCEL', at: step.now });
}

/** Ends every role of a root that ends. */
export async function dropRoles(step: Step, root: Machine): Promise<void> {
  for (const id of root.facts.roles ?? []) await step.send(id, { type: 'CANCEL', at: step.now });
}

function changeRoles(root: Machine, change: (open: readonly string[]) => readonly string[]): void {
  root.facts = { ...root.facts, roles: change(root.facts.roles ?? []) };
  root.isChanged = true;
}
