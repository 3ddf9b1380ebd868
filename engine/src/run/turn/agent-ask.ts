import type { Ask } from '../../../machines/session.ts';
import { withOutputNote } from '../../config/prompt/output-note.ts';
import { keepOutput } from '../output/keep-output.ts';
import { outputOf } from '../step/actor.ts';
import { envelopeOf } from '../../config/prompt/envelope.ts';
import { isoTime } from '../../base/clock.ts';
import { EngineError, type ErrorBody } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { Message } from '../../model/model.ts';
import type { Arguments } from '../../tool/arguments.ts';
import { agentOf, settleCall } from '../step/tool-result.ts';
import { statusOf } from '../step/run-status.ts';
import { readCall } from '../ledger.ts';
import type { MachineFacts, Machine } from '../step/machine.ts';
import { agentPrompt } from '../step/thread-prompt.ts';
import type { Step } from '../step/step.ts';
import { taintOf, taintThread } from '../step/taint.ts';
import { endThread, insertThread, readThread, threadOf } from '../thread.ts';
import { limitsOf } from '../step/run-limits.ts';

/**
 * Sends a director's message to a session of an agent and returns the session's id. Without a `sessionId` it is the run's
 * active session of that agent, created if there is none. `SESSION_NOT_FOUND`, `SESSION_EXPIRED`, `SESSION_COMPLETED`
 * (seed 000, 3.2.8).
 */
export async function openAsk(
  step: Step,
  caller: Machine,
  agentId: string,
  args: Arguments,
  call: string,
): Promise<string> {
  const wanted = args['sessionId'];
  const sessionId =
    typeof wanted === 'string' && wanted !== ''
      ? await checkSession(step, agentId, wanted)
      : ((await activeSession(step, agentId)) ?? (await createSession(step, caller, agentId)));
  step.later(sessionId, { type: 'ASK', caller: caller.id, call });
  return sessionId;
}

async function checkSession(step: Step, agentId: string, id: string): Promise<string> {
  const thread = await readThread(step.draft, id);
  const isOfRun = thread?.runId === step.runState.record.run.id && thread.role === undefined;
  if (thread === undefined || !isOfRun || thread.agentId !== agentId)
    throw new EngineError('SESSION_NOT_FOUND', `this run has no session "${id}" of ${agentId}`, {
      hint: 'leave sessionId out',
    });
  if (thread.status === 'expired')
    throw new EngineError('SESSION_EXPIRED', `session "${id}" has expired`, {
      hint: 'leave sessionId out to open a new one',
    });
  if (thread.status !== 'ongoing')
    throw new EngineError('SESSION_COMPLETED', `session "${id}" is over`, {
      hint: 'leave sessionId out to open a new one',
    });
  return id;
}

async function activeSession(step: Step, agentId: string): Promise<string | undefined> {
  return (await sessions(step)).get(agentId);
}

/** The run's open sessions by agent. */
async function sessions(step: Step): Promise<Map<string, string>> {
  if (step.runState.sessions === undefined) {
    const rows = await step.draft.list('thread', { where: [['run', '=', step.runState.record.run.id]] });
    const open = rows
      .map(threadOf)
      .filter(({ kind, status, role }) => kind === 'agent' && status === 'ongoing' && role === undefined);
    step.runState.sessions = new Map(open.map((thread) => [thread.agentId ?? '', thread.id]));
  }
  return step.runState.sessions;
}

