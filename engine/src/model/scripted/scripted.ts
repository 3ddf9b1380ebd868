import type { ScriptedApi, ScriptRule } from '../../config/documents.gen.ts';
import { compileRegex, type Regex } from '../../regex/regex.ts';
import { readEnvelope } from './read-envelope.ts';
import { detectLanguage } from './detect-language.ts';
import type { Message, Model, ModelAnswer, ModelRequest, ToolCall } from '../model.ts';
import { makeCallId } from '../protocol/read-tool-calls.ts';
import { fillText, fillValue, usesVariable, type TemplateValues } from './template.ts';

/** Whether a text holds a match of a pattern, in linear time. Patterns were checked when the document was accepted. */
export type PatternTest = (pattern: string, text: string) => boolean;

/** Compiles each pattern at its first use: opening an adapter costs nothing, and most rules are never reached. */
function createPatternTest(): PatternTest {
  const compiled = new Map<string, Regex>();
  return (pattern, text) => {
    const regex = compiled.get(pattern) ?? compileRegex(pattern);
    compiled.set(pattern, regex);
    return regex.test(text);
  };
}

/**
 * The model without AI: the first rule whose `when` holds answers. The same request gives the same answer. `model` of
 * the answer is `scripted`, so that nobody takes it for more; tokens are zero. Where no rule holds it says so.
 */
export function createScripted(api: ScriptedApi, test: PatternTest = createPatternTest()): Model {
  return {
    async ask(request) {
      request.signal?.throwIfAborted();
      const scene = readScene(request);
      const index = api.script.findIndex((rule) => holds(rule, request, scene, test));
      const rule = api.script[index];
      if (rule === undefined) return answer(request, { say: nothingSaid(api.id, request) }, -1);
      const values = await valuesFor(rule, scene);
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

/** What rules look at. */
interface Scene {
  readonly lastUserText: string;
  /** Results since the model's last words, by tool, in order. */
  readonly fresh: readonly { readonly tool: string; readonly content: string }[];
  readonly lastToolResult: string;
  /** User texts, the newest first. */
  readonly userTexts: readonly string[];
}

function readScene({ messages }: ModelRequest): Scene {
  const userTexts = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content ?? '')
    .reverse();
  const results = messages.filter((message) => message.role === 'tool');
  const asked = messages.findLastIndex(({ role }) => role === 'assistant');
  const fresh = messages
    .slice(asked + 1)
    .filter((message) => message.role === 'tool')
    .map((result) => ({ tool: toolOf(messages[asked], result.tool_call_id), content: result.content }));
  const isAnswered = messages.at(-1)?.role === 'tool';
  return {
    userTexts,
    lastUserText: userTexts[0] ?? '',
    fresh: isAnswered ? fresh : [],
    lastToolResult: results.at(-1)?.content ?? '',
  };
}

function toolOf(message: Message | undefined, callId: string): string {
  if (message?.role !== 'assistant') return '';
  return message.tool_calls?.find(({ id }) => id === callId)?.function.name ?? '';
}

function holds({ when }: ScriptRule, request: ModelRequest, scene: Scene, test: PatternTest): boolean {
  if (when.role !== undefined && when.role !== request.role) return false;
  if (when.id !== undefined && when.id !== request.actorId) return false;
  if (when.turn !== undefined && when.turn !== request.turn) return false;
  if (when.tool !== undefined && !scene.fresh.some(({ tool }) => tool === when.tool)) return false;
  return when.text === undefined || test(when.text, scene.lastUserText);
}

async function valuesFor(rule: ScriptRule, scene: Scene): Promise<TemplateValues> {
  const envelope = scene.userTexts.map(readEnvelope).find((found) => found !== undefined);
  // A rule that waits for one tool means that tool's result, also where others were called beside it.
  const ofTool = scene.fresh.findLast(({ tool }) => tool === rule.when.tool)?.content;
  const values = {
    subject: envelope?.subject ?? '',
    from: envelope?.from ?? '',
    lastUserText: scene.lastUserText,
    lastToolResult: ofTool ?? scene.lastToolResult,
  };
  const content = 'say' in rule ? rule.say : rule.call;
  if (!usesVariable(content, 'language')) return values;
  const text = envelope === undefined ? scene.lastUserText : envelope.body.trim() || envelope.subject;
  return { ...values, language: await detectLanguage(text) };
}

function nothingSaid(apiId: string, { role, actorId, turn }: ModelRequest): string {
  return `No rule of the scripted api "${apiId}" matches (${role} "${actorId}", turn ${turn}). A last rule with "when: { any: true }" answers everything.`;
}

function answer(
  request: ModelRequest,
  given: { say?: string; calls?: { tool: string; args: unknown }[] },
  rule: number,
): ModelAnswer {
  const calls: ToolCall[] = (given.calls ?? []).map(({ tool, args }, place) => ({
    id: makeCallId(request.turn, place),
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args ?? {}) },
  }));
  const message: ModelAnswer['message'] = {
    role: 'assistant',
    content: given.say ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    message,
    stop: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: { inputTokens: 0, outputTokens: 0 },
    model: 'scripted',
    raw: JSON.stringify({ model: 'scripted', rule, message }),
  };
}
