/**
 * Numbers of the advisory locks in the database. To avoid collisions with other programs, each number is the first six
 * bytes of the SHA-256 of `callsheet opening`, `callsheet presence` or `callsheet keys`.
 */

/** Held during each transaction that changes the schema or the keyring, or that re-encrypts a batch of rows. */
export const OPENING_LOCK = 217_285_729_199_384;
/**
 * Held in shared mode by every open store, and during each of its commits. Held exclusively by a change of the whole
 * store.
 */
export const PRESENCE_LOCK = 266_385_023_721_256;
/** Held during a whole change of keys or a move, so that only one process does it. */
export const KEYS_LOCK = 179_615_210_538_479;