async function createSession(step: Step, caller: Machine, agentId: string): Promise<string> {
  const { runState, now } = step;
  const agent = runState.config.agents.get(agentId);
  if (agent === undefined) throw new EngineError('TOOL_UNKNOWN', `there is no agent "${agentId}"`);
  const id = step.deps.ids.next('th');
  const idleMs = runState.config.settings.sessionTimeoutMinutes * 60_000;
  const { runId, workspaceId, revision, directorId, mailId, origin, threadId } = caller.facts;
  await step.draft.add(
    insertThread({
      id,
      kind: 'agent',
      runId,
      workspaceId,
      directorId,
      agentId,
      ...(mailId !== '' && { emailId: mailId }),
      parentThreadId: threadId,
      status: 'ongoing',
      finalized: false,
      createdAt: isoTime(now),
      taint: null,
      idleMs,
    }),
  );
  runState.openTranscript(id);
  (await sessions(step)).set(agentId, id);
  const apiId = agent.apiConfigId === undefined ? caller.facts.apiId : (caller.facts.agentApis?.[agentId] ?? '');
  const facts: MachineFacts = {
    runId,
    threadId: id,
    workspaceId,
    revision,
    directorId,
    agentId,
    mailId,
    apiId,
    origin: { ...origin, agent: { id: agentId, name: agent.name } },
  };
  await step.start('session', { id, facts }, { idleMs });
  return id;
}

/** Id of the machine for a session's n-th ask. */
export function askId(session: Machine, number: number): string {
  return `${session.id}.${number}`;
}

/** The number of an ask, from the id of its machine. */
export function askNumber({ id }: Machine): number {
  return Number(id.slice(id.lastIndexOf('.') + 1));
}

/** Starts an ask: adds the message to the thread and starts a run machine. */
export async function startAsk(step: Step, session: Machine, ask: Ask, number: number): Promise<void> {
  const row = await readCall(step.draft, ask.caller, ask.call);
  const args = row?.arguments ?? {};
  const input = await askText(step, session, ask, number, String(args['input'] ?? ''));
  const before = (await step.runState.transcript(session.facts.threadId)).length;
  const schema = outputOf(step.runState, session.facts);
  const first =
    before === 0
      ? withOutputNote(await agentPrompt(step, session.facts, input), schema)
      : [{ role: 'user' as const, content: input }];
  const facts: MachineFacts = {
    ...session.facts,
    caller: { machine: ask.caller, call: ask.call },
    from: before + first.length,
    ...(args['options'] !== undefined && { options: args['options'] as NonNullable<MachineFacts['options']> }),
  };
  const id = askId(session, number);
  await step.start('run', { id, facts }, undefined);
  const actor = step.actors.resolve(step.runState, facts);
  for (const message of first) await step.append(facts.threadId, message);
  step.entry({
    ...agentOf(actor),
    phase: 'agent',
    detail: { action: 'agent_start', request: args, sessionId: session.id },
  });
  const failure = { code: 'MODEL_NONE_AVAILABLE', message: `no model can be reached for agent ${facts.agentId}` };
  if (facts.apiId === '') step.later(id, { type: 'START_FAILED', at: step.now, failure });
  else step.later(id, { type: 'START', at: step.now, limits: await limitsOf(step, facts) });
}

/** What the agent reads: where the director has read text from outside, the ask is as untrusted, and stands in an envelope. */
async function askText(step: Step, session: Machine, ask: Ask, number: number, input: string): Promise<string> {
  const caller = await step.machine(ask.caller);
  const taint = caller && (await taintOf(step, caller.facts.threadId));
  if (taint === undefined) return input;
  const { threadId } = session.facts;
  await taintThread(step, threadId, `the question of its director, which has read ${taint.cause}`);
  return envelopeOf(input, 'ASK', step.deps.store.lookupKey(`ask\0${threadId}\0${number}`));
}

/** Ends an ask: its outcome answers the waiting call, and the session takes the next ask. */
export async function finishAsk(step: Step, machine: Machine): Promise<void> {
  const { facts } = machine;
  const { status, failure: error } = statusOf(machine);
  const messages = (await step.runState.transcript(facts.threadId)).slice(facts.from);
  const last = messages.findLast((message) => message.role === 'assistant');
  const text = last?.content ?? '';
  const actor = step.actors.resolve(step.runState, facts);
  step.entry({
    ...agentOf(actor),
    phase: 'agent',
    detail: { action: 'agent_output', status, sessionId: facts.threadId },
    result: text,
    ...(error !== undefined && { error }),
  });
  if (facts.caller === undefined || status === 'cancelled') return;
  const done = status === 'completed';
  const kept = done ? await keepOutput(step, machine, text) : undefined;
  const output = kept === undefined ? text : kept.value;
  const value = {
    sessionId: facts.threadId,
    output,
    toolCalls: callsOf(messages),
    done,
    ...(error !== undefined && { error }),
  };
  await settleCall(step, facts.caller.machine, facts.caller.call, { value, failure: error }, done ? 'done' : 'failed');
  step.later(facts.threadId, { type: 'ASK_DONE' });
}

