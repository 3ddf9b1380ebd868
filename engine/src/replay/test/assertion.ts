import type { TestAssertion } from '../../config/documents.gen.ts';
import { type AssertionType, typeOf } from '../../config/test/test-file.ts';
import { type Checker, cut, type Judged, reasonOf } from './checker.ts';
import { RUN_ASSERTIONS } from './run-assertions.ts';
import { TEXT_ASSERTIONS } from './text-assertions.ts';

/** The result of one assertion. `unknown`: it could not be checked. */
export interface AssertionResult {
  readonly type: TestAssertion['type'];
  readonly status: 'passed' | 'failed' | 'unknown';
  /** What was expected and found, one line; `''` where it passed. */
  readonly message: string;
}

/** Every type of assertion. A new one is one more row here, and one in `config/test/check-value.ts` and the schema. */
const CHECKERS: Readonly<Record<AssertionType, Checker>> = { ...TEXT_ASSERTIONS, ...RUN_ASSERTIONS };

/** Checks an assertion against what happened. */
export async function checkOutcome(assertion: TestAssertion, judged: Judged): Promise<AssertionResult> {
  const { type, isNot } = typeOf(assertion);
  try {
    const { holds, found } = await CHECKERS[type]({ ...assertion, isNot }, judged);
    if (holds !== isNot) return { type: assertion.type, status: 'passed', message: '' };
    return { type: assertion.type, status: 'failed', message: `${describeAssertion(assertion)}: ${found}` };
  } catch (error) {
    const message = `${describeAssertion(assertion)}: ${reasonOf(error)}`;
    return { type: assertion.type, status: 'unknown', message };
  }
}

/** An assertion in one line: `not-contains "x"`. */
function describeAssertion({ type, value, threshold }: TestAssertion): string {
  const shown = value === undefined ? '' : ` ${cut(JSON.stringify(value))}`;
  return `${type}${shown}${threshold === undefined ? '' : ` (threshold ${threshold})`}`;
}
