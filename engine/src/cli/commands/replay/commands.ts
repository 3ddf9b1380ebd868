import { Option } from 'commander';
import type { DeclareCommand } from '../../command.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `replay` */
export const addReplay: DeclareCommand = (program, add) => {
  add(
    program,
    'replay [runs...]',
    'run stored mail against another version of the config; nothing leaves, and models are asked only with --live',
    async () => (await import('./replay.ts')).replay,
    { errorExit: EXIT.usage },
  )
    .option('--since <span>', 'all mails and runs since then: 30d, 12h, or a date')
    .option('--mails <folder>', 'mails (.eml) and cases of a folder in place of the store')
    .option('--against <ref>', 'the config at a branch, tag or commit; without it: the config folder as it is')
    .option('--director <id>', 'only runs of this director')
    .option('--limit <number>', 'most mails and most runs, the newest first', '1000')
    .option('--routing', 'only filters, permissions and budgets: no run is played')
    .option('--live', 'also ask models, which costs money; needs --max-cost')
    .option('--max-cost <dollars>', 'with --live: stop once models have cost this much')
    .option('--repeat <number>', 'with --live: play each run this many times', '1')
    .option('--tools <how>', '"live": reads by declared HTTP tools that are not recorded run for real')
    .addOption(
      new Option('--format <format>', 'form of the report').choices(['pretty', 'json', 'github']).default('pretty'),
    )
    .option('--html <file>', 'also write the report as one page')
    .option('--fail-on <kinds>', 'exit 1 only for these kinds of differences, such as routing,permissions,drafts');
};

/** `record` */
export const addRecord: DeclareCommand = (program, add) => {
  add(
    program,
    'record <runs...>',
    'write runs as cases that can be played again: the mail, the answers of models and tools, and what happened',
    async () => (await import('./record.ts')).record,
    { errorExit: EXIT.usage },
  )
    .requiredOption('--into <folder>', 'folder that gets a folder for each case')
    .option('--redact', 'replace names, addresses and numbers by fictitious ones');
};

/** `shadow start|status|promote|drop` */
export const addShadow: DeclareCommand = (program, add) => {
  const shadow = program
    .command('shadow')
    .description('also run new mail under the config of a git ref, without any effect, and compare');
  const file = () => import('./shadow.ts');
  add(shadow, 'start <ref>', 'start on a branch, tag or commit', async () => (await file()).startShadow)
    .requiredOption('--percent <number>', 'share of new mail that is tried, up to 100')
    .requiredOption('--max-cost-per-day <dollars>', 'most that models of it may cost in one UTC day');
  add(shadow, 'status', 'show what would have been different so far', async () => (await file()).showShadow);
  add(
    shadow,
    'promote',
    'make the files of the config folder those of the ref, if none has changes that are not committed',
    async () => (await file()).promoteShadow,
  );
  add(shadow, 'drop', 'end it and delete its results', async () => (await file()).dropShadow);
};
