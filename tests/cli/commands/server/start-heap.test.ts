import { expect, test } from 'vitest';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import type { Terminal } from '../../../../engine/src/cli/terminal/terminal.ts';
import { makePlace } from '../../harness.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

test('a server that has started limits the growth of its heap', async () => {
  const place = makePlace();
  const listeners: Parameters<Terminal['onSignal']>[0][] = [];
  const limited = Promise.withResolvers<void>();
  const terminal: Terminal = {
    ...fakeTerminal({ argv: ['start', '--port', '0', '--no-open'], cwd: place.dir }),
    onSignal: (listener) => (listeners.push(listener), () => {}),
    limitHeapGrowthSoon: limited.resolve,
  };
  const ended = runCommand(terminal);
  await Promise.race([limited.promise, ended]);
  for (const listener of listeners.splice(0)) listener('SIGTERM');
  expect(await ended).toBe(0);
  await limited.promise;
  place.remove();
});
