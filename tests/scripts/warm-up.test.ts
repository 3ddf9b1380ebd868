import { Server } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
// @ts-expect-error: a script without types.
import { warmUp as untyped } from '../../scripts/warm-up.mjs';

const warmUp = untyped as (program: {
  runCommand: (given: { readonly argv: readonly string[] }) => Promise<number>;
}) => Promise<void>;

test('where no port may be opened, the commands that need none run all the same', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    process.nextTick(() => this.emit('error', new Error('listen EPERM')));
    return this;
  });
  onTestFinished(() => listen.mockRestore());
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const commands: (string | undefined)[] = [];
  await warmUp({ runCommand: ({ argv: [command] }) => Promise.resolve(commands.push(command)) });
  expect(commands).toEqual(['--help', 'validate', 'runs', 'start']);
  expect(said.mock.calls).toEqual([['callsheet: the first commands will start slower: 4']]);
});
