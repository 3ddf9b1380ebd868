/**
 * Longest output that passes without a model, in characters: a few sentences. The seed says "short" and gives no number; a longer
 * text may hide that the step went wrong.
 */
export const SHORT_OUTPUT = 600;

/**
 * Errors after which there is no other try: a person, a rule or a missing time stands in the way, or the call may have been done
 * and another try would do it twice.
 */
const LASTING: ReadonlySet<string> = new Set([
  'TOOL_DENIED',
  'OUT_OF_SCOPE',
  'TOOL_NEEDS_TIME',
  'TOOL_OUTCOME_UNKNOWN',
]);

/** A tool call of a step, as its answer says. */
export interface StepCall {
  readonly tool: string;
  /** The error of a call that failed. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** How the executor ended. */
export interface StepEnd {
  readonly output: string;
  readonly calls: readonly StepCall[];
  /** The executor used up its rounds, and said nothing final. */
  readonly isCut: boolean;
}

/** What can be said of a step without a model; `unclear` where only a model can say. */
export interface QuickVerdict {
  readonly verdict: 'passed' | 'failed' | 'hopeless' | 'unclear';
  readonly reason: string;
}

/**
 * The fast paths of the evaluator (seed 003): an error in the output, or a tool whose last call failed, is a failure, a
 * hopeless one where another try cannot help; a short output without an error is a success. Anything else is unclear, a step that used up its rounds included.
 */
export function quickVerdict({ output, calls, isCut }: StepEnd): QuickVerdict {
  const last = new Map(calls.map((call) => [call.tool, call]));
  const failed = [...last.values()].flatMap(({ tool, error }) =>
    error === undefined ? [] : [{ isLasting: LASTING.has(error.code), reason: `${tool} failed: ${error.message}` }],
  );
  const lasting = failed.find(({ isLasting }) => isLasting);
  if (lasting !== undefined) return { verdict: 'hopeless', reason: lasting.reason };
  if (output.includes('[ERROR]')) return { verdict: 'failed', reason: 'the output says [ERROR]' };
  if (failed[0] !== undefined) return { verdict: 'failed', reason: failed[0].reason };
  if (isCut) return { verdict: 'unclear', reason: 'it used up its rounds' };
  if (output.trim() === '') return { verdict: 'failed', reason: 'it said nothing' };
  return output.length <= SHORT_OUTPUT
    ? { verdict: 'passed', reason: 'a short output without an error' }
    : { verdict: 'unclear', reason: 'a long output' };
}
