import type { ModelRequest } from '../../engine/src/model/model.ts';
import { SHORT_OUTPUT } from '../../engine/src/run/plan/verdict.ts';
import { chance, pick } from './doomed.ts';

/** The director of the loops that plans, as a config file. */
export const deskOf = (tools: string, more: string) =>
  `id: desk\nname: Desk\nmode: plan\napiConfigId: main\n${tools}${more}plan: { maxSteps: 4, maxRoundsPerStep: 2, maxRetriesPerStep: 1 }\n`;

/**
 * What a model says in a role of a plan, at random: plans, verdicts, results of all lengths, and now and then an answer that is no JSON.
 * Undefined where it may call tools, and in work that is no role of a plan.
 */
export function planAnswer({ messages }: ModelRequest): string | undefined {
  const system = messages.map(({ role, content }) => (role === 'system' ? (content ?? '') : '')).join('\n');
  if (system.includes('You are the planner')) return chance(0.1) ? 'no plan' : JSON.stringify(randomPlan(system));
  if (system.includes('You are the evaluator'))
    return chance(0.1) ? '{"passed"' : JSON.stringify({ passed: chance(0.6), reason: 'as it is' });
  if (system.includes('You write the final answer')) return 'All that could be done is done.';
  if (!system.includes('You are the executor') || chance(0.5)) return undefined;
  return pick(['made', '[ERROR] it went wrong', 'x'.repeat(SHORT_OUTPUT + 1)]);
}

function randomPlan(system: string) {
  const tools = /Tools: (.*)\./.exec(system)?.[1]?.split(', ') ?? [];
  const steps = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, (_, n) => ({
    ...{ title: `Part ${n + 1}`, task: 'Do it.', tool: pick([...tools, 'none']) },
  }));
  return { language: 'en', needsOutside: chance(0.5), wantsSeveralFiles: chance(0.5), preferences: [], steps };
}
