import type { DeclareCommand } from '../../command.ts';

/** `run` */
export const addRun: DeclareCommand = (program, add) => {
  add(
    program,
    'run <director>',
    'one run of a director, and what came of it',
    async () => (await import('./run.ts')).run,
  )
    .option('--message <text>', 'what it is asked')
    .option('--email <file>', 'a mail (.eml) that it is given');
};

/** `runs list|show|cancel` */
export const addRuns: DeclareCommand = (program, add) => {
  const runs = program.command('runs').description('what is running and what was');
  add(runs, 'list', 'newest first', async () => (await import('./runs.ts')).listRuns)
    .option('--status <status>', 'queued, running, waiting, completed, failed or cancelled')
    .option('--director <id>', 'of this director only')
    .option('--limit <number>', 'how many, 1 to 200', '20');
  add(
    runs,
    'show <id>',
    'what happened in one run, as a tree, and its items',
    async () => (await import('./runs.ts')).showRun,
  );
  add(
    runs,
    'cancel <id>',
    'stops a run and all under it; its items stay',
    async () => (await import('./runs.ts')).cancelRun,
  );
};

/** `spend` */
export const addSpend: DeclareCommand = (program, add) => {
  add(
    program,
    'spend',
    'what models have cost, by day, director and api',
    async () => (await import('./spend.ts')).showSpend,
  ).option('--days <number>', 'how far back, in UTC days', '30');
};

/** `approvals list|allow|deny` */
export const addApprovals: DeclareCommand = (program, add) => {
  const approvals = program.command('approvals').description('what waits for you');
  add(approvals, 'list', 'what waits, oldest first', async () => (await import('./approvals.ts')).listApprovals).option(
    '--all',
    'those that were answered, too',
  );
  add(approvals, 'allow <id>', 'lets the call go ahead', async () => (await import('./approvals.ts')).allow)
    .option('--arguments <json>', 'other arguments than the model wrote')
    .option('--reason <text>', 'why');
  add(
    approvals,
    'deny <id>',
    'refuses the call; the model is told',
    async () => (await import('./approvals.ts')).deny,
  ).option('--reason <text>', 'why; the model reads it');
};

/** `export` */
export const addExport: DeclareCommand = (program, add) => {
  add(
    program,
    'export',
    'runs as JSON lines: transcripts, events, entries, items, approvals',
    async () => (await import('./export.ts')).exportRuns,
  )
    .option('--run <id>', 'this run only')
    .option('--since <span>', 'runs that are not older: 30d, 12h, or a date');
};