/** A tool call of an ask or a role, as its caller gets to know of it. */
export interface MadeCall {
  readonly name: string;
  readonly args: unknown;
  readonly success: boolean;
  readonly error?: string;
  /** What the agent did that the call asked; only on the call of an agent. */
  readonly byAgent?: readonly MadeCall[];
}

/** The tool calls of an ask or a role, for the result that its caller gets. */
export function callsOf(messages: readonly Message[]): MadeCall[] {
  const answers = new Map<string, string>();
  const calls: MadeCall[] = [];
  // Providers reuse ids from turn to turn: the answer of a call is the next one after it.
  for (const message of messages.toReversed()) {
    if (message.role === 'tool') answers.set(message.tool_call_id, message.content);
    if (message.role !== 'assistant') continue;
    for (const { id, function: called } of (message.tool_calls ?? []).toReversed()) {
      const content = answers.get(id);
      const error = content === undefined ? 'not answered' : errorIn(content)?.message;
      const byAgent = content === undefined ? [] : agentCalls(content);
      calls.unshift({
        name: called.name,
        args: parsed(called.arguments),
        success: error === undefined,
        ...(error !== undefined && { error }),
        ...(byAgent.length > 0 && { byAgent }),
      });
    }
  }
  return calls;
}

/** The error that the result of a call reports, that of a failed ask of an agent included; undefined for any other result. */
export function errorIn(content: string): ErrorBody | undefined {
  const value = content.startsWith('{"error":') ? parsed(content) : askResult(content);
  const error = isRecord(value) ? value['error'] : undefined;
  if (!isRecord(error) || typeof error['message'] !== 'string') return undefined;
  return { code: String(error['code']), message: error['message'] };
}

/** What the agent did, in the result of a call that asked it. */
function agentCalls(content: string): MadeCall[] {
  const calls = askResult(content)?.['toolCalls'];
  return Array.isArray(calls) ? calls.filter(isMadeCall) : [];
}

function isMadeCall(value: unknown): value is MadeCall {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['success'] === 'boolean';
}

/** The result of an ask, also where a person had edited the question; undefined for any other result. */
function askResult(content: string): Readonly<Record<string, unknown>> | undefined {
  const value = content.startsWith('{"sessionId":') || content.startsWith('{"result":') ? parsed(content) : undefined;
  const result = isRecord(value) && 'argumentsChangedTo' in value ? value['result'] : value;
  return isRecord(result) && 'sessionId' in result && 'toolCalls' in result ? result : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Answers asks that will not run any more. */
export async function refuseAsks(step: Step, asks: readonly Ask[]): Promise<void> {
  const error = { code: 'SESSION_COMPLETED', message: 'the session is over' };
  for (const ask of asks) await settleCall(step, ask.caller, ask.call, { error }, 'failed');
}

/** Ends the thread of a session that has expired or is completed. Threads of agents are never finalized. */
export async function finishSession(step: Step, session: Machine, status: 'expired' | 'completed'): Promise<void> {
  const thread = await readThread(step.draft, session.id);
  if (thread === undefined) return;
  await step.draft.add(endThread(thread, status, step.now));
  (await sessions(step)).delete(session.facts.agentId);
  const actor = step.actors.resolve(step.runState, session.facts);
  step.entry({ ...agentOf(actor), phase: 'agent', detail: { action: `session_${status}`, sessionId: session.id } });
}

/** Closes every session of the run. */
export async function closeSessions(step: Step): Promise<void> {
  for (const id of [...(await sessions(step)).values()]) await step.send(id, { type: 'CLOSE' });
}
