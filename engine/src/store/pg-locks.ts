/**
 * Advisory locks, by number within the database. Ones that nobody else chooses: the first six bytes of
 * SHA-256 of `callsheet opening` and `callsheet presence`.
 */

/** Held for a moment by whoever changes the schema or the keys. */
export const OPENING_LOCK = 217_285_729_199_384;
/** Held shared by every open store, and alone by whoever may not have others at work beside it. */
export const PRESENCE_LOCK = 266_385_023_721_256;
