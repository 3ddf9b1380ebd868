import { describe, expect, test } from 'vitest';
import { fillShape, numbered, shapeOf, timeless } from '../../engine/src/replay/shape.ts';

const A = 'item_0000000000000000000000';
const B = 'run_1111111111111111111111';
const C = 'item_2222222222222222222222';

describe('a shape', () => {
  test('numbers ids in the order in which they appear first', () => {
    expect(shapeOf({ id: A, of: B, again: A })).toEqual({
      value: { id: 'item_#1#', of: 'run_#2#', again: 'item_#1#' },
      ids: [A, B],
    });
  });

  test('is filled with the ids of another run', () => {
    const { value, ids } = shapeOf([A, B]);
    expect(fillShape(value, ids)).toEqual([A, B]);
    expect(fillShape(value, [C, B])).toEqual([C, B]);
  });

  test('leaves an id that an answer brings in as it is', () => {
    expect(numbered([A, C], [C])).toEqual([A, 'item_#1#']);
  });

  test('leaves other text as it is, and a number without an id', () => {
    const text = 'item_7, RFC-2119, 2026-11-21';
    expect(shapeOf(text)).toEqual({ value: text, ids: [] });
    expect(fillShape('item_#9#', [A])).toBe('item_#9#');
  });

  test('makes marks of envelopes equal, and times for a comparison', () => {
    const text = '<<MAIL-0123456789ab\nx\nMAIL-0123456789ab>> 2026-11-21T10:00:00.000Z';
    expect(timeless(shapeOf(text).value)).toBe('<<MAIL-#\nx\nMAIL-#>> <time>');
  });
});
