import { InvalidArgumentError, Option } from 'commander';
import type { DeclareCommand } from '../../command.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `test` */
export const addTest: DeclareCommand = (program, add) => {
  add(
    program,
    'test [files...]',
    'run the tests of directors and agents in config/tests; models answer from recordings',
    async () => (await import('./test.ts')).test,
    { errorExit: EXIT.usage },
  )
    .addOption(
      new Option('--record <mode>', 'which answers of models are recorded')
        .choices(['none', 'once', 'new_episodes', 'all'])
        .default('none'),
    )
    .option('--repeat <times>', 'run each test so often', positive, 1)
    .option('--filter <text>', 'run only the tests whose file or name contains the text')
    .option('--junit <file>', 'also write the results as JUnit XML')
    .option('--watch', 'run tests again when a file that they use is saved')
    .option('--from <run>', 'write a test for a past run, such as last, and run it');
};

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('expected a number from 1 on');
  return value;
}
