import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { timeOfId } from '../../base/id.ts';
import type { Snapshot } from '../../config/config.ts';
import type { ApprovalStatus } from '../../guard/approval.ts';
import { readEarlierMails } from '../../mail/earlier-mails.ts';
import { type StoredMail, mailOf, readContent, readMailRow, readRaw } from '../../mail/mail-store.ts';
import type { Objective } from '../../run/objective/objective.ts';
import { readObjective } from '../../run/objective/objective-rows.ts';
import type { Run } from '../../run/run.ts';
import { readThread } from '../../run/thread.ts';
import type { Store } from '../../store/store.ts';
import type { Tool } from '../../tool/tool.ts';
import { emptyCassette } from '../cassette.ts';
import { readCassette, type StoredRun } from './read-cassette.ts';
import { readOutcome, readRun, type ReadRun } from './read-outcome.ts';
import { readApprovals } from './recorded-calls.ts';
import type { Outcome, PlayedPerson, PlayedWorld, Recording, Route, Stimulus } from '../replay.ts';

/** Where recordings are read from. */
export interface RecordingSource {
  readonly store: Store;
  /** The snapshot of a revision. `NOT_FOUND`. */
  readonly revision: (id: string) => Promise<Snapshot>;
  /** The tools of a config by name; `lists`: those of MCP servers that a run keeps. */
  readonly toolsOf: (config: Snapshot | undefined, lists?: Run['toolLists']) => ReadonlyMap<string, Tool>;
}

/**
 * The recording of one run. `NOT_FOUND` where there is none; `CONFLICT` for a run that cannot be played, such as one that goes on
 * with a conversation: the message says why.
 */
export async function recordRun(source: RecordingSource, runId: string): Promise<Recording> {
  const read = await readRun(source.store, runId);
  if (read === undefined)
    throw new EngineError('NOT_FOUND', `there is no run "${runId}"`, { hint: 'callsheet runs list' });
  const why = await whyNot(source, read.run);
  if (why !== undefined) throw new EngineError('CONFLICT', `run "${runId}" cannot be played again: ${why}`);
  return recordingOf(source, read);
}

