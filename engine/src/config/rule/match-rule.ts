import { globTest } from '../../base/glob.ts';
import { type MatchOptions, matchesArgument } from './match-argument.ts';
import { parseRule, toolOfRule } from './parse-rule.ts';

/** The arguments of a tool call. */
export type CallArguments = Readonly<Record<string, unknown>>;

/**
 * Whether a rule matches a call: its glob the name of the tool, and its patterns the arguments. A text that is no rule matches
 * nothing in mode `every`, and every call of the tools it names in mode `some`.
 */
export function matchRule(text: string, toolName: string, args: CallArguments, options: MatchOptions): boolean {
  if (!globTest(toolOfRule(text))(toolName)) return false;
  const rule = parseRule(text);
  if ('fault' in rule) return options.mode === 'some';
  return rule.arguments.every((pattern) => matchesArgument(pattern, args, options));
}

/** Whether a rule is about a tool, whatever the arguments. */
export function namesTool(text: string, toolName: string): boolean {
  return globTest(toolOfRule(text))(toolName);
}

/** Whether a rule holds for some arguments only. */
export function hasArguments(text: string): boolean {
  return text.includes('(');
}
