import type { ScriptedApi, ScriptRule } from '../../config/documents.gen.ts';
import { compileRegex, type Regex } from '../../regex/regex.ts';
import { unwrapped } from '../../config/prompt/envelope.ts';
import { readEnvelope } from './read-envelope.ts';
import { detectLanguage } from './detect-language.ts';
import type { Message, Model, ModelAnswer, ModelRequest, ToolCall } from '../model.ts';
import { makeCallId } from '../protocol/read-tool-calls.ts';
import { fillText, fillValue, usesVariable, type TemplateValues } from './template.ts';

/** Whether a text contains a match of a pattern, in linear time. Validation has already checked the pattern. */
export type PatternTest = (pattern: string, text: string) => boolean;

/** Compiles each pattern at its first use, since most rules are never reached. */
function createPatternTest(): PatternTest {
  const compiled = new Map<string, Regex>();
  return (pattern, text) => {
    const regex = compiled.get(pattern) ?? compileRegex(pattern);
    compiled.set(pattern, regex);
    return regex.test(text);
  };
}

/**
 * A model without AI: the first rule whose `when` matches answers. The same request always gets the same answer. The answer
 * names `scripted` as its model and zero tokens. If no rule matches, the answer says so.
 */
export function createScripted(api: ScriptedApi, test: PatternTest = createPatternTest()): Model {
  return {
    async ask(request) {
      request.signal?.throwIfAborted();
      const context = readContext(request);
      if (request.purpose === 'summary') return answer(request, { say: summaryOf(context.lastUserText) }, -1);
      const index = api.script.findIndex((rule) => matches(rule, request, context, test));
      const rule = api.script[index];
      if (rule === undefined) return answer(request, { say: noRuleMatches(api.id, request) }, -1);
      const values = await valuesFor(rule, context);
      request.signal?.throwIfAborted();
      if ('say' in rule) return answer(request, { say: fillText(rule.say, values) }, index);
      const calls = Array.isArray(rule.call) ? rule.call : [rule.call];
      return answer(
        request,
        { calls: calls.map((call) => ({ tool: call.tool, args: fillValue(call.arguments, values) })) },
        index,
      );
    },
    available: async () => ({ ok: true }),
  };
}

/** Most characters of the subject that stands for a message without one. */
const MAX_TITLE = 80;

/** What rules and templates read of a request. */
interface RuleContext {
  readonly lastUserText: string;
  /** Tool results since the last assistant message, in order. */
  readonly fresh: readonly { readonly tool: string; readonly content: string }[];
  readonly lastToolResult: string;
  /** Texts of the user messages, newest first. */
  readonly userTexts: readonly string[];
}

function readContext({ messages }: ModelRequest): RuleContext {
  const userTexts = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => unwrapped(content ?? '', ['ASK']))
    .reverse();
  const results = messages.filter((message) => message.role === 'tool');
  const lastAssistant = messages.findLastIndex(({ role }) => role === 'assistant');
  const fresh = messages
    .slice(lastAssistant + 1)
    .filter((message) => message.role === 'tool')
    .map((result) => ({ tool: toolOf(messages[lastAssistant], result.tool_call_id), content: opened(result.content) }));
  const isAnswered = messages.at(-1)?.role === 'tool';
  return {
    userTexts,
    lastUserText: userTexts[0] ?? '',
    fresh: isAnswered ? fresh : [],
    lastToolResult: opened(results.at(-1)?.content ?? ''),
  };
}

/** The result of a tool as the tool returned it. */
function opened(result: string): string {
  return unwrapped(result, ['RESULT']);
}

function toolOf(message: Message | undefined, callId: string): string {
  if (message?.role !== 'assistant') return '';
  return message.tool_calls?.find(({ id }) => id === callId)?.function.name ?? '';
}

function matches({ when }: ScriptRule, request: ModelRequest, context: RuleContext, test: PatternTest): boolean {
  if (when.role !== undefined && when.role !== request.role) return false;
  if (when.id !== undefined && when.id !== request.actorId) return false;
  if (when.turn !== undefined && when.turn !== request.turn) return false;
  if (when.tool !== undefined && !context.fresh.some(({ tool }) => tool === when.tool)) return false;
  return when.text === undefined || test(when.text, context.lastUserText);
}

async function valuesFor(rule: ScriptRule, context: RuleContext): Promise<TemplateValues> {
  const envelope = context.userTexts.map(readEnvelope).find((found) => found !== undefined);
  // A rule with `when.tool` reads the result of that tool, even if other tools were called with it.
  const ofTool = context.fresh.findLast(({ tool }) => tool === rule.when.tool)?.content;
  const values = {
    subject: envelope?.subject ?? titleOf(context.lastUserText),
    // A message without an envelope is of the person at the screen.
    from: envelope?.from ?? 'you',
    lastUserText: context.lastUserText,
    lastToolResult: ofTool ?? context.lastToolResult,
  };
  const content = 'say' in rule ? rule.say : rule.call;
  if (!usesVariable(content, 'language')) return values;
  const text = envelope === undefined ? context.lastUserText : envelope.body.trim() || envelope.subject;
  return { ...values, language: await detectLanguage(text) };
}

/** A message of a person has no subject: its first line, shortened, takes its place. */
function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1).trimEnd()}…` : line.trimEnd();
}

/** What stands in place of a summary: it says that nobody wrote one. */
function summaryOf(text: string): string {
  return `Scripted summary, without AI. The earlier part had ${text.length} characters and began: ${titleOf(text.replace(/^<<.*\n/, ''))}`;
}

function noRuleMatches(apiId: string, { role, actorId, turn }: ModelRequest): string {
  return `No rule of the scripted api "${apiId}" matches (${role} "${actorId}", turn ${turn}). Add a last rule with "when: { any: true }", which matches everything.`;
}

function answer(
  request: ModelRequest,
  given: { say?: string; calls?: { tool: string; args: unknown }[] },
  rule: number,
): ModelAnswer {
  const calls: ToolCall[] = (given.calls ?? []).map(({ tool, args }, index) => ({
    id: makeCallId(request.turn, index),
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args ?? {}) },
  }));
  const message: ModelAnswer['message'] = {
    role: 'assistant',
    content: given.say ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  if (given.say !== undefined && request.purpose === undefined) request.onText?.(given.say);
  return {
    message,
    stop: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: { inputTokens: 0, outputTokens: 0 },
    model: 'scripted',
    raw: JSON.stringify({ model: 'scripted', rule, message }),
  };
}
