import type { Command } from 'commander';
import { type AddCommand, load } from '../../command.ts';

/** Commands for what lies on a person's desk: what waits for an answer, and what is to be done. */
export function addDesk(program: Command, add: AddCommand): void {
  addApprovals(program, add);
  addTodos(program, add);
}

function addApprovals(program: Command, add: AddCommand): void {
  const approvals = program.command('approvals').description('what waits for you');
  add(
    approvals,
    'list',
    'what waits, oldest first',
    load(async () => (await import('../run/approvals.ts')).listApprovals),
  ).option('--all', 'those that were answered, too');
  add(
    approvals,
    'allow <id>',
    'lets the call go ahead',
    load(async () => (await import('../run/approvals.ts')).allow),
  )
    .option('--arguments <json>', 'other arguments than the model wrote')
    .option('--reason <text>', 'why');
  add(
    approvals,
    'deny <id>',
    'refuses the call; the model is told',
    load(async () => (await import('../run/approvals.ts')).deny),
  ).option('--reason <text>', 'why; the model reads it');
}

function addTodos(program: Command, add: AddCommand): void {
  const todos = program.command('todos').description('the local list of to-dos');
  add(
    todos,
    'list',
    'what is open, newest first',
    load(async () => (await import('./todos.ts')).listTodos),
  )
    .option('--done', 'what was ticked off')
    .option('--all', 'both');
  add(
    todos,
    'done <id>',
    'ticks one off',
    load(async () => (await import('./todos.ts')).tickOff),
  );
  add(
    todos,
    'open <id>',
    'takes the tick away again',
    load(async () => (await import('./todos.ts')).reopen),
  );
  add(
    todos,
    'delete <id>',
    'takes one off the list for good',
    load(async () => (await import('./todos.ts')).deleteTodo),
  );
}
