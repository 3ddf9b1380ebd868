import type { DeclareCommand } from '../../command.ts';

/** `tasks add|list|show|cancel|retry` */
export const addTasks: DeclareCommand = (program, add) => {
  const tasks = program.command('tasks').description('give tasks to directors and agents');
  add(
    tasks,
    'add <title>',
    'add a task; it starts when it is due, by default at once',
    async () => (await import('./tasks.ts')).addTask,
  )
    .requiredOption('--to <id>', 'director or agent that works on it')
    .option('--instructions <text>', 'what is to be done')
    .option('--file <path>', 'path of a file as its tools take it; can be repeated', collect, [])
    .option('--attach <file...>', 'files for a director: PDF, DOCX, HTML, CSV or text; at most 10, of 20 MB each')
    .option('--due <time>', 'day or time of the start, such as 2026-11-25 or 2026-11-25T14:00')
    .option('--priority <priority>', 'low, normal, high or urgent: decides which due task starts first', 'normal');
  add(
    tasks,
    'list',
    'list tasks, newest first, and when directors with a schedule start next',
    async () => (await import('./tasks.ts')).listTasks,
  )
    .option('--status <status>', 'only tasks in this status: pending, running, completed, failed, cancelled')
    .option('--to <id>', 'only tasks of this director or agent');
  add(tasks, 'show <id>', 'show a task and its result', async () => (await import('./tasks.ts')).showTask);
  add(tasks, 'cancel <id>', 'cancel a task, and its run', async () => (await import('./tasks.ts')).cancelTask);
  add(
    tasks,
    'retry <id>',
    'start a failed or cancelled task again, at once',
    async () => (await import('./tasks.ts')).retryTask,
  );
};

function collect(path: string, before: readonly string[]): readonly string[] {
  return [...before, path];
}
