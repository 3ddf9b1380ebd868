import { beforeAll, describe, expect, test } from 'vitest';
import type { PrivateKind, PrivateSpan } from '../../../engine/src/guard/privacy/private-span.ts';
import { findPrivate } from '../../../engine/src/guard/privacy/recognise.ts';
import { corpora } from '../../available.ts';
import { countSpans, type LabelledText, readLabelled, type SpanCount, sumCounts } from './labelled-spans.ts';

describe.skipIf(corpora === undefined)('the texts of corpora/pii (left out without CORPORA_DIR)', () => {
  let texts: { readonly labelled: LabelledText; readonly reported: readonly PrivateSpan[] }[] = [];
  beforeAll(async () => {
    texts = await Promise.all(
      readLabelled(corpora ?? '').map(async (labelled) => ({
        labelled,
        reported: await findPrivate(labelled.text, { known: [], isUserWords: false }),
      })),
    );
  });

  const recall = ({ found, labelled }: SpanCount) => found / labelled;
  const precision = ({ right, reported }: SpanCount) => right / reported;

  test.each<PrivateKind>(['phone', 'email', 'iban', 'card'])('%s: recall 0.98 and precision 0.90 or more', (kind) => {
    const count = countSpans(kind, texts);
    expect(count.labelled).toBeGreaterThan(5);
    expect(recall(count)).toBeGreaterThanOrEqual(0.98);
    expect(precision(count)).toBeGreaterThanOrEqual(0.9);
  });

  test('the structured kinds together: recall 0.98 and precision 0.90 or more', () => {
    const count = sumCounts((['phone', 'email', 'iban', 'card'] as const).map((kind) => countSpans(kind, texts)));
    expect(recall(count)).toBeGreaterThanOrEqual(0.98);
    expect(precision(count)).toBeGreaterThanOrEqual(0.9);
  });

  test('persons: recall 0.85 and precision 0.85 or more', () => {
    const count = countSpans('person', texts);
    expect(count.labelled).toBeGreaterThan(20);
    expect(recall(count)).toBeGreaterThanOrEqual(0.85);
    expect(precision(count)).toBeGreaterThanOrEqual(0.85);
  });
});
