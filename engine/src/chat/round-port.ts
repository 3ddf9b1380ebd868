import type { Change } from '../store/store.ts';
import type { Chat, ChatMessage } from './chat.ts';

/** What a new message starts: changes for the commit that appends it, and what to do once that commit is on disk. */
export interface FanOut {
  readonly changes: readonly Change[];
  readonly committed: () => void;
}

/** The rounds of chats, as the service of chats uses them. */
export interface Rounds {
  /** What a message of a person starts. The message is not stored yet. */
  messageAppended(chat: Chat, message: ChatMessage): Promise<FanOut>;
  /**
   * Has a participant speak next, for a person (`by`: user id). Resolves with the id of the round once it is queued. `NOT_FOUND`,
   * `CONFLICT`.
   */
  speak(chatId: string, participantId: string, by: string): Promise<string>;
  /** Cancels what a participant says, or all of it and what would follow. Does nothing where nobody speaks. */
  cancel(chatId: string, participantId?: string): Promise<void>;
}
