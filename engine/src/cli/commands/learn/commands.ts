import type { DeclareCommand } from '../../command.ts';

/** `learn` */
export const addLearn: DeclareCommand = (program, add) => {
  add(
    program,
    'learn',
    'propose changes of prompts and memories from edited drafts, as a patch',
    async () => (await import('./learn.ts')).learn,
  )
    .option('--since <span>', 'edits since then: 30d, 12h, or a date', '30d')
    .option('--director <id>', 'only drafts of this director and its agents')
    .option('--apply <patch>', 'apply a patch that was proposed before: its file or its id');
};
