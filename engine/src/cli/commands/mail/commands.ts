import { InvalidArgumentError } from 'commander';
import type { DeclareCommand } from '../../command.ts';

/** `filters try` */
export const addFilters: DeclareCommand = (program, add) => {
  const filters = program.command('filters').description('what becomes of a mail');
  add(
    filters,
    'try <file>',
    'which filters match this mail, and which part decided',
    async () => (await import('./filters.ts')).tryFile,
  ).option('--account <id>', 'the account that it would come to (default: the first one)');
};

/** `accounts list|connect|disconnect|test` */
export const addAccounts: DeclareCommand = (program, add) => {
  const accounts = program.command('accounts').description('where mail comes from, and who signed in');
  add(
    accounts,
    'list',
    'each account, and whether somebody has to sign in',
    async () => (await import('./accounts.ts')).listAccounts,
  );
  add(
    accounts,
    'connect <id>',
    'prints a link to sign in at Google or Microsoft, and waits for it',
    async () => (await import('./connect.ts')).connectAccount,
  )
    .option('--timeout <seconds>', 'how long to wait', seconds, 300)
    .option('--plaintext', 'keep the tokens also where the data folder is not encrypted')
    .option('--no-open', 'do not open the browser');
  add(
    accounts,
    'disconnect <id>',
    'forgets the tokens of an account, and takes back what was allowed',
    async () => (await import('./accounts.ts')).disconnectAccount,
  ).option('--local', 'leave what was allowed at the provider as it is');
  add(
    accounts,
    'test [ids...]',
    'asks each provider, as a fetch would',
    async () => (await import('./accounts.ts')).testAccounts,
  );
};

/** `todos list|done|open|delete` */
export const addTodos: DeclareCommand = (program, add) => {
  const todos = program.command('todos').description('the local list of to-dos');
  add(todos, 'list', 'what is open, newest first', async () => (await import('./todos.ts')).listTodos)
    .option('--done', 'what was ticked off')
    .option('--all', 'both');
  add(todos, 'done <id>', 'ticks one off', async () => (await import('./todos.ts')).tickOff);
  add(todos, 'open <id>', 'takes the tick away again', async () => (await import('./todos.ts')).reopen);
  add(todos, 'delete <id>', 'takes one off the list for good', async () => (await import('./todos.ts')).deleteTodo);
};

function seconds(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 600) return number;
  throw new InvalidArgumentError('a link is good for 1 to 600 seconds.');
}
