import type { DeclareCommand } from '../../command.ts';

/** `chats list|show|export|import` */
export const addChats: DeclareCommand = (program, add) => {
  const chats = program.command('chats').description('group chats: list, read, write to files and read back');
  add(chats, 'list', 'list chats, the last changed first', async () => (await import('./chats.ts')).listChats).option(
    '--archived',
    'the archived ones',
  );
  add(
    chats,
    'show <id>',
    'show a chat with its newest messages',
    async () => (await import('./chats.ts')).showChat,
  ).option('--limit <number>', 'how many messages, 1 to 200', '50');
  add(
    chats,
    'export [id...]',
    'write chats to files: index.json, and chat.json and messages.jsonl for each; all chats without an id',
    async () => (await import('./export.ts')).exportChats,
  ).option('--to <folder>', 'folder for the files', 'chats');
  add(
    chats,
    'import <folder>',
    'read chats that were exported; a chat that is here already is refused',
    async () => (await import('./import.ts')).importChats,
  );
};
