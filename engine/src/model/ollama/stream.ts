import { isRecord } from '../../base/json.ts';
import type { OnText } from '../model.ts';
import { CHARACTERS_PER_TOKEN, type StreamFold } from '../protocol/protocol.ts';
import { plainText } from './plain-text.ts';

/** Assembles a streamed answer of `/api/chat`: lines of JSON, each call in one piece, counts in the last line (`done`). */
export function foldOllama(onText?: OnText): StreamFold {
  const report = onText && plainText(onText);
  let last: Record<string, unknown> | undefined;
  let failure: Record<string, unknown> | undefined;
  let content = '';
  let characters = 0;
  const calls: unknown[] = [];
  return {
    add(data) {
      const line: unknown = JSON.parse(data);
      if (!isRecord(line)) return;
      if (line['error'] !== undefined) failure = line;
      else last = line;
      const message = isRecord(line['message']) ? line['message'] : {};
      if (typeof message['content'] === 'string') {
        content += message['content'];
        report?.(message['content']);
      }
      if (Array.isArray(message['tool_calls'])) calls.push(...message['tool_calls']);
      for (const piece of [message['content'], message['thinking']])
        if (typeof piece === 'string') characters += piece.length;
    },
    get isOver() {
      return failure !== undefined || last?.['done'] === true;
    },
    get isWhole() {
      return failure !== undefined || last?.['done'] === true;
    },
    json() {
      if (failure !== undefined || last === undefined) return failure;
      return { ...last, message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) } };
    },
    spent: () =>
      last && { outputTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN) + calls.length, isEstimate: true },
  };
}
