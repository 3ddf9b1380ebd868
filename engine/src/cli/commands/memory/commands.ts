import type { Command } from 'commander';
import type { DeclareCommand } from '../../command.ts';

/** `memory search|list|export|import|forget|restore` */
export const addMemory: DeclareCommand = (program, add) => {
  const memory = program.command('memory').description('search, review, export and import memories');
  withFilter(
    add(memory, 'search <words...>', 'search memories', async () => (await import('./memory.ts')).searchMemories),
  ).option('--limit <n>', 'most to show, 1 to 200', '20');
  withFilter(
    add(memory, 'list', 'list memories, newest first', async () => (await import('./memory.ts')).listMemories),
  ).option('--forgotten', 'list forgotten memories too');
  withFilter(
    add(
      memory,
      'export <folder>',
      'write memories as Markdown files, one for each',
      async () => (await import('./files.ts')).exportMemories,
    ),
  ).option('--prune', 'delete files of memories that are gone');
  add(
    memory,
    'import <paths...>',
    'read memories from Markdown files or folders',
    async () => (await import('./files.ts')).importMemories,
  );
  add(memory, 'forget <id>', 'forget a memory', async () => (await import('./memory.ts')).forget).option(
    '--hard',
    'delete it for good',
  );
  add(memory, 'restore <id>', 'bring back a forgotten memory', async () => (await import('./memory.ts')).restore);
};

function withFilter(command: Command): Command {
  return command
    .option('--scope <scope>', 'only this scope: global, shared or local')
    .option('--director <id>', 'only memories of this director')
    .option('--agent <id>', 'only memories of this agent')
    .option('--tag <tag>', 'only memories with this tag')
    .option('--untrusted', 'only memories that may come from mail');
}
