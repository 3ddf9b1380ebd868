import { testProblems } from '../problem-cases.ts';
import { SCOPES } from './scope-cases.ts';

testProblems(SCOPES);
