import { type Command, InvalidArgumentError } from 'commander';
import { type AddCommand, load } from '../../command.ts';

/** Commands for the accounts that mail comes from. */
export function addAccounts(program: Command, add: AddCommand): void {
  const accounts = program.command('accounts').description('where mail comes from, and who signed in');
  add(
    accounts,
    'list',
    'each account, and whether somebody has to sign in',
    load(async () => (await import('./accounts.ts')).listAccounts),
  );
  add(
    accounts,
    'connect <id>',
    'prints a link to sign in at Google or Microsoft, and waits for it',
    load(async () => (await import('./connect.ts')).connectAccount),
  )
    .option('--timeout <seconds>', 'how long to wait', seconds, 300)
    .option('--plaintext', 'keep the tokens also where the data folder is not encrypted')
    .option('--no-open', 'do not open the browser');
  add(
    accounts,
    'disconnect <id>',
    'forgets the tokens of an account, and takes back what was allowed',
    load(async () => (await import('./accounts.ts')).disconnectAccount),
  ).option('--local', 'leave what was allowed at the provider as it is');
  add(
    accounts,
    'test [ids...]',
    'asks each provider, as a fetch would',
    load(async () => (await import('./accounts.ts')).testAccounts),
  );
}

function seconds(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 600) return number;
  throw new InvalidArgumentError('a link is good for 1 to 600 seconds.');
}
