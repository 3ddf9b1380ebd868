/** Where a process stops itself. The run's message names the case. */
export interface FrozenCase {
  /** The tool that the run calls, once. */
  readonly tool: 'charge' | 'post' | 'fire';
  /** What has to have happened before: the model was asked, or the effect has happened. */
  readonly after: 'asked' | 'acted';
  /** At once, or at a commit that follows. */
  readonly at: 'once' | 'before-commit' | 'after-commit';
  /** Which of these commits, from 1. */
  readonly nth?: number;
  /** The process believes for ever that it holds what it has once had: the negative control. */
  readonly isBlind?: boolean;
}

export const FROZEN_CASES: Readonly<Record<string, FrozenCase>> = {
  'while it asks the model': { tool: 'charge', after: 'asked', at: 'once' },
  'before it commits what the model has answered': { tool: 'fire', after: 'asked', at: 'before-commit' },
  'between intent and effect of what can be looked up': { tool: 'charge', after: 'asked', at: 'after-commit' },
  'between intent and effect of what takes a key': { tool: 'post', after: 'asked', at: 'after-commit' },
  'between intent and effect of what can be done but once': { tool: 'fire', after: 'asked', at: 'after-commit' },
  'between the mark that it begins and the effect of what can be done but once': {
    tool: 'fire',
    after: 'asked',
    at: 'after-commit',
    nth: 2,
  },
  'within the effect of what can be looked up': { tool: 'charge', after: 'acted', at: 'once' },
  'within the effect of what takes a key': { tool: 'post', after: 'acted', at: 'once' },
  'within the effect of what can be done but once': { tool: 'fire', after: 'acted', at: 'once' },
  'before it commits the outcome of what can be looked up': { tool: 'charge', after: 'acted', at: 'before-commit' },
  'before it commits the outcome of what takes a key': { tool: 'post', after: 'acted', at: 'before-commit' },
  'before it commits the outcome of what can be done but once': { tool: 'fire', after: 'acted', at: 'before-commit' },
};

/** A process that looks at no clock before it acts. */
export const BLIND: FrozenCase = { tool: 'charge', after: 'asked', at: 'after-commit', isBlind: true };
