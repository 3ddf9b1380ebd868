import type { DeclareCommand } from '../../command.ts';

/** `run` */
export const addRun: DeclareCommand = (program, add) => {
  add(program, 'run <director>', 'run a director once and print the result', async () => (await import('./run.ts')).run)
    .option('--message <text>', 'message to the director')
    .option('--email <file>', 'mail file (.eml) for the director')
    .option('--attach <file...>', 'files for the message: PDF, DOCX, HTML, CSV or text; at most 10, of 20 MB each')
    .option('--conversation <id>', 'go on with a conversation; "last" is the newest one with this director');
};

/** `runs list|show|answer|cancel|retry` */
export const addRuns: DeclareCommand = (program, add) => {
  const runs = program.command('runs').description('list, show, answer, cancel and repeat runs');
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
    'answer <id> [text...]',
    'answer the question of a run; without a text, show the question',
    async () => (await import('./answer.ts')).answerRun,
  );
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
    .option('--outage', 'all runs and objectives that no model answered since --since, and that were not repeated')
    .option('--since <span>', 'with --failed or --outage: 1d, 12h, or a date; --outage without it: 1d');
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

/** `audit` */
export const addAudit: DeclareCommand = (program, add) => {
  add(program, 'audit', 'list tool calls, allowed or not, and why', async () => (await import('./audit.ts')).listAudit)
    .option('--run <id>', 'only those of one run; "last" is the newest run')
    .option('--since <span>', 'only since then: 1d, 12h, or a date')
    .option('--limit <number>', 'number of calls, 1 to 200', '50');
};

/** `approvals list|show|allow|deny` */
export const addApprovals: DeclareCommand = (program, add) => {
  const approvals = program.command('approvals').description('list and answer approvals');
  add(
    approvals,
    'list',
    'list pending approvals, oldest first',
    async () => (await import('./approvals.ts')).listApprovals,
  ).option('--all', 'also list answered approvals');
  add(
    approvals,
    'show <id>',
    'show what a call does, who asks and why, and its exact arguments',
    async () => (await import('./approvals.ts')).showApproval,
  );
  add(approvals, 'allow <id>', 'allow the tool call', async () => (await import('./approvals.ts')).allow)
    .option('--arguments <json>', 'replace the arguments of the model')
    .option('--for-run', 'also allow later calls of this run with the same arguments')
    .option('--always [pattern]', 'also allow such calls from now on; prints what changes in the config, and asks')
    .option('--yes', 'do not ask; also where the approval has warnings, such as gaps in a mail')
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
