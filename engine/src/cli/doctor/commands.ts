import type { DeclareCommand } from '../command.ts';

/** `doctor` */
export const addDoctor: DeclareCommand = (program, add) => {
  add(
    program,
    'doctor',
    'checks everything that can be wrong, and says what to do',
    async () => (await import('./doctor.ts')).doctor,
    'error',
  ).option('--ask', 'asks each model for one tiny tool call; that may cost a fraction of a cent');
};
