/** Participants of each chat. */
export const NAMES = ['Ann', 'Bob', 'Cleo'] as const;
/** What the person writes: first Ann and Bob speak until the limit, then Cleo once. So long that a summary is due. */
export const FIRST = `@ann and @bob, go. ${'Long words. '.repeat(4000)}`;
export const SECOND = 'And @cleo?';

/** The lines of a chat in the end: three rounds of two, then one of one. */
export const LINES: readonly string[] = [
  `Jane: ${FIRST}`,
  ...[1, 2, 3].flatMap((round) =>
    round === 2 ? ['Bob: over to @ann', 'Ann: over to @bob'] : ['Ann: over to @bob', 'Bob: over to @ann'],
  ),
  `Jane: ${SECOND}`,
  'Cleo: I am done',
];

/** What a model writes about the earlier part of a chat. */
export const SUMMARY = 'They go on and on.';

/** Numbers of messages: when the person writes again, and in the end. */
export const MESSAGES = { afterFirst: 7, all: 9 } as const;
