import type { DeclareCommand } from '../../command.ts';

/** `migrate` */
export const addMigrate: DeclareCommand = (program, add) => {
  add(
    program,
    'migrate',
    'moves everything stored from the data folder to a PostgreSQL database, or back',
    async () => (await import('./migrate.ts')).migrate,
    'info',
  )
    .option('--from <place>', 'a folder or postgres://… (default: the data folder, or DATABASE_URL on the way back)')
    .option('--to <place>', 'a folder or postgres://… (default: DATABASE_URL)')
    .option('--dry-run', 'says what would be moved, and writes nothing')
    .option('--reopen', 'lets a place be opened again that a move has left, or began to leave');
};

/** `key make|rotate` */
export const addKey: DeclareCommand = (program, add) => {
  const key = program.command('key').description('the key that everything stored is encrypted with');
  add(key, 'make', 'prints a new one for VX_MAILAGENT_KEY', async () => (await import('./key.ts')).printNewKey);
  add(
    key,
    'rotate',
    'seals everything under another key',
    async () => (await import('./key.ts')).rotate,
    'info',
  ).option(
    '--new-key-file <file>',
    'where the new key stands (default: VX_MAILAGENT_NEW_KEY, else one is made and printed)',
  );
};
