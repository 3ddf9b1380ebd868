import type { Message } from '../../model/model.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import { summarizeParameters } from '../../tool/parameter-list.ts';
import { ASK_USER } from '../../tool/person.ts';
import type { Machine } from '../step/machine.ts';
import type { Step } from '../step/step.ts';

/** A tool call that the planner has decided on, and its answer. */
export interface AnsweredCall {
  readonly tool: string;
  /** JSON, as the planner wrote it. */
  readonly arguments: string;
  readonly answer: string;
}

/** Answers that the planner reads, the newest ones, and the most characters of each. */
const MOST_ANSWERS = 5;
const MOST_CHARACTERS = 8000;

/** Tools that an objective uses by actions of their own. */
const ACTION_TOOLS: readonly string[] = ['mail_draft', 'mail_send', ASK_USER];

/** The tools that the action `callTool` can name, a line each: those of the director that it may call. */
export function toolLines(step: Step, root: Machine): string[] {
  const { tools } = step.actors.resolve(step.runState, root.facts).toolset;
  const isCallable = (tool: OfferedTool) => !('kind' in tool) && !ACTION_TOOLS.includes(tool.name);
  return [...tools.values()].filter(isCallable).map(({ name, description, parameters }) => {
    const [about = ''] = description.split('\n');
    return `- ${name}(${summarizeParameters(parameters)}): ${about}`;
  });
}

/** What the calls of `callTool` have answered, oldest first: the newest of them, shortened. */
export function answeredCalls(conversation: readonly Message[]): AnsweredCall[] {
  const calls: AnsweredCall[] = [];
  let open: { readonly name: string; readonly arguments: string } | undefined;
  for (const message of conversation) {
    if (message.role === 'assistant') open = message.tool_calls?.find(({ id }) => id === 'tool')?.function;
    if (message.role !== 'tool' || message.tool_call_id !== 'tool' || open === undefined) continue;
    calls.push({ tool: open.name, arguments: open.arguments, answer: shortened(message.content) });
    open = undefined;
  }
  return calls.slice(-MOST_ANSWERS);
}

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS
    ? text
    : `${text.slice(0, MOST_CHARACTERS)}\n[cut: ${text.length - MOST_CHARACTERS} more characters]`;
}
