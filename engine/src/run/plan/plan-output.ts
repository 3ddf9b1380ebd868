import type { JsonSchema } from '../../model/model.ts';

/** The name that the planner gives to a step without a tool. */
const NO_TOOL = 'none';

/** A step as the planner proposes it. */
export interface ProposedStep {
  readonly title: string;
  readonly task: string;
  readonly tool?: string;
}

/** The answer of the planner. */
export interface ProposedPlan {
  /** Language of the user: an ISO 639-1 code. */
  readonly language: string;
  readonly needsOutside: boolean;
  readonly wantsSeveralFiles: boolean;
  /** Preferences that the user stated in this message, in the user's own words. */
  readonly preferences: readonly string[];
  readonly steps: readonly ProposedStep[];
}

/** The schema of the planner's answer: at most `maxSteps` steps, each with one of these tools or none. */
export function planSchema(maxSteps: number, tools: readonly string[]): JsonSchema {
  const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
  return {
    type: 'object',
    additionalProperties: false,
    required: ['language', 'needsOutside', 'wantsSeveralFiles', 'preferences', 'steps'],
    properties: {
      language: text(10),
      needsOutside: { type: 'boolean' },
      wantsSeveralFiles: { type: 'boolean' },
      preferences: { type: 'array', maxItems: 5, items: text(500) },
      steps: {
        type: 'array',
        minItems: 1,
        maxItems: maxSteps,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['title', 'task', 'tool'],
          properties: { title: text(200), task: text(2000), tool: { type: 'string', enum: [NO_TOOL, ...tools] } },
        },
      },
    },
  };
}

/** The answer of the planner, valid by `planSchema`. */
export function proposedPlan(output: unknown): ProposedPlan {
  const { steps, ...plan } = output as ProposedPlan;
  return {
    ...plan,
    steps: steps.map(({ title, task, tool }) => ({
      title,
      task,
      ...(tool !== NO_TOOL && tool !== undefined && { tool }),
    })),
  };
}

/** The answer of the evaluator. */
export interface Evaluation {
  readonly passed: boolean;
  readonly reason: string;
}

/** The schema of `Evaluation`. */
export const EVALUATION_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['passed', 'reason'],
  properties: { passed: { type: 'boolean' }, reason: { type: 'string', minLength: 1, maxLength: 500 } },
};
