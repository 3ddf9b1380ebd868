import { effect, signal } from '@preact/signals';
import type { Chat } from '../http/api-types.ts';
import { isRecord } from '../http/json.ts';
import { chats } from './chats.ts';
import { messages, shownChat } from './shown-chat.ts';

/** What this browser has shown of the chats. Times are ISO 8601, of the server. */
interface Seen {
  /** What changed until then is nothing new. */
  readonly since: string;
  /** When a chat had changed last as it was shown, by id. */
  readonly at: Readonly<Record<string, string>>;
}

const NAME = 'callsheet.chats.seen';
/** Most chats that are kept; what is older than they are counts as seen. */
const MAX_KEPT = 200;

const seen = signal<Seen | undefined>(stored());

/** Whether a chat has something that this browser has not shown yet. */
export function hasNews({ id, updatedAt }: Pick<Chat, 'id' | 'updatedAt'>): boolean {
  const { since, at } = seen.value ?? { since: updatedAt, at: {} };
  return updatedAt > (at[id] ?? since);
}

/** Notes what is shown, for `hasNews`. The first list that a browser shows has no news. */
export function watchSeen(): () => void {
  return effect(() => {
    const [newest] = chats.items.value;
    const { key, data } = shownChat.state.value;
    const before = seen.peek() ?? (newest && { since: newest.updatedAt, at: {} });
    if (before === undefined) return;
    const isShown = data !== undefined && key === messages.value.chatId;
    keep(isShown ? { ...before, at: { ...before.at, [data.id]: data.updatedAt } } : before);
  });
}

function keep({ since, at }: Seen): void {
  const newestFirst = Object.entries(at).toSorted(([, a], [, b]) => (a < b ? 1 : -1));
  const [, dropped = since] = newestFirst[MAX_KEPT] ?? [];
  const next = {
    since: dropped > since ? dropped : since,
    at: Object.fromEntries(newestFirst.slice(0, MAX_KEPT)),
  };
  const text = JSON.stringify(next);
  if (text === JSON.stringify(seen.peek())) return;
  seen.value = next;
  localStorage.setItem(NAME, text);
}

function stored(): Seen | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(NAME) ?? 'null');
    if (!isRecord(value) || typeof value['since'] !== 'string' || !isRecord(value['at'])) return undefined;
    const at = Object.entries(value['at']).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { since: value['since'], at: Object.fromEntries(at) };
  } catch {
    // Somebody has changed it by hand: it begins anew.
    return undefined;
  }
}
