import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { redactValue } from '../../base/redact.ts';
import type { Agent, Director, Snapshot } from '../../config/config.ts';
import { fallbackOf } from '../../config/parse/fallback.ts';
import { declaredIdOf } from '../../config/tool-name.ts';
import type { Change } from '../../store/store.ts';
import type { Origin } from '../../workspace/item.ts';
import type { RunAttachment } from '../../file/upload/upload.ts';
import { PRIORITY, wake } from '../lease.ts';
import { type MachineFacts, machineChange, startMachine } from '../step/machine.ts';
import type { Dependencies } from '../dependencies.ts';
import { modeOf, rootModeOf } from '../machine-mode.ts';
import { insertRun, type Run, type RunRecord, threadOfRun, type Trigger } from '../run.ts';
import { insertThread } from '../thread.ts';

/** Facts of the mail that starts a run. */
export interface TriggerMail {
  readonly id: string;
  readonly accountId: string;
  readonly threadId: string;
  readonly subject: string;
  /** Address without a name. */
  readonly from: string;
  /** ISO 8601, or `''`. */
  readonly date: string;
}

/** What a new run is made from. */
export interface RunRequest {
  readonly config: Snapshot;
  readonly directorId: string;
  /** Default: the mode of the director. */
  readonly mode?: string;
  readonly trigger: Trigger;
  readonly mail?: TriggerMail;
  readonly filterId?: string;
  readonly startedBy: string;
  readonly fetchCycleId?: string;
  /** Workspace of an earlier run of this director on this mail. Default: a new workspace. */
  readonly workspaceId?: string;
  /** Why the message may have words of strangers, where it may. A mail always has. */
  readonly taint?: string;
  /** The conversation that the run begins or goes on with; the caller adds the run to it (`joinConversation`). */
  readonly conversationId?: string | undefined;
  /** Files of the message; the caller attaches them (`attachUploads`). */
  readonly attachments?: readonly RunAttachment[] | undefined;
  /** For a run that repeats a failed one. */
  readonly retry?: Pick<Run, 'retryOf' | 'doneBefore'>;
}

/**
 * A new queued run as changes, with its thread, its machine, and the revision that it is pinned to. `NOT_FOUND` where
 * there is no such director.
 */
export async function createRun(deps: Dependencies, request: RunRequest): Promise<{ run: Run; changes: Change[] }> {
  const { config, trigger, mail } = request;
  const director = directorOf(config, request.directorId);
  const id = deps.ids.next('run');
  const dirThreadId = deps.ids.next('th');
  const workspaceId = request.workspaceId ?? id;
  const origin = originOf(director, mail);
  const run = newRun(deps, config, {
    id,
    mode: request.mode ?? director.mode,
    startedBy: request.startedBy,
    trigger,
    ...(mail !== undefined && { emailId: mail.id }),
    directorId: director.id,
    directorName: director.name,
    workspaceId,
    dirThreadId,
    fetchCycleId: request.fetchCycleId ?? '',
    ...(request.filterId !== undefined && { filterId: request.filterId }),
    ...request.retry,
    ...(request.conversationId !== undefined && { conversationId: request.conversationId }),
    ...(request.attachments !== undefined &&
      request.attachments.length > 0 && { attachments: redactValue(deps.redactor, request.attachments) }),
    documents: documentsOf(config, director, request),
  });
  const cause = request.taint ?? (request.startedBy === 'mcp' ? 'a message that a program wrote' : undefined);
  const thread = insertThread({
    id: dirThreadId,
    kind: 'director',
    runId: id,
    workspaceId,
    directorId: director.id,
    ...(mail !== undefined && { emailId: mail.id }),
    status: 'ongoing',
    finalized: false,
    createdAt: isoTime(deps.clock.now()),
    taint: cause === undefined ? null : { cause, at: isoTime(deps.clock.now()) },
  });
  const made = { run, director, now: deps.clock.now(), ...(mail !== undefined && { thread: mail }) };
  const own = await rootModeOf(deps.modes, run.mode).newRows?.(deps.store, made);
  return { run, changes: [thread, ...(own ?? []), ...(await queueRun(deps, { run, origin }))] };
}

/** The director of an id. `NOT_FOUND`. */
export function directorOf({ directors }: Snapshot, id: string): Director {
  const director = directors.get(id);
  if (director !== undefined) return director;
  throw new EngineError('NOT_FOUND', `there is no director "${id}"`, {
    hint: `directors: ${[...directors.keys()].join(', ') || 'none'}`,
  });
}

