import type { Json } from '../base/json.ts';

/** Ids as `base/id.ts` generates them. */
const ID = /\b([a-z]{2,8})_[0-9a-hjkmnp-tv-z]{22}\b/g;
/** The same in a shape: the kind of the id and its number. */
const NUMBERED = /\b([a-z]{2,8})_#(\d+)#/g;
/** Marks of envelopes: which one stands around a text says nothing about the text. */
const MARK = /(?<![A-Z])([A-Z]{3,8})-[0-9a-f]{12}\b/g;
/** Times as `isoTime` formats them. */
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** A value in which each id that the engine generated has a number instead, and the ids by their number. */
export interface Shape<T> {
  readonly value: T;
  readonly ids: readonly string[];
}

/**
 * Replaces ids by their numbers, in the order in which they appear first, and makes the marks of envelopes equal, so that two runs
 * which differ in nothing else have equal shapes.
 */
export function shapeOf<T>(value: T): Shape<T> {
  const known: string[] = [];
  const text = JSON.stringify(value)
    .replace(ID, (id, kind: string) => {
      const found = known.indexOf(id);
      return `${kind}_#${found >= 0 ? found + 1 : known.push(id)}#`;
    })
    .replace(MARK, '$1-#');
  return { value: JSON.parse(text) as T, ids: known };
}

/**
 * Replaces those ids that have a number, and makes the marks of envelopes equal. An id that an answer or a result brings in stays as
 * it is: whoever sees it again has to see the same.
 */
export function numbered<T>(value: T, ids: readonly string[]): T {
  const text = JSON.stringify(value)
    .replace(ID, (id, kind: string) => (ids.includes(id) ? `${kind}_#${ids.indexOf(id) + 1}#` : id))
    .replace(MARK, '$1-#');
  return JSON.parse(text) as T;
}

/** A copy of a value of a shape with real ids. A number without an id stays. */
export function fillShape<T>(value: T, ids: readonly string[]): T {
  const text = JSON.stringify(value).replace(
    NUMBERED,
    (whole, _kind, number: string) => ids[Number(number) - 1] ?? whole,
  );
  return JSON.parse(text) as T;
}

/** A shape in which times that the engine wrote are equal, too. Only for comparison. */
export function timeless(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replace(TIME, '<time>')) as Json;
}
