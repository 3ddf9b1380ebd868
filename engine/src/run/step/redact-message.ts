import { redactJson, redactValue, type Redactor } from '../../base/redact.ts';
import type { Message, ToolCall } from '../../model/model.ts';

/**
 * A message without secrets; the same object where there is none. A model may repeat a secret that it has read
 * somewhere, and everything that follows from its answer (calls, results, summaries) is made from the message.
 */
export function redactMessage<M extends Message>(redactor: Pick<Redactor, 'text'>, message: M): M {
  const { content } = message;
  const text = content === null ? null : redactor.text(content);
  if (message.role !== 'assistant') return text === content ? message : { ...message, content: text };
  const { refusal, tool_calls: calls } = message;
  const cleanRefusal = refusal === undefined ? undefined : redactor.text(refusal);
  const cleanCalls = calls?.map((call, n) => redactCall(redactor, call, n));
  const isSame =
    text === content && cleanRefusal === refusal && (cleanCalls ?? []).every((call, n) => call === calls?.[n]);
  if (isSame) return message;
  return {
    ...message,
    content: text,
    ...(cleanRefusal !== undefined && { refusal: cleanRefusal }),
    ...(cleanCalls !== undefined && { tool_calls: cleanCalls }),
  };
}

function redactCall(redactor: Pick<Redactor, 'text'>, call: ToolCall, n: number): ToolCall {
  const { id, function: called } = call;
  const clean = { name: redactor.text(called.name), arguments: redactJson(redactor, called.arguments) };
  // An id stays unique within the answer.
  const cleanId = redactor.text(id) === id ? id : `call_${n}_redacted`;
  const isSame = cleanId === id && clean.name === called.name && clean.arguments === called.arguments;
  return isSame ? call : { ...call, id: cleanId, function: clean };
}

/** The text of a provider's answer without secrets. `isChanged`: the message that was read from it had one. */
export function redactPayload(redactor: Pick<Redactor, 'text'>, raw: string, isChanged: boolean): string {
  if (!isChanged) return redactor.text(raw);
  try {
    return JSON.stringify(redactValue(redactor, JSON.parse(raw) as unknown));
  } catch {
    return redactor.text(raw);
  }
}