/** Fields of a new run that follow from the config, the time and the engine. */
type Common =
  | 'status'
  | 'revision'
  | 'gitCommit'
  | 'machine'
  | 'apis'
  | 'scripted'
  | 'usage'
  | 'summary'
  | 'createdAt'
  | 'updatedAt';

/** A queued run with the current time and the given fields. */
export function newRun(deps: Dependencies, config: Snapshot, own: Omit<Run, Common>): Run {
  const time = isoTime(deps.clock.now());
  const gitCommit = deps.config.gitCommit();
  const { machine } = rootModeOf(deps.modes, own.mode);
  return {
    ...own,
    trigger: redactValue(deps.redactor, own.trigger),
    status: 'queued',
    revision: config.revision,
    ...(gitCommit !== undefined && { gitCommit }),
    machine: { id: machine.id, version: machine.version ?? '' },
    apis: [],
    scripted: false,
    usage: { turns: 0, inputTokens: 0, outputTokens: 0, cost: null },
    summary: '',
    createdAt: time,
    updatedAt: time,
  };
}

/**
 * The changes that store a queued run: the run, its machine, the revision that it is pinned to, and the job that starts
 * it.
 */
export async function queueRun(deps: Dependencies, record: RunRecord): Promise<Change[]> {
  const { run, origin, before } = record;
  const facts: MachineFacts = {
    runId: run.id,
    threadId: threadOfRun(run),
    workspaceId: run.workspaceId,
    revision: run.revision,
    directorId: run.directorId,
    agentId: run.agentId ?? '',
    mailId: run.emailId ?? '',
    origin,
    apiId: '',
    ...(before !== undefined && { from: before.messages }),
  };
  const mode = modeOf(deps.modes, run.machine.id);
  const { machine } = startMachine({ id: run.id, mode, root: run.id, facts }, undefined);
  const revision = await deps.config.keep(run.revision, deps.clock.now());
  const job = wake(
    run.id,
    0,
    run.trigger.kind === 'message' || run.trigger.kind === 'chat' ? PRIORITY.person : PRIORITY.mail,
  );
  return [...revision, ...insertRun(record), machineChange(machine), job];
}

/** The origin that items and entries of the run carry. */
function originOf(director: Director, mail: TriggerMail | undefined): Origin {
  return {
    ...(mail !== undefined && { email: { id: mail.id, subject: mail.subject, from: mail.from, date: mail.date } }),
    director: { id: director.id, name: director.name },
  };
}

/** Hashes of the documents that the run may use, by folder and id. */
export function documentsOf(
  config: Snapshot,
  director: Director,
  { filterId, mail }: Pick<RunRequest, 'filterId' | 'mail'>,
): Record<string, string> {
  const agents = director.agents.flatMap((id) => config.agents.get(id) ?? []);
  const apis = [director.apiConfigId, ...agents.flatMap((agent) => agent.apiConfigId ?? [])];
  return {
    ...actorHashes(config, [director, ...agents], apis),
    ...hashesOf(config, [
      `directors/${director.id}`,
      ...agents.map(({ id }) => `agents/${id}`),
      ...(filterId === undefined ? [] : [`filters/${filterId}`]),
      ...(mail === undefined ? [] : [`accounts/${mail.accountId}`]),
    ]),
  };
}

/** Hashes of the documents that decide how actors answer: settings, apis with their fallbacks, prompts. */
export function actorHashes(
  config: Snapshot,
  actors: readonly (Director | Agent)[],
  apis: readonly string[],
): Record<string, string> {
  const named = apis.flatMap((id) => config.apis.get(id) ?? []);
  const fallbacks = named.flatMap((api) => fallbackOf(api).to);
  const prompts = actors.flatMap(({ prompt }) => (prompt !== undefined && 'use' in prompt ? [prompt.use] : []));
  return hashesOf(config, [
    'settings',
    ...[...apis, ...fallbacks].map((id) => `apis/${id}`),
    ...prompts.map((id) => `prompts/${id}`),
    ...actors.flatMap(({ tools }) => tools.map((name) => `tools/${declaredIdOf(name)}`)),
  ]);
}

/** Content hashes of the named documents; documents that the config does not have are left out. */
export function hashesOf(config: Snapshot, names: readonly string[]): Record<string, string> {
  const hashes = names.flatMap((name) => {
    const hash = config.documents.get(name);
    return hash === undefined ? [] : [[name, hash] as const];
  });
  return Object.fromEntries(hashes);
}
