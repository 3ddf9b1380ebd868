import { describe } from 'vitest';
import { testProblems } from '../problem-cases.ts';
import { OUTPUTS } from './output-cases.ts';

describe('the form of an answer', () => {
  testProblems(OUTPUTS);
});
