import { isRecord } from '../../../base/json.ts';
import type { Usage } from '../../model.ts';
import { type ReportedCall, shortInput } from '../driver.ts';
import type { OwnCommand, ToolName } from '../tool.ts';

type Line = Readonly<Record<string, unknown>>;

/** What the JSON lines of a tool say so far. */
export interface FlagsReading {
  /** The message; undefined where no line has one. */
  text: string | undefined;
  sessionId?: string;
  usage?: Usage;
  /** Why the turn failed, in the tool's words. */
  error?: string;
  readonly toolCalls: Map<string, ReportedCall>;
}

/** Reads one JSON line of a tool. Returns the next piece of the message, where the tool writes it in pieces that are final. */
export type ReadLine = (reading: FlagsReading, line: Line) => string | undefined;

/** Longest message that is kept, in characters; the rest is dropped. */
const MAX_TEXT = 1024 * 1024;
const CUT = '\n[truncated]';
/** Most tool calls that the trace of a turn keeps. */
const MAX_CALLS = 500;
/** Characters of a title, and paths of a call, at most. */
const MAX_TITLE = 500;
const MAX_LOCATIONS = 50;

/** Readers of the known tools: `codex exec --json`, `claude --output-format stream-json`, `gemini -o stream-json`. */
export const lineReaders: { readonly [N in ToolName]: ReadLine } = {
  codex(reading, line) {
    const item = recordAt(line, 'item');
    if (line['type'] === 'thread.started') reading.sessionId = textAt(line, 'thread_id') ?? '';
    if (line['type'] === 'turn.completed') setUsage(reading, line['usage'], 'cached_input_tokens');
    if (line['type'] === 'turn.failed') reading.error = textAt(line, 'error.message') ?? 'the turn failed';
    if (line['type'] === 'error') reading.error = textAt(line, 'message') ?? 'the tool reported an error';
    if (line['type'] !== 'item.completed' && line['type'] !== 'item.started') return undefined;
    if (item['type'] === 'agent_message') reading.text = textAt(item, 'text') ?? '';
    else addCodexCall(reading, item);
    return undefined;
  },
  claude(reading, line) {
    reading.sessionId = textAt(line, 'session_id') ?? reading.sessionId ?? '';
    if (line['type'] === 'assistant') for (const use of blocks(line, 'tool_use')) addClaudeCall(reading, use);
    if (line['type'] === 'user') for (const result of blocks(line, 'tool_result')) endClaudeCall(reading, result);
    if (line['type'] !== 'result') return undefined;
    const text = textAt(line, 'result') ?? '';
    setUsage(reading, line['usage'], 'cache_read_input_tokens');
    if (line['is_error'] === true) reading.error = text === '' ? (textAt(line, 'subtype') ?? 'the turn failed') : text;
    else reading.text = text;
    return undefined;
  },
  gemini(reading, line) {
    if (line['type'] === 'init') reading.sessionId = textAt(line, 'session_id') ?? '';
    if (line['type'] === 'tool_use')
      addCall(reading, textAt(line, 'tool_id'), {
        ...{ title: textAt(line, 'tool_name') ?? '', kind: 'other', status: 'pending', input: line['parameters'] },
      });
    if (line['type'] === 'tool_result')
      endCall(reading, textAt(line, 'tool_id'), textAt(line, 'status') ?? 'completed');
    if (line['type'] === 'error' && line['severity'] !== 'warning') reading.error = textAt(line, 'message') ?? '';
    if (line['type'] === 'result') {
      setUsage(reading, line['stats'], 'cached');
      if (line['status'] === 'error') reading.error = textAt(line, 'error.message') ?? 'the turn failed';
    }
    // What it says before it calls a tool is not the answer.
    if (line['type'] === 'tool_use') reading.text = undefined;
    if (line['type'] !== 'message' || line['role'] !== 'assistant') return undefined;
    addText(reading, textAt(line, 'content') ?? '');
    return undefined;
  },
};

/** The reader of a command of the user's own with `output: jsonl`: the texts of its lines are the message, in order. */
export function ownLineReader({ text, sessionId }: OwnCommand): ReadLine {
  return (reading, line) => {
    if (sessionId !== undefined) {
      const id = textAt(line, sessionId);
      if (id !== undefined) reading.sessionId = id;
    }
    const piece = textAt(line, text);
    if (piece === undefined || piece === '') return undefined;
    return addText(reading, piece);
  };
}

