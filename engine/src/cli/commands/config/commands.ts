import { Option } from 'commander';
import type { DeclareCommand } from '../../command.ts';

/** `validate` */
export const addValidate: DeclareCommand = (program, add) => {
  add(
    program,
    'validate [paths...]',
    'list all problems of the config',
    async () => (await import('./validate.ts')).validate,
  )
    .addOption(new Option('--format <format>', 'output format').choices(['pretty', 'json', 'github']))
    .option('--strict', 'exit with 1 if there are only warnings; without it with 0')
    .option('--runs', 'also say which open runs, sessions and objectives of the store would be refused or change');
};

/** `tools` */
export const addTools: DeclareCommand = (program, add) => {
  add(
    program,
    'tools [name]',
    'list all tools, or show the parameters of a tool or of a family',
    async () => (await import('./tools.ts')).showTools,
  );
};

/** `permissions` */
export const addPermissions: DeclareCommand = (program, add) => {
  add(
    program,
    'permissions <director>',
    'show for each tool of a director and its agents whether a call runs, asks or is denied, and by which rule',
    async () => (await import('./permissions.ts')).showPermissions,
  );
};

/** `secrets list|set|allow|delete` */
export const addSecrets: DeclareCommand = (program, add) => {
  const secrets = program.command('secrets').description('manage the values of ${secret:NAME}');
  add(
    secrets,
    'list',
    'list the names and their hosts, never the values',
    async () => (await import('./secrets.ts')).listSecrets,
  );
  add(
    secrets,
    'set <name>',
    'store the value read from stdin',
    async () => (await import('./secrets.ts')).setSecret,
  ).option('--plaintext', 'store it even if the data folder is not encrypted');
  add(
    secrets,
    'allow <name> <host>',
    'allow one more host to get the value',
    async () => (await import('./secrets.ts')).allowHost,
  );
  add(secrets, 'delete <name>', 'delete a secret', async () => (await import('./secrets.ts')).deleteSecret);
};