/** A recording without answers: a stored mail on which a director has not worked. `NOT_FOUND` where there is no such mail. */
export async function recordMail({ store }: RecordingSource, mailId: string, directorId: string): Promise<Recording> {
  const row = await readMailRow(store, mailId);
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no mail "${mailId}"`);
  const createdAt = isoTime(timeOfId(mailId));
  return {
    name: mailId,
    stimulus: { kind: 'mail', mail: await playedMail(store, mailOf(row)), directorId },
    cassette: emptyCassette(createdAt),
    world: await worldOf(store, { createdAt, emailId: mailId }),
    person: { decisions: [], answers: [] },
  };
}

/** Where a stored mail went when it arrived. */
export function routeOf({ routing }: StoredMail, runs: readonly Pick<ReadRun, 'run'>[] = []): Route {
  const filterOf = (directorId: string) => runs.find(({ run }) => run.directorId === directorId)?.run.filterId ?? '';
  return { directors: routing.directors.map((directorId) => ({ directorId, filterId: filterOf(directorId) })) };
}

async function recordingOf(source: RecordingSource, read: ReadRun): Promise<Recording> {
  const { store } = source;
  const { run } = read;
  const config = await source.revision(run.revision).catch(() => undefined);
  const stored: StoredRun = { ...read, config };
  const row = run.emailId === undefined ? undefined : await readMailRow(store, run.emailId);
  const route = row === undefined || run.trigger.kind !== 'mail' ? undefined : routeOf(mailOf(row), [read]);
  const expected: Outcome = {
    ...(route !== undefined && { route }),
    runs: [await readOutcome(store, read, source.toolsOf(config))],
    misses: [],
  };
  return {
    name: run.id,
    stimulus: await stimulusOf(source, run),
    cassette: await readCassette(store, [stored]),
    world: await worldOf(store, run),
    person: await personOf(store, run),
    expected,
  };
}

/** Why a run cannot be played again; undefined where it can. */
async function whyNot({ store }: RecordingSource, run: Run): Promise<string | undefined> {
  if (run.trigger.kind === 'chat') return 'it was a turn in a group chat';
  if (run.retryOf !== undefined) return `it repeats run ${run.retryOf}`;
  if ((run.attachments ?? []).length > 0) return 'it works on files that a person attached';
  if (run.sessionId !== undefined) {
    const opened = (await readThread(store, run.sessionId))?.opened;
    return opened?.runs[0] === run.id ? undefined : 'it continues a session, whose earlier messages are another run';
  }
  const objective = await readObjective(store, run.id);
  if (objective !== undefined) return whyNotObjective(store, run, objective);
  const thread = await readThread(store, run.dirThreadId);
  return (thread?.earlier?.count ?? 0) > 0
    ? 'it goes on with a conversation, whose earlier messages are another run'
    : undefined;
}

/** Why an objective cannot be played again: it took in what a play does not have. */
async function whyNotObjective(store: Store, run: Run, objective: Objective): Promise<string | undefined> {
  const { history, readMails = [], userQuery } = objective;
  const answers = (await readApprovals(store, run.id)).filter(({ answer }) => answer !== undefined).length;
  const wakes = history.filter(({ kind }) => kind === 'wake').length;
  if (wakes > answers || history.some(({ kind }) => kind === 'order'))
    return 'the objective was woken or paused by more than answers of a person, such as a reply, a date or a draft';
  for (const id of readMails)
    if ((await readMailRow(store, id)) === undefined)
      return 'the objective read mails in a mailbox that were never fetched';
  return run.trigger.kind === 'mail' && userQuery !== '' && answers === 0
    ? 'what the objective wants stands in a mail that was sent'
    : undefined;
}

/** How a person ended a run or an objective; undefined where it ended by itself, or is not over. */
function endOf(run: Run, objective: Objective | undefined): PlayedPerson['end'] {
  if (run.status === 'cancelled') return 'cancelled';
  const isFinished = objective?.outcome === 'reached' && objective.action?.action !== 'finish';
  return isFinished ? 'finished' : undefined;
}

async function stimulusOf({ store }: RecordingSource, run: Run): Promise<Stimulus> {
  const message = run.trigger.message ?? '';
  if (run.agentId !== undefined && run.directorId === '') return { kind: 'agent', agentId: run.agentId, message };
  const row = run.emailId === undefined ? undefined : await readMailRow(store, run.emailId);
  if (row === undefined) return { kind: 'message', directorId: run.directorId, message };
  return { kind: 'mail', mail: await playedMail(store, mailOf(row)), directorId: run.directorId };
}

async function playedMail(store: Store, { summary }: StoredMail) {
  const row = await store.get('mail', { id: summary.id });
  const { id, accountId, receivedAt, labels, threadId } = summary;
  // A Message-ID names a thread by the headers.
  const named = threadId.startsWith('<') ? {} : { threadId };
  return { ...{ id, accountId, receivedAt, labels, ...named }, raw: await readRaw(store, row?.identity ?? '') };
}

async function worldOf(
  store: Store,
  run: Pick<Run, 'createdAt' | 'emailId' | 'toolLists'> & { readonly id?: string },
): Promise<PlayedWorld> {
  const began = Date.parse(run.createdAt);
  const memories = await store.list('memory', { where: [['at', '<=', began]], order: [['id', 'asc']] });
  const hashes = Object.values(run.toolLists ?? {});
  const lists = hashes.length === 0 ? [] : await store.list('toolList', { where: [['hash', 'in', hashes]] });
  const row = run.emailId === undefined ? undefined : await readMailRow(store, run.emailId);
  const earlier = row === undefined ? [] : (await readEarlierMails(store, mailOf(row).summary)).mails;
  const { readMails = [] } = (run.id === undefined ? undefined : await readObjective(store, run.id)) ?? {};
  const ids = new Set([...earlier.map(({ id }) => id), ...readMails]);
  const mails = await Promise.all(
    [...ids].map(async (id) => {
      if (id === run.emailId) return [];
      const found = await readMailRow(store, id);
      return found === undefined ? [] : [{ summary: mailOf(found).summary, content: await readContent(store, id) }];
    }),
  );
  return {
    mails: mails.flat(),
    memories: memories.filter(({ deleted }) => deleted === 0 || deleted > began).map((one) => ({ ...one, deleted: 0 })),
    toolLists: lists,
  };
}

const DECISIONS: Partial<Record<ApprovalStatus, 'allow' | 'deny'>> = { allowed: 'allow', denied: 'deny' };

async function personOf(store: Store, run: Run): Promise<PlayedPerson> {
  const approvals = await readApprovals(store, run.id);
  const decided = approvals.filter(({ kind }) => kind === undefined);
  const decisions = await Promise.all(
    decided.map(async ({ tool, status, decisionReason: reason, machine, call, arguments: args }) => {
      const row = await store.get('ledger', { machine, call });
      const isEdited = row !== undefined && (JSON.parse(row.body) as { edited?: boolean }).edited === true;
      return {
        tool,
        decision: DECISIONS[status] ?? ('none' as const),
        ...(isEdited && { arguments: args }),
        ...(reason !== undefined && { reason }),
      };
    }),
  );
  const end = endOf(run, await readObjective(store, run.id));
  return { decisions, answers: approvals.flatMap(({ answer }) => answer ?? []), ...(end !== undefined && { end }) };
}