/** Adds a piece to the message, and returns what was added of it. */
function addText(reading: FlagsReading, piece: string): string {
  const before = reading.text ?? '';
  if (before.length > MAX_TEXT) return '';
  const left = MAX_TEXT - before.length;
  const added = piece.length > left ? piece.slice(0, left) + CUT : piece;
  reading.text = before + added;
  return added;
}

function addCodexCall(reading: FlagsReading, item: Line): void {
  const id = textAt(item, 'id');
  const status = textAt(item, 'status') ?? 'completed';
  const command = textAt(item, 'command');
  if (item['type'] === 'command_execution')
    addCall(reading, id, { title: command ?? '', kind: 'execute', status, input: { command } });
  if (item['type'] === 'file_change') {
    const changes = Array.isArray(item['changes']) ? item['changes'].filter(isRecord) : [];
    const locations = changes.flatMap((change) => textAt(change, 'path') ?? []);
    addCall(reading, id, {
      title: `change ${locations.length} files`,
      kind: 'edit',
      status,
      input: changes,
      locations,
    });
  }
  if (item['type'] === 'mcp_tool_call')
    addCall(reading, id, { title: textAt(item, 'tool') ?? '', kind: 'other', status, input: item['arguments'] });
  if (item['type'] === 'web_search')
    addCall(reading, id, { title: textAt(item, 'query') ?? '', kind: 'fetch', status, input: item['query'] });
}

/** Kinds of Claude Code's own tools. */
const CLAUDE_KINDS: Readonly<Record<string, string>> = {
  ...{ Bash: 'execute', Read: 'read', Glob: 'search', Grep: 'search', WebFetch: 'fetch', WebSearch: 'fetch' },
  ...{ Write: 'edit', Edit: 'edit', MultiEdit: 'edit', NotebookEdit: 'edit' },
};

function addClaudeCall(reading: FlagsReading, use: Line): void {
  const title = textAt(use, 'name') ?? '';
  const path = textAt(use, 'input.file_path') ?? textAt(use, 'input.notebook_path');
  addCall(reading, textAt(use, 'id'), {
    ...{ title, kind: CLAUDE_KINDS[title] ?? 'other', status: 'pending', input: use['input'] },
    ...(path !== undefined && { locations: [path] }),
  });
}

function endClaudeCall(reading: FlagsReading, result: Line): void {
  endCall(reading, textAt(result, 'tool_use_id'), result['is_error'] === true ? 'failed' : 'completed');
}

function addCall({ toolCalls }: FlagsReading, id: string | undefined, call: ReportedCall): void {
  const key = id ?? String(toolCalls.size);
  if (toolCalls.size >= MAX_CALLS && !toolCalls.has(key)) return;
  const { title, input, locations } = call;
  toolCalls.set(key, {
    ...call,
    title: title.slice(0, MAX_TITLE),
    ...(input !== undefined && { input: shortInput(input) }),
    ...(locations && { locations: locations.slice(0, MAX_LOCATIONS) }),
  });
}

function endCall({ toolCalls }: FlagsReading, id: string | undefined, status: string): void {
  const call = id === undefined ? undefined : toolCalls.get(id);
  if (id !== undefined && call !== undefined) toolCalls.set(id, { ...call, status });
}

function setUsage(reading: FlagsReading, usage: unknown, cachedKey: string): void {
  if (!isRecord(usage)) return;
  const count = (key: string) => (typeof usage[key] === 'number' ? usage[key] : undefined);
  const inputTokens = count('input_tokens');
  const outputTokens = count('output_tokens');
  if (inputTokens === undefined || outputTokens === undefined) return;
  const cachedInputTokens = count(cachedKey);
  reading.usage = { inputTokens, outputTokens, ...(cachedInputTokens !== undefined && { cachedInputTokens }) };
}

/** The content blocks of one type in a message of Claude Code. */
function blocks(line: Line, type: string): Line[] {
  const content = recordAt(line, 'message')['content'];
  return Array.isArray(content) ? content.filter(isRecord).filter((block) => block['type'] === type) : [];
}

function recordAt(line: Line, key: string): Line {
  const value = line[key];
  return isRecord(value) ? value : {};
}

/** The text below a path of keys with dots between them; undefined where there is none. */
function textAt(line: Line, path: string): string | undefined {
  let value: unknown = line;
  for (const key of path.split('.')) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}
