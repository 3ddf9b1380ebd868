import type { Chat, ChatMessage } from '../../../chat/chat.ts';
import { oneLine } from '../../terminal/table.ts';

/** The name of a message's author, in the colour of the participant where the terminal has colours. */
export function nameIn(
  { participants }: Pick<Chat, 'participants'>,
  { authorId, authorDisplayName }: Pick<ChatMessage, 'authorId' | 'authorDisplayName'>,
  hasColor: boolean,
): string {
  const name = oneLine(authorDisplayName);
  const color = participants.find(({ id }) => id === authorId)?.colorHex;
  if (!hasColor) return name;
  if (color === undefined) return `\x1b[1m${name}\x1b[0m`;
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `\x1b[1;38;2;${red};${green};${blue}m${name}\x1b[0m`;
}
