import type { Compared, DifferenceKind, ReplayReport } from '../difference.ts';

/** Most warnings that are named. */
const MAX_WARNINGS = 50;

/** The sentences of a report: what changed, most important first, and what is permitted that was not before. */
export function summarise(
  { tiers, changed, isInterrupted = false }: Pick<ReplayReport, 'tiers' | 'changed' | 'isInterrupted'>,
  looser: readonly string[],
): Pick<ReplayReport, 'summary' | 'warnings'> {
  const all = changed.flatMap(({ differences }) => differences);
  const permission = (end: string) =>
    all.filter(({ kind, text }) => kind === 'permissions' && text.endsWith(end)).length;
  // Rules and plays, and each repetition, may find a difference of the same run.
  const runs = (...kinds: readonly DifferenceKind[]) =>
    new Set(
      changed.flatMap(({ name, differences }) => (differences.some(({ kind }) => kinds.includes(kind)) ? [name] : [])),
    ).size;
  const routing = tiers.find(({ tier }) => tier === 'routing');
  const live = tiers.find(({ tier }) => tier === 'live');
  const missed = tiers.reduce((sum, tier) => sum + tier.missed, 0);
  const played = tiers.filter(({ tier }) => tier !== 'routing');
  const sentences = [
    count(
      routing?.changed ?? 0,
      `of ${routing?.total ?? 0} mails is`,
      `of ${routing?.total ?? 0} mails are`,
      'routed differently',
    ),
    count(permission('no longer asks a person'), 'call', 'calls', 'no longer ask a person'),
    count(permission('is now allowed') + permission('is no longer denied'), 'call', 'calls', 'would now be allowed'),
    count(permission('now asks a person'), 'call', 'calls', 'would now ask a person'),
    count(permission('is now denied') + permission('is no longer offered'), 'call', 'calls', 'would now be denied'),
    count(runs('budgets'), 'run', 'runs', 'would meet another budget'),
    count(missed, 'run', 'runs', 'would ask something that is not recorded'),
    count(runs('calls'), 'run', 'runs', 'would call other tools, or with other arguments'),
    count(runs('drafts'), 'run', 'runs', 'would write other words'),
    count(runs('status'), 'run', 'runs', 'would end otherwise'),
    count(runs('turns', 'cost'), 'run', 'runs', 'would take other turns or cost'),
  ].flat();
  const tried = `${routing?.total ?? 0} mails${played.map(({ tier, total }) => `, ${total} ${tier} runs`).join('')}`;
  return {
    summary: [
      ...(isInterrupted ? ['Interrupted: what follows is of the mails and runs until then.'] : []),
      ...(sentences.length > 0 ? sentences : [`Nothing changed: ${tried}.`]),
      ...(live?.cost === undefined ? [] : [`Models cost $${live.cost.toFixed(4)}.`]),
    ],
    warnings: [...new Set([...looser, ...loosened(changed)])].slice(0, MAX_WARNINGS),
  };
}

/** Loosened calls of recorded runs, each sentence once. */
function loosened(changed: readonly Compared[]): string[] {
  const runs = new Map<string, number>();
  for (const { directorId, differences } of changed)
    for (const { text, loosens } of differences) {
      const sentence = directorId === undefined || directorId === '' ? text : `${text} (director ${directorId})`;
      if (loosens === true) runs.set(sentence, (runs.get(sentence) ?? 0) + 1);
    }
  return [...runs].map(([text, times]) => `${text}, in ${times} ${times === 1 ? 'run' : 'runs'}`);
}

function count(n: number, one: string, many: string, verb: string): string[] {
  return n === 0 ? [] : [`${n} ${n === 1 ? one : many} ${verb}.`];
}
