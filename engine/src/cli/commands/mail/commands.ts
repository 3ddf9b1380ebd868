import { InvalidArgumentError } from 'commander';
import type { DeclareCommand } from '../../command.ts';

/** `filters try` */
export const addFilters: DeclareCommand = (program, add) => {
  const filters = program.command('filters').description('test filters');
  add(
    filters,
    'try <file>',
    'show which filters match a mail file, and which condition decided',
    async () => (await import('./filters.ts')).tryFile,
  ).option('--account <id>', 'account that receives the mail (default: the first one)');
};

/** `accounts list|connect|disconnect|test` */
export const addAccounts: DeclareCommand = (program, add) => {
  const accounts = program.command('accounts').description('manage mail accounts and sign-in');
  add(
    accounts,
    'list',
    'list accounts, and whether a person has to sign in',
    async () => (await import('./accounts.ts')).listAccounts,
  );
  add(
    accounts,
    'connect <id>',
    'print a link to sign in to Google or Microsoft, and wait for the sign-in',
    async () => (await import('./connect.ts')).connectAccount,
  )
    .option('--timeout <seconds>', 'seconds to wait, 1 to 600', seconds, 300)
    .option('--plaintext', 'store the tokens even if the data folder is not encrypted')
    .option('--no-open', 'do not open the browser');
  add(
    accounts,
    'disconnect <id>',
    'delete the tokens of an account, and revoke the access at the provider',
    async () => (await import('./accounts.ts')).disconnectAccount,
  ).option('--local', 'do not revoke the access at the provider');
  add(
    accounts,
    'test [ids...]',
    'connect to the provider of each account',
    async () => (await import('./accounts.ts')).testAccounts,
  );
};

/** `todos list|done|open|delete` */
export const addTodos: DeclareCommand = (program, add) => {
  const todos = program.command('todos').description('manage the local to-do list');
  add(todos, 'list', 'list open to-dos, newest first', async () => (await import('./todos.ts')).listTodos)
    .option('--done', 'list to-dos that are done')
    .option('--all', 'list open and done to-dos');
  add(todos, 'done <id>', 'mark a to-do as done', async () => (await import('./todos.ts')).tickOff);
  add(todos, 'open <id>', 'mark a to-do as open', async () => (await import('./todos.ts')).reopen);
  add(todos, 'delete <id>', 'delete a to-do', async () => (await import('./todos.ts')).deleteTodo);
};

/** `reminders list|cancel` */
export const addReminders: DeclareCommand = (program, add) => {
  const reminders = program.command('reminders').description('manage reminders');
  add(
    reminders,
    'list',
    'list open reminders, the next one first',
    async () => (await import('./reminders.ts')).listReminders,
  )
    .option('--fired', 'list reminders that were due')
    .option('--cancelled', 'list reminders that were cancelled');
  add(reminders, 'cancel <id>', 'cancel an open reminder', async () => (await import('./reminders.ts')).cancelReminder);
};

function seconds(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 600) return number;
  throw new InvalidArgumentError('the timeout must be 1 to 600 seconds.');
}
