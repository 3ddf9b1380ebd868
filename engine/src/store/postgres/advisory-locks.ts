/**
 * Advisory locks, by number within the database. Ones that nobody else chooses: the first six bytes of SHA-256 of
 * `callsheet opening`, `callsheet presence` and `callsheet keys`.
 */

/** Held for a transaction by whoever changes the schema or the keyring, or a batch of rows to another key. */
export const OPENING_LOCK = 217_285_729_199_384;
/** Held shared by every open store and for each of its commits, and alone by a change that suffers no others beside it. */
export const PRESENCE_LOCK = 266_385_023_721_256;
/** Held for as long as a change of keys takes, so that no two processes are at it. */
export const KEYS_LOCK = 179_615_210_538_479;
