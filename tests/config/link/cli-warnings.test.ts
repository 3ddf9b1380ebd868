import { describe } from 'vitest';
import { testProblems } from '../problem-cases.ts';
import { CLI_AGENTS } from './cli-cases.ts';

describe('warnings about command-line agents', () => {
  testProblems(CLI_AGENTS);
});
