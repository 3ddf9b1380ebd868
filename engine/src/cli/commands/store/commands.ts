import type { DeclareCommand } from '../../command.ts';

/** `migrate` */
export const addMigrate: DeclareCommand = (program, add) => {
  add(
    program,
    'migrate',
    'move all stored data from the data folder to a PostgreSQL database, or back',
    async () => (await import('./migrate.ts')).migrate,
    { level: 'info' },
  )
    .option('--from <location>', 'a folder or postgres://… (default: the data folder, or DATABASE_URL on the way back)')
    .option('--to <location>', 'a folder or postgres://… (default: DATABASE_URL)')
    .option('--dry-run', 'count the rows to move, and write nothing')
    .option('--reopen', 'unlock the location of --from after a move, or after a failed move');
};

/** `key make|rotate` */
export const addKey: DeclareCommand = (program, add) => {
  const key = program.command('key').description('make and rotate the encryption key');
  add(key, 'make', 'print a new key for VX_MAILAGENT_KEY', async () => (await import('./key.ts')).printNewKey);
  add(key, 'rotate', 'encrypt all stored data under another key', async () => (await import('./key.ts')).rotate, {
    level: 'info',
  }).option(
    '--new-key-file <file>',
    'file with the new key (default: VX_MAILAGENT_NEW_KEY, else a new key is printed)',
  );
};
