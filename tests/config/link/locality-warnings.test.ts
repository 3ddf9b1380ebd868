import { describe } from 'vitest';
import { testProblems } from '../problem-cases.ts';
import { LOCALITY } from './cases.ts';

describe('locality warnings', () => {
  testProblems(LOCALITY);
});
