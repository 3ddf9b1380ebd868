import { isRecord } from '../../base/json.ts';
import type { Message } from '../../model/model.ts';
import type { OfferedTool } from '../../tool/offered-tool.ts';
import type { RoleResult } from '../role/role.ts';
import { errorIn, type MadeCall } from '../turn/agent-ask.ts';
import type { StepCall, StepEnd } from './verdict.ts';

/** Longest part of a step's output that later roles get, in characters. */
const MAX_OUTPUT = 8000;
/** Longest part of one tool result that stands for an output, in characters. */
const MAX_RESULT = 2000;

/** The end of a step's executor, of the messages of its thread. A cut executor has its last tool results as its output. */
export function stepEnd({ text, failure }: RoleResult, messages: readonly Message[]): StepEnd {
  const isCut = failure !== undefined;
  const output = isCut ? [text, ...lastResults(messages)].filter((part) => part !== '').join('\n\n') : text;
  return { output: shortened(output, MAX_OUTPUT), calls: callsIn(messages), isCut };
}

/** The tool results since the last answer of the model. */
function lastResults(messages: readonly Message[]): string[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(last + 1)
    .flatMap((message) => (message.role === 'tool' ? [shortened(message.content, MAX_RESULT)] : []));
}

/** The calls of a thread with their errors, in their order. */
function callsIn(messages: readonly Message[]): StepCall[] {
  const calls: StepCall[] = [];
  const open = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const { id, function: called } of message.tool_calls ?? []) open.set(id, called.name);
    if (message.role !== 'tool') continue;
    const tool = open.get(message.tool_call_id);
    // Providers reuse ids from turn to turn: an answer belongs to the call right before it.
    open.delete(message.tool_call_id);
    if (tool !== undefined) calls.push({ tool, error: errorIn(message.content) });
  }
  return calls;
}

/** Families whose writes may be done again: they replace what is there. */
const REPLACING: ReadonlySet<string> = new Set(['workspace', 'notebook', 'memory']);
/** Tools that write to our own store what a person would see twice. */
const VISIBLE: ReadonlySet<string> = new Set(['reminder_create', 'notify']);

/** Whether a call of a tool must not be done twice in one run: its effect would be there twice. */
function isLastingWrite(tool: OfferedTool): boolean {
  if ('kind' in tool || REPLACING.has(tool.family)) return false;
  return tool.effects === 'write' || VISIBLE.has(tool.name);
}

/**
 * The lasting writes that an executor has done, by itself or by an agent: each in one line, and the names of the tools that would do
 * them again, the call of the agent included.
 */
export function doneWrites(
  calls: readonly MadeCall[],
  toolOf: (name: string) => OfferedTool | undefined,
): { readonly done: readonly string[]; readonly doneTools: readonly string[] } {
  const isDone = ({ name, success }: MadeCall) => {
    const tool = toolOf(name);
    return success && tool !== undefined && isLastingWrite(tool);
  };
  const made = calls.flatMap((call) => [
    ...(isDone(call) ? [{ line: lineOf(call), tools: [call.name] }] : []),
    ...(call.byAgent ?? [])
      .filter(isDone)
      .map((one) => ({ line: `${lineOf(one)} by ${call.name}`, tools: [one.name, call.name] })),
  ]);
  return { done: made.map(({ line }) => line), doneTools: [...new Set(made.flatMap(({ tools }) => tools))] };
}

const lineOf = ({ name, args }: MadeCall) => `${name}${describe(args)}`;

/** Arguments that name what a call made, the most telling first. */
const NAMES = ['subject', 'title', 'text', 'path', 'to'];
const MAX_NAME = 120;

function describe(args: unknown): string {
  if (!isRecord(args)) return '';
  const inner = Object.values(args).filter(isRecord);
  for (const values of [args, ...inner])
    for (const name of NAMES) {
      const value = Array.isArray(values[name]) ? values[name].join(', ') : values[name];
      if (typeof value === 'string' && value !== '') return ` (${shortened(value.replace(/\s+/g, ' '), MAX_NAME)})`;
    }
  return '';
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
