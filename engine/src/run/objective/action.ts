import { isRecord, type Json } from '../../base/json.ts';
import type { JsonSchema } from '../../model/model.ts';

const text = (description: string) => ({ type: 'string', description }) as const;

/** The answer of intake. */
export interface Intake {
  readonly summary: string;
  readonly constraints: Readonly<Record<string, Json>>;
  /** What the user may want, where nobody has said it. */
  readonly userQuery?: string;
  /** The user has agreed to the wish that intake proposed. */
  readonly isAgreed?: boolean;
}

/** Schema of the answer of intake. */
export const INTAKE_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'dates', 'names', 'openQuestions', 'wishes'],
  properties: {
    summary: text('What has happened on the threads, shorter than the mails: facts, who wants what, what is agreed.'),
    dates: {
      type: 'array',
      items: { type: 'string' },
      description: 'Dates and deadlines, each with what it is about.',
    },
    names: { type: 'array', items: { type: 'string' }, description: 'People and firms, each with their part.' },
    openQuestions: { type: 'array', items: { type: 'string' }, description: 'Questions that nobody has answered yet.' },
    wishes: { type: 'array', items: { type: 'string' }, description: 'What the user demands or rules out.' },
    userQuery: text('Only where nobody has said what the user wants: a proposal, in one sentence.'),
    isAgreed: { type: 'boolean', description: 'Whether the user has agreed to the proposal.' },
  },
};

/** What the planner may decide. */
export const ACTIONS = ['draft', 'askUser', 'waitForReply', 'waitUntil', 'callTool', 'finish', 'giveUp'] as const;

/** A decision of the planner. Which fields matter depends on `action`. */
export interface PlannedAction {
  readonly action: (typeof ACTIONS)[number];
  readonly reason: string;
  readonly instructions?: string;
  readonly to?: readonly string[];
  readonly subject?: string;
  readonly question?: string;
  readonly until?: string;
  readonly tool?: string;
  /** JSON of the arguments. */
  readonly arguments?: string;
  readonly result?: string;
  /** What the writer has written, once it has. */
  readonly body?: string;
  readonly isFollowUp?: boolean;
}

/** Schema of the answer of the planner. */
export const PLANNER_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['action', 'reason'],
  properties: {
    action: { type: 'string', enum: [...ACTIONS], description: 'The one next action.' },
    reason: text('Why, in one sentence.'),
    instructions: text('draft: what the mail has to say.'),
    to: {
      type: 'array',
      items: { type: 'string' },
      description: 'draft: recipients of a new mail; left out for an answer.',
    },
    subject: text('draft: subject of a new mail; left out for an answer.'),
    question: text('askUser: the question.'),
    until: text('waitUntil: ISO 8601 date or time.'),
    tool: text('callTool: name of the tool.'),
    arguments: text('callTool: its arguments, as JSON.'),
    result: text('finish and giveUp: what came of it, for the user.'),
  },
};

/** The answer of intake as a value. The schema was checked before. */
export function readIntake(output: unknown): Intake {
  const value = isRecord(output) ? output : {};
  const { summary, userQuery, isAgreed, dates, names, openQuestions, wishes } = value;
  return {
    summary: String(summary ?? ''),
    constraints: {
      dates: words(dates),
      names: words(names),
      openQuestions: words(openQuestions),
      wishes: words(wishes),
    },
    ...(typeof userQuery === 'string' && userQuery.trim() !== '' && { userQuery: userQuery.trim() }),
    ...(isAgreed === true && { isAgreed }),
  };
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String).filter((word) => word.trim() !== '') : [];
}

/** The decision of the planner as a value. The schema was checked before. */
export function readAction(output: unknown): PlannedAction | undefined {
  if (!isRecord(output)) return undefined;
  const action = ACTIONS.find((name) => name === output['action']);
  if (action === undefined) return undefined;
  const field = (name: string) => {
    const value = output[name];
    return typeof value === 'string' && value.trim() !== '' ? { [name]: value.trim() } : {};
  };
  const to = words(output['to']);
  return {
    action,
    reason: String(output['reason'] ?? ''),
    ...['instructions', 'subject', 'question', 'until', 'tool', 'arguments', 'result'].reduce(
      (all, name) => ({ ...all, ...field(name) }),
      {},
    ),
    ...(to.length > 0 && { to }),
  };
}
