import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { listApprovals } from '../../guard/approval.ts';
import type { PlayedPerson, PlayOptions } from '../../replay/replay.ts';
import { recordOf, type Run } from '../../run/run.ts';
import type { OpenPlay } from './open-play.ts';

interface Options extends Abortable {
  readonly person: PlayedPerson;
  readonly approvals: NonNullable<PlayOptions['approvals']>;
}

/** How runs end. */
const OVER: readonly Run['status'][] = ['completed', 'failed', 'cancelled'];
/** Who decides in a play. */
const BY = 'replay';
/** Turns of the event loop without work after which the engine counts as quiet. */
const QUIET_TURNS = 4;
/** Quiet turns after which the loop sleeps a little between two looks: another thread works. */
const PATIENT_TURNS = 50;
/** Turns without work after which a play counts as stuck: nothing can happen in it any more. */
const MAX_TURNS = 60_000;

/**
 * Lets time pass until every run is over, or waits for what a play does not have, such as a reply. The person decides as in the
 * recording; calls that did not ask then are decided as `approvals` says. `INTERNAL` where nothing happens any more. Abort rejects.
 */
export async function driveRuns(
  open: OpenPlay,
  runIds: readonly string[],
  { person, approvals, signal }: Options,
): Promise<void> {
  const { app, clock, deck } = open;
  const decisions = [...person.decisions];
  const answers = [...person.answers];
  /** Approvals on which nobody decides. */
  const undecided = new Set<string>();
  let quiet = 0;
  for (;;) {
    signal?.throwIfAborted();
    await (quiet > PATIENT_TURNS ? pause(1) : nextTurn());
    quiet = open.wasBusy() ? 0 : quiet + 1;
    if (quiet < QUIET_TURNS) continue;
    const { effects } = app.engine.load();
    if (effects > clock.arriving + clock.hanging) {
      // An effect computes: a scripted answer, or a model that is asked for real.
      if (quiet > MAX_TURNS && !open.deck.records) throw stuck();
      continue;
    }
    if (clock.arriving > 0) {
      quiet = 0;
      clock.nextArrival();
      continue;
    }
    const runs = await readRuns(app, runIds);
    const isOver = runs.every((run) => isSettled(run));
    const hasActed = await actForPerson(runs);
    if (hasActed === 'idle' && (await endForPerson(runs))) {
      quiet = 0;
      continue;
    }
    if (hasActed === 'stopped' || (isOver && hasActed === 'idle')) return;
    if (hasActed === 'acted' || (await nextBackoff(open))) quiet = 0;
    else if (quiet > MAX_TURNS) throw stuck();
  }

  /** Ends the runs that the person ended, once nothing is left of the recording. */
  async function endForPerson(runs: readonly Run[]): Promise<boolean> {
    const open = runs.filter(({ status }) => !OVER.includes(status));
    if (person.end === undefined || open.length === 0 || !deck.isUsedUp) return false;
    for (const { id } of open)
      await (person.end === 'cancelled'
        ? app.engine.cancel(id)
        : app.engine.orderObjective(id, { type: 'FINISH', by: BY }));
    return true;
  }

  async function actForPerson(runs: readonly Run[]): Promise<'acted' | 'idle' | 'stopped'> {
    for (const run of runs) {
      if (run.waitingFor === 'answer') {
        const text = answers.shift();
        if (text === undefined) continue;
        await app.engine.message(run.id, { text, by: BY });
        return 'acted';
      }
      for (const { id, tool, kind } of await listApprovals(app.deps.store, run.id, 'pending')) {
        if (kind !== undefined || undecided.has(id)) continue;
        const at = decisions.findIndex((one) => one.tool === tool);
        const [recorded] = at < 0 ? [] : decisions.splice(at, 1);
        if (recorded === undefined && approvals === 'stop') return 'stopped';
        if (recorded?.decision === 'none') {
          undecided.add(id);
          continue;
        }
        const { tool: _tool, ...decision } = recorded ?? { tool, decision: approvals === 'deny' ? 'deny' : 'allow' };
        await app.engine
          .decide(id, { ...(decision as { decision: 'allow' | 'deny' }), by: BY })
          .catch((error: unknown) => {
            // It has lapsed: the model was told.
            if (!(error instanceof EngineError)) throw error;
          });
        return 'acted';
      }
    }
    return 'idle';
  }
}

/**
 * Goes on to the end of the next pause before another attempt; where an answer never comes, perhaps to the time limit of what waits
 * for it. False where no run pauses.
 */
async function nextBackoff({ app, clock }: OpenPlay): Promise<boolean> {
  const timers = await app.deps.store.list('timer', { order: [['due', 'asc']], bodies: false });
  const next = timers.find(({ name }) => name !== 'deadline' || clock.hanging > 0);
  if (next === undefined) return false;
  clock.advanceTo(Math.max(clock.now(), next.due));
  return true;
}

async function readRuns(app: OpenPlay['app'], ids: readonly string[]): Promise<Run[]> {
  const rows = await Promise.all(ids.map((id) => app.deps.store.get('run', { id })));
  return rows.flatMap((row) => (row === undefined ? [] : [recordOf(row).run]));
}

/** Whether a run is over, or waits for something that does not come in a play by itself. */
function isSettled({ status, waitingFor }: Run): boolean {
  if (OVER.includes(status)) return true;
  return status === 'waiting' && waitingFor !== undefined && waitingFor !== 'limit';
}

function stuck(): EngineError {
  return new EngineError('INTERNAL', 'the play of this recording does not go on', {
    hint: 'report it with the config and the recording',
  });
}
