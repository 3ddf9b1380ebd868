import { describe } from 'vitest';
import { testProblems } from '../problem-cases.ts';
import { BROKEN_LINKS } from './cases.ts';

describe('broken links', () => {
  testProblems(BROKEN_LINKS);
});
