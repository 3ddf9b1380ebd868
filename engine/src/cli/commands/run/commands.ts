import type { DeclareCommand } from '../../command.ts';

/** `run` */
export const addRun: DeclareCommand = (program, add) => {
  add(program, 'run <director>', 'run a director once and print the result', async () => (await import('./run.ts')).run)
    .option('--message <text>', 'message to the director')
    .option('--email <file>', 'mail file (.eml) for the director');
};

/** `runs list|show|cancel|retry` */
export const addRuns: DeclareCommand = (program, add) => {
  const runs = program.command('runs').description('list, show, cancel and repeat runs');
  add(runs, 'list', 'list runs, newest first', async () => (await import('./runs.ts')).listRuns)
    .option('--status <status>', 'only runs in this status: queued, running, waiting, completed, failed, cancelled')
    .option('--director <id>', 'only runs of this director')
    .option('--limit <number>', 'number of runs, 1 to 200', '20');
  add(
    runs,
    'show <id>',
    'show the steps of a run as a tree, and its items; "last" is the newest run',
    async () => (await import('./runs.ts')).showRun,
  ).option('--follow', 'print each step when it ends, until the run is over');
  add(
    runs,
    'cancel <id>',
    'cancel a run and its agents; its items stay',
    async () => (await import('./runs.ts')).cancelRun,
  );
  add(
    runs,
    'retry [ids...]',
    'repeat failed runs on the same mail or message; each is repeated once',
    async () => (await import('./retry.ts')).retryRuns,
  )
    .option('--failed', 'all runs that failed since --since and were not repeated')
    .option('--since <span>', 'with --failed: 1d, 12h, or a date');
};

/** `spend` */
export const addSpend: DeclareCommand = (program, add) => {
  add(
    program,
    'spend',
    'show model costs by day, director and API',
    async () => (await import('./spend.ts')).showSpend,
  ).option('--days <number>', 'number of UTC days', '30');
};

/** `approvals list|allow|deny` */
export const addApprovals: DeclareCommand = (program, add) => {
  const approvals = program.command('approvals').description('list and answer approvals');
  add(
    approvals,
    'list',
    'list pending approvals, oldest first',
    async () => (await import('./approvals.ts')).listApprovals,
  ).option('--all', 'also list answered approvals');
  add(approvals, 'allow <id>', 'allow the tool call', async () => (await import('./approvals.ts')).allow)
    .option('--arguments <json>', 'replace the arguments of the model')
    .option('--yes', 'also where the approval has warnings, such as gaps in a mail')
    .option('--reason <text>', 'reason, stored with the decision');
  add(
    approvals,
    'deny <id>',
    'deny the tool call; the model gets the denial',
    async () => (await import('./approvals.ts')).deny,
  ).option('--reason <text>', 'reason, sent to the model');
};

/** `export` */
export const addExport: DeclareCommand = (program, add) => {
  add(
    program,
    'export',
    'print runs as JSON lines, with transcripts, events, entries, items and approvals',
    async () => (await import('./export.ts')).exportRuns,
  )
    .option('--run <id>', 'only this run')
    .option('--since <span>', 'only runs since then: 30d, 12h, or a date');
};
