import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Filter } from '../../engine/src/config/documents.gen.ts';
import { createFilterPool } from '../../engine/src/filter/filter-pool.ts';
import { checkRegex } from '../../engine/src/regex/regex.ts';
import { corpora } from '../available.ts';
import { filter, subject } from './fixtures.ts';

interface Row {
  readonly id: string;
  readonly verdict: 'vulnerable' | 'safe';
  readonly pattern: string;
  readonly attack?: {
    readonly prefix: string;
    readonly pump: string;
    readonly suffix: string;
    readonly repeat: number;
  };
}

const rows: readonly Row[] =
  corpora === undefined
    ? []
    : readFileSync(join(corpora, 'redos', 'regexes.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);

/** Ten times what a match takes on a small machine; an attack that works takes minutes. */
const SOON_MS = 2500;

/** What RE2 has no words for. */
const INEXPRESSIBLE = /\(\?(?:[=!]|<[=!])|\\[1-9]/;

describe.skipIf(corpora === undefined)('measured attacks on patterns (left out without the corpora)', () => {
  const filterPool = createFilterPool();
  const ask = (filters: readonly Filter[], bodyText: string) =>
    filterPool.decide({
      revision: filters[0]?.id ?? '',
      filters,
      directors: { boss: {} },
      subject: JSON.stringify(subject({ bodyText })),
    });
  beforeAll(() => ask([filter('warm', { field: 'Body', regex: 'x' })], 'x'));
  afterAll(() => filterPool.close());

  test.each(rows.map((row) => [row.id, row] as const))(
    '%s ends soon with the loop free, or is refused with a reason',
    async (_id, row) => {
      const reason = checkRegex(row.pattern);
      if (reason !== undefined) {
        expect(row.pattern).toMatch(INEXPRESSIBLE);
        expect(reason).toMatch(/cannot be matched in linear time; (?:use|write)/);
        return;
      }
      if (row.attack === undefined) return;
      const { prefix, pump, suffix, repeat } = row.attack;
      const filters = [filter(row.id, { field: 'Body', regex: row.pattern })];
      for (const count of [repeat, Math.ceil(50_000 / pump.length)]) {
        const text = prefix + pump.repeat(count) + suffix;
        const tookMs: number[] = [];
        // A machine with other work to do may be slow once; an attack that works is slow every time.
        while ((tookMs.at(-1) ?? SOON_MS) >= SOON_MS && tookMs.length < 3) {
          const startMs = performance.now();
          const before = process.threadCpuUsage();
          await ask(filters, text);
          tookMs.push(performance.now() - startMs);
          const used = process.threadCpuUsage(before);
          expect((used.user + used.system) / 1000).toBeLessThan(SOON_MS / 5);
        }
        expect(tookMs.at(-1)).toBeLessThan(SOON_MS);
      }
    },
  );
});
