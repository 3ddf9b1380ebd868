import { expect, test } from 'vitest';
import { summarise } from '../../../engine/src/replay/compare/summarise.ts';
import type { Compared } from '../../../engine/src/replay/difference.ts';

const tier = { total: 1, changed: 1, missed: 0, tookMs: 1 };

test('a summary counts a run once that rules and plays, and each repetition, find changed', () => {
  const about = { name: 'run_1', subject: '', directorId: 'boss' };
  const changed: readonly Compared[] = [
    { ...about, tier: 'routing', differences: [{ kind: 'budgets', text: 'used 2 turns' }] },
    { ...about, tier: 'recorded', differences: [{ kind: 'budgets', text: 'ended as LIMIT_TURNS' }] },
    ...[1, 2].map((attempt) => ({
      ...{ ...about, tier: 'live' as const, attempt },
      differences: [
        { kind: 'turns' as const, text: '2 turns, now 1' },
        { kind: 'cost' as const, text: 'cost' },
      ],
    })),
  ];
  const tiers = [
    { tier: 'routing' as const, ...tier },
    { tier: 'recorded' as const, ...tier },
  ];
  expect(summarise({ tiers, changed }, []).summary).toEqual([
    expect.stringContaining('1 of 1 mails is routed'),
    '1 run would meet another budget.',
    '1 run would take other turns or cost.',
  ]);
});
