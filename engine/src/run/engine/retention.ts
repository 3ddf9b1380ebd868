import { setImmediate } from 'node:timers/promises';
import { errorBody } from '../../base/error.ts';
import { firstId } from '../../base/id.ts';
import { deleteOutgoing } from '../../mail/send/outgoing-store.ts';
import type { Claims } from '../../cluster/claims.ts';
import type { Change, Condition, Reader, Row, Store } from '../../store/store.ts';
import { deleteRun } from '../lifecycle/delete.ts';
import { forgetRates } from '../../budget/local-meters.ts';
import { deleteOldUploads } from '../../file/upload/upload-store.ts';
import { emptyConversations } from '../conversation.ts';
import type { Dependencies } from '../dependencies.ts';
import { recordOf } from '../run.ts';
import { deleteOldTasks } from '../task-row.ts';
import { deleteOldRounds } from '../session/old-rounds.ts';
import { deleteEmptySessions } from '../session/empty-sessions.ts';
import { deleteOldNotifications } from '../../notification/notification-rows.ts';
import { deleteOldReminders } from '../../agenda/reminders.ts';
import { deleteDoneTodos } from '../../agenda/local/stored-todos.ts';
import { deleteToolLists } from '../../tool/mcp/tool-list-store.ts';
import { deleteOldMemories } from '../../memory/old-memories.ts';
import { deleteSpend } from '../../budget/spend.ts';
import { readableRows } from '../../store/readable-rows.ts';

const DAY_MS = 86_400_000;
/** Time from the start to the first sweep, and between sweeps, in milliseconds. */
const FIRST_MS = 60_000;
const EVERY_MS = 6 * 3_600_000;
/** Rows read or deleted at a time: few enough to block the event loop for a few milliseconds only. */
const BATCH = 50;
/**
 * How long outgoing mails are remembered at least, in milliseconds: a person who sends an answer again under the same
 * key within this time does not send it twice.
 */
const SENDINGS_MS = 30 * DAY_MS;
const CLAIM = 'retention';
const FINISHED = ['completed', 'failed', 'cancelled'] as const;

/** The config revisions in the store, as retention uses them. */
export interface RevisionKeeper {
  /** Ids of the stored revisions. */
  list(): Promise<readonly string[]>;
  /**
   * Deletes revisions that no run refers to, with the documents that no other revision refers to; returns how many were
   * deleted.
   */
  forget(ids: readonly string[]): Promise<number>;
}

/**
 * Deletes, in small commits: finished runs older than `runs.retainDays` with everything that belongs to them, revisions
 * that no run refers to any more, model use, done to-dos, reminders, tasks that never had a run, finished rounds of chats, notifications and forgotten memories of that age, expired
 * memories, and old counts of requests. Then the file
 * shrinks. Mails and open to-dos stay. A process that is killed meanwhile leaves a
 * run with only part of its rows; the next sweep deletes the rest. With `claims`, one of the processes that share the
 * store does it for all.
 */
