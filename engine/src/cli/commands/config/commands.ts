import { Option } from 'commander';
import type { DeclareCommand } from '../../command.ts';

/** `validate` */
export const addValidate: DeclareCommand = (program, add) => {
  add(
    program,
    'validate [paths...]',
    'all problems of the config at once',
    async () => (await import('./validate.ts')).validate,
  ).addOption(new Option('--format <format>', 'how problems are printed').choices(['pretty', 'json', 'github']));
};

/** `secrets list|set|delete` */
export const addSecrets: DeclareCommand = (program, add) => {
  const secrets = program.command('secrets').description('values behind ${secret:NAME}');
  add(secrets, 'list', 'their names, never the values', async () => (await import('./secrets.ts')).listSecrets);
  add(secrets, 'set <name>', 'keeps what comes on stdin', async () => (await import('./secrets.ts')).setSecret).option(
    '--plaintext',
    'also where the data folder is not encrypted',
  );
  add(secrets, 'delete <name>', 'forgets one', async () => (await import('./secrets.ts')).deleteSecret);
};
