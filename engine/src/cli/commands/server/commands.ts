import { InvalidArgumentError } from 'commander';
import type { DeclareCommand } from '../../command.ts';

/** `start` */
export const addStart: DeclareCommand = (program, add) => {
  add(
    program,
    'start',
    'engine, fetcher and viewer; prints the URL',
    async () => (await import('./start.ts')).start,
    'info',
  )
    .option(
      '--port <number>',
      'port to listen on; 0 takes a free one (default: server.port of settings.yaml)',
      portNumber,
    )
    .option('--no-open', 'do not open the browser');
};

/** `worker` */
export const addWorker: DeclareCommand = (program, add) => {
  add(
    program,
    'worker',
    'works runs of a shared database (DATABASE_URL); no fetcher, no viewer',
    async () => (await import('./worker.ts')).worker,
    'info',
  ).option(
    '--metrics-port <number>',
    'serves /metrics and /api/health on this port of this machine, to holders of CALLSHEET_TOKEN; 0 takes a free one',
    portNumber,
  );
};

function portNumber(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new InvalidArgumentError('a port is a number from 0 to 65535.');
}
