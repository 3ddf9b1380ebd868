import type { Outcome, PlayedCall, PlayedRun } from '../../../engine/src/replay/replay.ts';
import type { Judges } from '../../../engine/src/replay/test/judges.ts';

/** A call of the director that was done. */
export const callOf = (tool: string, args: unknown = {}, more: Partial<PlayedCall> = {}): PlayedCall => ({
  ...{ agentId: '', tool, arguments: args, effects: 'read', state: 'done', asked: false },
  ...more,
});

export const runOf = (more: Partial<PlayedRun> = {}): PlayedRun => ({
  ...{ directorId: 'boss', status: 'completed', answer: '', calls: [], items: [] },
  ...{ turns: 1, ownTurns: 1, inputTokens: 1, outputTokens: 1, cost: 0.25, durationMs: 40 },
  ...more,
});

export const outcomeOf = (...runs: readonly PlayedRun[]): Outcome => ({ runs, misses: [] });

/** Judges that know a few words. */
export const judges: Judges = {
  privateValues: async (text) => text.match(/\S+@\S+/g) ?? [],
  language: async (text) => (text.startsWith('Guten') ? 'de' : 'en'),
  similarity: async (a, b) => (a === b ? 1 : 0.5),
  rubric: async (_rubric, text) => ({ score: text.includes('please') ? 0.9 : 0.1, reason: 'a word' }),
  schemaFaults: async (value) => (typeof value === 'object' ? undefined : 'it must be object'),
};
