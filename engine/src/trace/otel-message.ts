import { isRecord } from '../base/json.ts';
import type { Change } from '../store/store.ts';

/** The assistant's messages among committed changes. */
export function* assistantMessages(
  changes: readonly Change[],
): Generator<{ thread: string; at: number; message: unknown }> {
  for (const change of changes) {
    if (change.op !== 'insert' || change.table !== 'message') continue;
    const message: unknown = JSON.parse(change.row.body);
    if (isRecord(message) && message['role'] === 'assistant')
      yield { thread: change.row.thread, at: change.row.at, message };
  }
}

/** Converts a message to the format of OpenTelemetry's conventions: a role and parts. */
export function toParts(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  if (role === 'tool') return { role, parts: [{ type: 'tool_call_response', id, response: content }] };
  const made = Array.isArray(calls) ? calls : [];
  const parts = [
    ...(typeof content === 'string' ? [{ type: 'text', content }] : []),
    ...made.filter(isRecord).map(({ id: callId, function: called }) => ({
      type: 'tool_call',
      id: callId,
      ...(isRecord(called) && { name: called['name'], arguments: called['arguments'] }),
    })),
  ];
  return { role, parts };
}
