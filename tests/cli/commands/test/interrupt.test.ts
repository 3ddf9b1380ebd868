import { existsSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { makePlace, type Place } from '../../harness.ts';
import { type FakeTerminal, fakeTerminal } from '../../terminal/fake-terminal.ts';

/** A model that makes one call, and then says something; its answer to `held` does not come before the interrupt. */
let server: Server;
let requests = 0;
let held: number | undefined;
let interrupt: (signal: 'SIGINT') => void = () => {};
let place: Place;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (++requests === held) return interrupt('SIGINT');
      const call = { name: 'workspace_add_item', arguments: '{"label":"a","data":"x"}' };
      const message = body.includes('"role":"tool"')
        ? { role: 'assistant', content: 'Good morning.' }
        : { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] };
      const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, finish_reason, message }] }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const { port } = server.address() as AddressInfo;
  place = makePlace({
    'apis/real.yaml': `id: real\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\nbaseUrl: http://127.0.0.1:${port}/v1\nstream: false\n`,
    'directors/real.yaml': 'id: real\nname: Real\napiConfigId: real\ntools: [workspace]\n',
    'tests/two.yaml': `director: real
tests:
  - { message: hello, assert: [{ type: contains, value: morning }] }
  - { message: good day, assert: [{ type: contains, value: morning }] }
`,
  });
});
afterAll(async () => {
  place.remove();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
beforeEach(() => {
  rmSync(join(place.dir, 'cassettes'), { recursive: true, force: true });
  requests = 0;
});

async function run(mode: string, heldAt?: number) {
  held = heldAt;
  const argv = ['test', '--record', mode];
  const terminal: FakeTerminal = {
    ...fakeTerminal({ argv, cwd: place.dir, env: { PATH: '', HOME: place.dir, KEY: 'sk-test-key' } }),
    onSignal: (listener) => ((interrupt = listener), () => {}),
  };
  terminal.end();
  const code = await runCommand(terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

const cassettes = () => [1, 2].map((n) => existsSync(join(place.dir, `cassettes/two/${n}.json`)));

test('Ctrl-C while answers are recorded ends with 130 and the results so far, and keeps the recordings of tests that are done', async () => {
  const { code, stdout, stderr } = await run('once', 4);
  expect([code, requests, cassettes()]).toEqual([130, 4, [true, false]]);
  expect(stdout).toContain('1 passed');
  expect(stderr).toBe(
    'interrupted: 1 of 2 tests ran; their recordings are kept, but nothing of the test that ran then\n',
  );
  expect((await run('once')).code).toBe(0);
  expect(requests).toBe(6);
});

test('with --record new_episodes also the answers of the test that ran are kept, and the next run asks only for the rest', async () => {
  const { code, stderr } = await run('new_episodes', 4);
  expect([code, requests, cassettes()]).toEqual([130, 4, [true, true]]);
  expect(stderr).toBe(
    'interrupted: 1 of 2 tests ran; their recordings are kept, and the answers so far of the test that ran then\n',
  );
  expect((await run('new_episodes')).code).toBe(0);
  expect(requests).toBe(5);
});
