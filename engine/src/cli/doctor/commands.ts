import type { DeclareCommand } from '../command.ts';

/** `doctor` */
export const addDoctor: DeclareCommand = (program, add) => {
  add(
    program,
    'doctor',
    'check the installation, the store, the config and the accounts',
    async () => (await import('./doctor.ts')).doctor,
    { level: 'error' },
  )
    .option('--ask', 'also ask each model for one small tool call; may cost a fraction of a cent')
    .option('--security', 'check only what SECURITY.md promises: key, files, sign-in, leaks, tools that run unasked');
};
