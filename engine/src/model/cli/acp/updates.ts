import { stripVTControlCharacters } from 'node:util';
import { isRecord } from '../../../base/json.ts';
import type { OnText } from '../../model.ts';
import { type ReportedCall, shortInput } from '../driver.ts';

/** Characters of an answer, at most; the rest is dropped. */
const MAX_TEXT = 1024 * 1024;
/** Calls that are kept of a turn, the characters of a title, and the paths of a call. */
const MAX_CALLS = 500;
const MAX_TITLE = 500;
const MAX_LOCATIONS = 50;

/** What a tool has reported in its turn so far. */
export interface AcpUpdates {
  /** Takes the parameters of a `session/update`, whatever they are: kinds that are not known are left out. Never throws. */
  take(params: unknown): void;
  /** From now on text and calls count as those of the turn. */
  start(): void;
  text(): string;
  /** Ends the text: says so where some was dropped. */
  end(): string;
  calls(): ReportedCall[];
  call(id: string): ReportedCall | undefined;
}

/** Collects the updates of one session. `onMode` is told each mode that the tool says it is in. */
export function createAcpUpdates({
  onText,
  onMode,
}: {
  readonly onText: OnText | undefined;
  readonly onMode: (mode: string) => void;
}): AcpUpdates {
  const calls = new Map<string, ReportedCall>();
  const answer = createAnswer(onText);
  let hasStarted = false;

  return {
    take(params) {
      const update = isRecord(params) ? params['update'] : undefined;
      if (!isRecord(update)) return;
      const kind = update['sessionUpdate'];
      if (kind === 'agent_message_chunk' && hasStarted) answer.add(update);
      else if (kind === 'tool_call' || kind === 'tool_call_update') {
        // Those of earlier turns are told again where a session is loaded.
        if (!hasStarted) return;
        keepCall(calls, update);
        answer.interrupt();
      } else for (const mode of modesIn(update)) onMode(mode);
    },
    start() {
      hasStarted = true;
    },
    text: answer.text,
    end: answer.end,
    calls: () => [...calls.values()],
    call: (id) => calls.get(id),
  };
}

/** Text that comes after a tool call, or with a new message id, begins a new paragraph. */
function createAnswer(onText: OnText | undefined) {
  let text = '';
  let dropped = 0;
  let messageId: unknown;
  let isInterrupted = false;
  const put = (piece: string) => {
    const kept = piece.slice(0, MAX_TEXT - text.length);
    dropped += piece.length - kept.length;
    if (kept === '') return;
    text += kept;
    onText?.(kept);
  };
  return {
    add(update: Readonly<Record<string, unknown>>) {
      const content = update['content'];
      if (!isRecord(content) || content['type'] !== 'text' || typeof content['text'] !== 'string') return;
      const piece = stripVTControlCharacters(content['text']);
      if (piece === '') return;
      const id = update['messageId'] ?? messageId;
      const isNew = isInterrupted || (messageId !== undefined && id !== messageId);
      if (text !== '' && isNew) put(text.endsWith('\n') ? '\n' : '\n\n');
      [messageId, isInterrupted] = [id, false];
      put(piece);
    },
    interrupt() {
      isInterrupted = true;
    },
    text: () => text,
    end: () => (dropped === 0 ? text : `${text}\n[truncated: ${dropped} more characters]`),
  };
}

function keepCall(calls: Map<string, ReportedCall>, update: Readonly<Record<string, unknown>>): void {
  const id = update['toolCallId'];
  if (typeof id !== 'string') return;
  const before = calls.get(id);
  if (before === undefined && calls.size >= MAX_CALLS) return;
  const word = (key: string, other: string) => {
    const value = update[key];
    return typeof value === 'string' ? value.slice(0, MAX_TITLE) : other;
  };
  const input = update['rawInput'] ?? undefined;
  const locations = pathsIn(update['locations']) ?? before?.locations;
  calls.set(id, {
    ...before,
    title: word('title', before?.title ?? ''),
    kind: word('kind', before?.kind ?? 'other'),
    status: word('status', before?.status ?? 'pending'),
    ...(input !== undefined && { input: shortInput(input) }),
    ...(locations && { locations }),
  });
}

function pathsIn(locations: unknown): string[] | undefined {
  if (!Array.isArray(locations)) return undefined;
  return locations
    .slice(0, MAX_LOCATIONS)
    .flatMap((one: unknown) => (isRecord(one) && typeof one['path'] === 'string' ? [one['path'].slice(0, 4096)] : []));
}

/** Tools say their mode in an update of its own, or as a configuration option. */
function modesIn(update: Readonly<Record<string, unknown>>): string[] {
  const { sessionUpdate: kind, currentModeId, configOptions } = update;
  if (kind === 'current_mode_update') return typeof currentModeId === 'string' ? [currentModeId] : [];
  if (kind !== 'config_option_update' || !Array.isArray(configOptions)) return [];
  return configOptions.flatMap((option: unknown) =>
    isRecord(option) && option['category'] === 'mode' && typeof option['currentValue'] === 'string'
      ? [option['currentValue']]
      : [],
  );
}
