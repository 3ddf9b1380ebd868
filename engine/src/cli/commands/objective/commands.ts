import type { DeclareCommand } from '../../command.ts';

/** `objectives list|show|pause|resume|finish` */
export const addObjectives: DeclareCommand = (program, add) => {
  const objectives = program.command('objectives').description('list objectives; show, pause, resume and finish one');
  const file = () => import('./objectives.ts');
  add(objectives, 'list', 'list objectives, newest first', async () => (await file()).listObjectives)
    .option('--status <status>', 'only pending, in_progress, waiting, done or error')
    .option('--director <id>', 'only those of this director')
    .option('--limit <n>', 'most to list', '20');
  add(objectives, 'show <id>', 'show an objective with its story', async () => (await file()).showObjective);
  add(objectives, 'pause <id>', 'pause: nothing leaves until it resumes', async () => (await file()).pauseObjective);
  add(objectives, 'resume <id>', 'resume a paused objective', async () => (await file()).resumeObjective);
  add(objectives, 'finish <id>', 'end an objective as reached', async () => (await file()).finishObjective);
};
