import type { Abortable } from '../../base/abort.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import { mailOf, readContent, readMailRow } from '../../mail/mail-store.ts';
import { recordOf, type Run } from '../../run/run.ts';
import { compareRules } from '../compare/compare-rules.ts';
import { compareRuns } from '../compare/compare-runs.ts';
import { compareRoutes } from '../compare/replay-all.ts';
import type { Compared, Difference } from '../difference.ts';
import { recordMail, recordRun, type RecordingSource } from '../read/recording.ts';
import type { PlayedRun, Recording, Scratch } from '../replay.ts';
import type { ShadowResult } from './shadow.ts';

/** What the trial of a mail found. */
export type Trial = Pick<ShadowResult, 'runIds' | 'played' | 'missed' | 'changed' | 'leftOut'>;

interface TrialOptions extends Abortable {
  readonly source: RecordingSource;
  /** The running config: its filters stand for those of a mail that started no run. */
  readonly current: Snapshot;
}

/** A run to play: what it did, and what the rules alone say about it. */
interface RunToPlay {
  readonly recording: Recording;
  readonly expected: PlayedRun;
  readonly rules: readonly Difference[];
}

/**
 * Tries a stored mail under another config, and compares what would happen with what happened: its way, what the rules say about each
 * recorded call, and each run. A request that is not recorded is sent to the model. A director that did not get the mail works on it
 * for the first time; one that no longer gets it does not work. `NOT_FOUND` where there is no such mail; errors as of `Scratch.play`.
 */
export async function tryMail(
  scratch: Scratch,
  mailId: string,
  { source, current, signal }: TrialOptions,
): Promise<Trial> {
  const row = await readMailRow(source.store, mailId);
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no mail "${mailId}"`);
  const { summary } = mailOf(row);
  const runs = await listRuns(source, mailId);
  const runIds = runs.map(({ id }) => id);
  const mail = { summary, content: await readContent(source.store, mailId) };
  const then = runs[0] === undefined ? current : await source.revision(runs[0].revision);
  const [was, now] = [await scratch.route(mail, then), await scratch.route(mail)];
  const compared = (rest: Omit<Compared, 'subject'>): Compared[] =>
    rest.differences.length === 0 ? [] : [{ ...rest, subject: summary.subject }];
  const changed = compared({ tier: 'routing', name: mailId, differences: compareRoutes(was, now) });
  const [before, after] = [was, now].map(({ directors }) => directors.map(({ directorId }) => directorId));
  const kept = runs.filter(({ directorId }) => after?.includes(directorId) || !before?.includes(directorId));
  const added = (after ?? []).filter(
    (id) => !runs.some(({ directorId }) => directorId === id) && !before?.includes(id),
  );
  let missed = 0;
  try {
    const toPlay = [
      ...(await Promise.all(kept.map((run) => realRun(scratch, source, run)))),
      ...(await Promise.all(added.map((id) => newRun(source, mailId, id)))),
    ];
    for (const { recording, expected, rules } of toPlay) {
      const about = { name: recording.name, directorId: expected.directorId };
      changed.push(...compared({ tier: 'routing', ...about, differences: rules }));
      const { outcome } = await scratch.play(recording, { mode: 'new_episodes', signal });
      if (outcome.misses.length > 0) missed++;
      const [run] = outcome.runs;
      const all = run === undefined ? [] : await compareRuns(expected, run, outcome.misses);
      const differences = all.filter(({ text }) => !rules.some((rule) => rule.text === text));
      changed.push(...compared({ tier: 'live', ...about, differences }));
    }
    return { runIds, played: toPlay.length, missed, changed };
  } catch (error) {
    return { runIds, played: 0, missed: 0, changed: [], leftOut: errorBody(error).message };
  }
}

/** The runs that the mail started, without those that repeat another one. */
async function listRuns({ store }: RecordingSource, mailId: string): Promise<Run[]> {
  const rows = await store.list('run', { where: [['mail', '=', mailId]], order: [['id', 'asc']] });
  const runs = rows.map((row) => recordOf(row).run);
  return runs.filter(({ trigger, retryOf }) => trigger.kind === 'mail' && retryOf === undefined);
}

async function realRun(scratch: Scratch, source: RecordingSource, run: Run): Promise<RunToPlay> {
  const recording = await recordRun(source, run.id);
  const [expected] = recording.expected?.runs ?? [];
  if (expected === undefined) throw new EngineError('INTERNAL', `the recording of run "${run.id}" has no outcome`);
  const config = await source.revision(run.revision);
  const rules = await compareRules(expected, { config, tools: source.toolsOf(config) }, scratch);
  return { recording, expected, rules };
}

/** The first run of a director on a mail: it is compared to one that did nothing. */
async function newRun(source: RecordingSource, mailId: string, directorId: string): Promise<RunToPlay> {
  const nothing = { turns: 0, ownTurns: 0, inputTokens: 0, outputTokens: 0, cost: 0, durationMs: 0 };
  return {
    recording: await recordMail(source, mailId, directorId),
    expected: { directorId, status: 'completed', answer: '', calls: [], items: [], ...nothing },
    rules: [],
  };
}
