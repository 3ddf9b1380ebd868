import type { DeclareCommand } from '../../command.ts';

/** `files list|show|undo` */
export const addFiles: DeclareCommand = (program, add) => {
  const files = program.command('files').description('changes that agents made to files of notebooks');
  add(files, 'list', 'list changes, newest first', async () => (await import('./files.ts')).listFileChanges).option(
    '--run <id>',
    'only those of one run',
  );
  add(files, 'show <effect>', 'show what a change did', async () => (await import('./files.ts')).showFileChange);
  add(
    files,
    'undo <effect>',
    'bring back the file as it was before a change',
    async () => (await import('./files.ts')).undoFileChange,
  );
};
