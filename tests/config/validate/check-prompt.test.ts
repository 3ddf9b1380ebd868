import { describe } from 'vitest';
import { testProblems } from '../problem-cases.ts';
import { PROMPTS } from './prompt-cases.ts';

describe('a prompt', () => {
  testProblems(PROMPTS);
});
