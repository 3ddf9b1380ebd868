/** Participants of each chat. */
export const NAMES = ['Ann', 'Bob', 'Cleo'] as const;
/** Participants that are agents with privacy, and the boss of each: they and the summary see placeholders of all people. */
export const BOSSES: Readonly<Record<string, string>> = { Ann: 'Karthik', Bob: 'Zoe' };
/** What the person writes: first Ann and Bob speak until the limit, then Cleo once. So long that a summary is due. */
export const FIRST = `@ann and @bob, go for Priya. ${'Long words. '.repeat(4000)}`;
export const SECOND = 'And @cleo?';

const SAID = { ann: 'Ann: over to @bob by Karthik', bob: 'Bob: over to @ann by Zoe' };

/** The lines of a chat in the end: three rounds of two, then one of one. */
export const LINES: readonly string[] = [
  `Jane: ${FIRST}`,
  ...[1, 2, 3].flatMap((round) => (round === 2 ? [SAID.bob, SAID.ann] : [SAID.ann, SAID.bob])),
  `Jane: ${SECOND}`,
  'Cleo: I am done',
];

/** What a model writes about the earlier part of a chat. */
export const SUMMARY = 'They go on and on.';

/** Numbers of messages: when the person writes again, and in the end. */
export const MESSAGES = { afterFirst: 7, all: 9 } as const;

/** The private values of a chat in the end. */
export const PEOPLE = ['Karthik', 'Priya', 'Zoe'];
