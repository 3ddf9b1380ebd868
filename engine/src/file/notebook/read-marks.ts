import { isRecord } from '../../base/json.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import { readableRows } from '../../store/readable-rows.ts';
import type { Reader } from '../../store/store.ts';

/** A message of a transcript, as far as it is read here. */
interface TranscriptMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_call_id?: unknown;
  readonly tool_calls?: unknown;
}

/**
 * SHA-256 of a file as a thread knows it: as one of `tools` returned it last (`{ notebook, path, hash }`). Undefined where the thread
 * has not read the file. The transcript is the record, so this holds after a restart too.
 */
export async function lastReadHash(
  reader: Reader,
  threadId: string,
  { notebook, path }: { readonly notebook: string; readonly path: string },
  tools: ReadonlySet<string>,
): Promise<string | undefined> {
  const rows = await readableRows(reader, () => {}).list('message', {
    where: [['thread', '=', threadId]],
    order: [['seq', 'asc']],
  });
  const calls = new Map<string, string>();
  let hash: string | undefined;
  for (const row of rows) {
    const message = bodyOf<TranscriptMessage>('message', row);
    if (Array.isArray(message.tool_calls)) for (const call of message.tool_calls) noteCall(calls, call);
    if (message.role !== 'tool' || !tools.has(calls.get(String(message.tool_call_id)) ?? '')) continue;
    const result = resultOf(message.content);
    if (result?.['notebook'] === notebook && result['path'] === path && typeof result['hash'] === 'string')
      hash = result['hash'];
  }
  return hash;
}

function noteCall(calls: Map<string, string>, call: unknown): void {
  if (!isRecord(call) || !isRecord(call['function'])) return;
  calls.set(String(call['id']), String(call['function']['name']));
}

/** The result in a tool message. A call with edited arguments has it one level deeper. */
function resultOf(content: unknown): Record<string, unknown> | undefined {
  if (typeof content !== 'string' || !content.includes('"hash"')) return undefined;
  try {
    const value: unknown = JSON.parse(content);
    if (!isRecord(value)) return undefined;
    return isRecord(value['result']) && 'argumentsChangedTo' in value ? value['result'] : value;
  } catch {
    return undefined;
  }
}
