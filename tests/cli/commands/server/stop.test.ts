import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FILES, makePlace, type Place, type Started } from '../../harness.ts';

/** Longest end of a process, in milliseconds; the process gives up after 9 s, and a supervisor kills it after 10 s. */
const IN_TIME_MS = 12_000;

let place: Place;
let started: Started | undefined;
let smtp: Server | undefined;
let stopSaving = () => {};
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  stopSaving();
  await started?.stop('SIGKILL');
  started = undefined;
  smtp?.close();
  place.remove();
});

/** Saves account documents over and over, as an editor does, until `stopSaving`; returns how often it has saved. */
function keepSaving(): () => number {
  let saves = 0;
  const timer = setInterval(() => {
    const name = `more${saves++ % 3}`;
    const text = `id: ${name}\nprovider: folder\nemail: me@example.org\npath: ./inbox${saves}\n`;
    const temporary = join(place.dir, `${name}.new`);
    writeFileSync(temporary, text);
    renameSync(temporary, join(place.dir, 'config', 'accounts', `${name}.yaml`));
  }, 3);
  stopSaving = () => clearInterval(timer);
  return () => saves;
}

/** A mail server that accepts connections and answers nothing: a send stays under way. */
async function openSilentSmtp(): Promise<{ port: number; sending: Promise<Socket> }> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  smtp = createServer((socket) => resolve(socket.on('error', () => {})));
  await new Promise<void>((listening) => smtp?.listen(0, '127.0.0.1', listening));
  const address = smtp.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, sending: promise };
}

/** How a process ended, or `undefined` if it did not end in time. */
async function endOf(running: Started, signal: NodeJS.Signals = 'SIGTERM') {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, IN_TIME_MS);
    cancel = () => clearTimeout(timer);
  });
  const ended = await Promise.race([running.stop(signal), late]);
  cancel();
  return ended;
}

const SENDS = (port: number) => ({
  ...FILES,
  'apis/main.yaml': `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: mail_send, arguments: { accountId: team, to: [ada@example.org], subject: hello, text: 'Hello.' } }
  - when: { any: true }
    say: done
`,
  'accounts/team.yaml': `id: team
provider: imap
email: team@example.org
imap: { host: 127.0.0.1, port: 1, secure: false }
auth: { user: team, pass: '\${env:TEAM_PASSWORD}' }
smtp: { host: 127.0.0.1, port: ${port}, secure: false }
`,
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [mail]\npermissions: { allow: [mail_send(to=ada@example.org)] }\n',
});

describe('SIGTERM while the config is being saved', () => {
  test('ends the process, also while a mail is being sent', async () => {
    const { port, sending } = await openSilentSmtp();
    place.write(SENDS(port));
    started = await place.start([], { TEAM_PASSWORD: 'secret-of-the-team' });
    const begun = await started.ask('POST', '/api/runs', { directorId: 'boss', message: 'send it' });
    expect(begun.status).toBeLessThan(300);
    const socket = await sending;
    const saves = keepSaving();
    const end = endOf(started);
    await expect.poll(saves).toBeGreaterThan(100);
    socket.destroy();
    expect(await end).toMatchObject({ code: 0, stderr: expect.not.stringContaining('still open') });
  });

  test('ends the process at any moment', async () => {
    for (let round = 0; round < 3; round++) {
      started = await place.start();
      const saves = keepSaving();
      await expect.poll(saves).toBeGreaterThan(10 + round);
      expect(await endOf(started), `round ${round}`).toMatchObject({
        code: 0,
        stderr: expect.not.stringContaining('still open'),
      });
      stopSaving();
    }
  });
});

describe('a stop that leaves something open', () => {
  const OPEN = { NODE_OPTIONS: '--import "data:text/javascript,setInterval(()=>{},1e6)"' };

  test('ends the process all the same', async () => {
    started = await place.start([], OPEN);
    expect(await endOf(started)).toMatchObject({ code: 0, stderr: expect.stringContaining('still open') });
  });

  test('keeps the exit code of a start that failed', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const ended = await place.runApart(['start', '--no-open', '--port', port], OPEN);
    other.close();
    expect(ended.code).toBe(2);
  });
});
