import { InvalidArgumentError } from 'commander';
import type { DeclareCommand } from '../../command.ts';

/** `start` */
export const addStart: DeclareCommand = (program, add) => {
  add(
    program,
    'start',
    'start the engine, the fetcher and the viewer; print the URL',
    async () => (await import('./start.ts')).start,
    { level: 'info' },
  )
    .option(
      '--port <number>',
      'port to listen on; 0 for any free port (default: server.port of settings.yaml)',
      portNumber,
    )
    .option('--no-open', 'do not open the browser')
    .option('--accept-new-store', 'use the database although it is another or an older one than before');
};

/** `worker` */
export const addWorker: DeclareCommand = (program, add) => {
  add(
    program,
    'worker',
    'process runs of a shared database (DATABASE_URL), without fetcher and viewer',
    async () => (await import('./worker.ts')).worker,
    { level: 'info' },
  ).option(
    '--metrics-port <number>',
    'serve /metrics (needs CALLSHEET_TOKEN) and /api/health on this local port; 0 for any free port',
    portNumber,
  );
};

/** `sessions end` */
export const addSessions: DeclareCommand = (program, add) => {
  const sessions = program.command('sessions').description('sessions of browsers that are signed in to the viewer');
  add(
    sessions,
    'end',
    'sign out all browsers; open pages end at once',
    async () => (await import('./sessions.ts')).endSessions,
  );
};

function portNumber(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new InvalidArgumentError('a port must be a number from 0 to 65535.');
}