export class Retention {
  readonly #deps: Dependencies;
  readonly #revisions: RevisionKeeper;
  readonly #claims: Claims | undefined;
  #giveUp: (() => Promise<void>) | undefined;
  #cancel: () => void = () => {};
  #isStopped = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(deps: Dependencies, revisions: RevisionKeeper, claims?: Claims) {
    this.#deps = deps;
    this.#revisions = revisions;
    this.#claims = claims;
  }

  /** Starts to sweep: after a minute, then every six hours. */
  start(): void {
    if (this.#claims === undefined) this.#begin();
    else this.#giveUp ??= this.#claims.acquire(CLAIM, { onTaken: () => this.#begin(), onLost: () => this.#end() });
  }

  /** Stops sweeping; resolves when a running sweep has ended. */
  async stop(): Promise<void> {
    this.#end();
    await this.#work;
    await this.#giveUp?.();
    this.#giveUp = undefined;
  }

  /** Sweeps now. Returns how many runs and revisions were deleted. */
  async sweep(): Promise<{ runs: number; revisions: number }> {
    const { store, clock, config, live, log } = this.#deps;
    const before = clock.now() - config.current().settings.runs.retainDays * DAY_MS;
    let runs = 0;
    for (const status of FINISHED) {
      for await (const row of this.#rows(
        [
          ['status', '=', status],
          ['id', '<', firstId('run', before)],
        ],
        readableRows(store, () => {}),
      )) {
        const { endedAt, updatedAt } = recordOf(row).run;
        if (Date.parse(endedAt ?? updatedAt) >= before) continue;
        await deleteInBatches(store, row.id);
        live.publish('run', { id: row.id, deleted: true });
        runs++;
        if (this.#isStopped) return { runs, revisions: 0 };
      }
    }
    await deleteEmptySessions(this.#deps, before);
    for (const changes of await emptyConversations(store, before)) await store.apply(changes);
    await deleteOutgoing(store, Math.min(before, clock.now() - SENDINGS_MS));
    await deleteSpend(store, before);
    await deleteDoneTodos(store, before);
    await deleteOldReminders(store, before);
    await deleteOldTasks(store, before);
    await deleteOldRounds(store, before);
    await deleteOldNotifications(store, before);
    await deleteOldUploads(store, clock.now());
    await deleteToolLists(store, before);
    await deleteOldMemories(store, { now: clock.now(), before });
    await forgetRates(store, clock.now() - DAY_MS);
    const revisions = await this.#deleteRevisions();
    await store.shrink?.();
    if (runs + revisions > 0) log.info('old runs deleted', { runs, revisions });
    return { runs, revisions };
  }

  #begin(): void {
    this.#isStopped = false;
    this.#arm(FIRST_MS);
  }

  #end(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #arm(ms: number): void {
    this.#cancel();
    this.#cancel = this.#deps.clock.delay(() => {
      this.#work = this.sweep()
        .catch((error: unknown) => this.#deps.log.error('old runs could not be deleted', { ...errorBody(error) }))
        .finally(() => this.#isStopped || this.#arm(EVERY_MS));
    }, ms);
  }

  async #deleteRevisions(): Promise<number> {
    const unused = new Set(await this.#revisions.list());
    unused.delete(this.#deps.config.current().revision);
    if (unused.size === 0) return 0;
    for await (const row of this.#rows([])) {
      const revision = revisionOf(row);
      // It is not known which revision a run needs that cannot be read.
      if (revision === undefined) return 0;
      unused.delete(revision);
      if (unused.size === 0 || this.#isStopped) return 0;
    }
    return this.#revisions.forget([...unused]);
  }

  /** Runs in the order of their ids, oldest first, read in batches; the event loop is free in between. */
  async *#rows(where: readonly Condition<'run'>[], reader: Reader = this.#deps.store): AsyncGenerator<Row<'run'>> {
    for (let after = ''; ;) {
      const rows = await reader.list('run', {
        where: [...where, ['id', '>', after]],
        order: [['id', 'asc']],
        limit: BATCH,
      });
      yield* rows;
      after = rows.at(-1)?.id ?? after;
      if (rows.length < BATCH) return;
      await setImmediate();
    }
  }
}

/** Deletes a run in many small commits; the run's own row is in the last one. */
async function deleteInBatches(store: Store, runId: string): Promise<void> {
  const threads = await store.list('thread', { where: [['run', '=', runId]], bodies: false });
  for (const { id } of threads) {
    for (const table of ['message', 'redactedMessage', 'event'] as const) {
      const [last] = await store.list(table, {
        where: [['thread', '=', id]],
        order: [['seq', 'desc']],
        limit: 1,
        bodies: false,
      });
      await deleteRange(store, last?.seq ?? 0, (seq) => ({ op: 'delete', table, where: { thread: id, seq } }));
    }
  }
  const [last] = await store.list('entry', {
    where: [['scope', '=', runId]],
    order: [['seq', 'desc']],
    limit: 1,
    bodies: false,
  });
  await deleteRange(store, last?.seq ?? 0, (seq) => ({ op: 'delete', table: 'entry', where: { scope: runId, seq } }));
  for (const { id } of await store.list('upload', { where: [['run', '=', runId]], bodies: false })) {
    const pieces = await store.count('uploadData', [['upload', '=', id]]);
    await deleteRange(store, pieces, (n) => ({ op: 'delete', table: 'uploadData', where: { upload: id, seq: n - 1 } }));
  }
  await store.apply(await deleteRun(store, runId));
}

function revisionOf(row: Row<'run'>): string | undefined {
  try {
    return recordOf(row).run.revision;
  } catch {
    return undefined;
  }
}

async function deleteRange(store: Store, last: number, toChange: (seq: number) => Change): Promise<void> {
  for (let seq = 1; seq <= last; seq += BATCH) {
    const count = Math.min(BATCH, last - seq + 1);
    await store.apply(Array.from({ length: count }, (_, i) => toChange(seq + i)));
  }
}
