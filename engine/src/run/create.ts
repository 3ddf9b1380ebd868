import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Director, Snapshot } from '../config/config.ts';
import type { Change } from '../store/store.ts';
import type { Origin } from '../workspace/item.ts';
import { PRIORITY, wake } from './lease.ts';
import { machineChange, MACHINES, startMachine } from './machine.ts';
import type { Parts } from './parts.ts';
import { insertRun, type Run, type Trigger } from './run.ts';
import { insertThread } from './thread.ts';

/** What a run must know of its mail. */
export interface TriggerMail {
  readonly id: string;
  readonly accountId: string;
  readonly subject: string;
  /** Bare address. */
  readonly from: string;
  /** ISO 8601, or `''`. */
  readonly date: string;
}

export interface RunRequest {
  readonly config: Snapshot;
  readonly directorId: string;
  readonly trigger: Trigger;
  readonly mail?: TriggerMail;
  readonly filterId?: string;
  readonly startedBy: string;
  readonly fetchCycleId?: string;
  /** Workspace of an earlier run of this director on this mail. */
  readonly workspaceId?: string;
}

/**
 * A new run, queued, as changes: with its thread, its machine, and the revision that it is pinned to. `NOT_FOUND` where
 * there is no such director.
 */
export async function createRun(parts: Parts, request: RunRequest): Promise<{ run: Run; changes: Change[] }> {
  const { config, trigger, mail } = request;
  const director = config.directors.get(request.directorId);
  if (director === undefined)
    throw new EngineError('NOT_FOUND', `there is no director "${request.directorId}"`, {
      hint: `directors: ${[...config.directors.keys()].join(', ') || 'none'}`,
    });
  const now = parts.clock.now();
  const id = parts.ids.next('run');
  const dirThreadId = parts.ids.next('th');
  const workspaceId = request.workspaceId ?? id;
  const origin = originOf(director, mail);
  const time = isoTime(now);
  const gitCommit = parts.config.gitCommit();
  const run: Run = {
    id,
    mode: 'orchestrate',
    status: 'queued',
    startedBy: request.startedBy,
    trigger,
    ...(mail !== undefined && { emailId: mail.id }),
    directorId: director.id,
    directorName: director.name,
    workspaceId,
    dirThreadId,
    fetchCycleId: request.fetchCycleId ?? '',
    ...(request.filterId !== undefined && { filterId: request.filterId }),
    revision: config.revision,
    documents: documentsOf(config, director, request),
    ...(gitCommit !== undefined && { gitCommit }),
    machine: { id: MACHINES.run.id, version: MACHINES.run.version ?? '' },
    apis: [],
    scripted: false,
    usage: { turns: 0, inputTokens: 0, outputTokens: 0, cost: null },
    summary: '',
    createdAt: time,
    updatedAt: time,
  };
  const facts = {
    runId: id,
    threadId: dirThreadId,
    workspaceId,
    revision: config.revision,
    directorId: director.id,
    agentId: '',
    mailId: mail?.id ?? '',
    origin,
    apiId: '',
  };
  const { machine } = startMachine({ id, kind: 'run', root: id, facts }, undefined);
  const thread = insertThread({
    id: dirThreadId,
    kind: 'director',
    runId: id,
    workspaceId,
    directorId: director.id,
    ...(mail !== undefined && { emailId: mail.id }),
    status: 'ongoing',
    finalized: false,
    createdAt: time,
  });
  const revision = await parts.config.keep(config.revision, now);
  const look = wake(id, 0, trigger.kind === 'mail' ? PRIORITY.mail : PRIORITY.person);
  return { run, changes: [...revision, insertRun({ run, origin }), thread, machineChange(machine), look] };
}

/** What items and entries of the run say about where they come from. */
function originOf(director: Director, mail: TriggerMail | undefined): Origin {
  return {
    ...(mail !== undefined && { email: { id: mail.id, subject: mail.subject, from: mail.from, date: mail.date } }),
    director: { id: director.id, name: director.name },
  };
}

/** The documents that the run may use, with their hashes. */
function documentsOf(config: Snapshot, director: Director, { filterId, mail }: RunRequest): Record<string, string> {
  const agents = director.agents.flatMap((id) => config.agents.get(id) ?? []);
  const apis = [director.apiConfigId, ...agents.flatMap((agent) => agent.apiConfigId ?? [])];
  const fallbacks = apis.flatMap((id) => config.apis.get(id)?.fallback ?? []);
  const prompts = [director.prompt, ...agents.map((agent) => agent.prompt)].flatMap((prompt) =>
    prompt !== undefined && 'use' in prompt ? [prompt.use] : [],
  );
  const names = [
    'settings',
    `directors/${director.id}`,
    ...agents.map(({ id }) => `agents/${id}`),
    ...[...apis, ...fallbacks].map((id) => `apis/${id}`),
    ...prompts.map((id) => `prompts/${id}`),
    ...(filterId === undefined ? [] : [`filters/${filterId}`]),
    ...(mail === undefined ? [] : [`accounts/${mail.accountId}`]),
  ];
  const hashes = names.flatMap((name) => {
    const hash = config.documents.get(name);
    return hash === undefined ? [] : [[name, hash] as const];
  });
  return Object.fromEntries(hashes);
}
