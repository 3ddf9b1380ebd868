import type { DeclareCommand } from '../../command.ts';

/** `chat` */
export const addChat: DeclareCommand = (program, add) => {
  add(
    program,
    'chat [id]',
    'talk with a director, an agent, or several at once (@PRESET); piped input is read line by line',
    async () => (await import('./chat.ts')).chat,
  )
    .option('--conversation <id>', 'go on with a conversation with a director; "last" is the newest one')
    .option(
      '--attach <file...>',
      'files for the first message to a director: PDF, DOCX, HTML, CSV or text; at most 10, of 20 MB each',
    )
    .option('--chat <id>', 'go on with a group chat; "last" is the one that changed last')
    .option('--session <id>', 'go on with a session with an agent');
};
