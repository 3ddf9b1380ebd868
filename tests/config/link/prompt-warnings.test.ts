import { describe } from 'vitest';
import { testProblems } from '../problem-cases.ts';
import { EMPTY_VARIABLES } from './cases.ts';

describe('warnings about templates', () => {
  testProblems(EMPTY_VARIABLES);
});
