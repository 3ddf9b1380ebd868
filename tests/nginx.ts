import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { nginx, root } from './available.ts';

/** An nginx of its own on loopback, with the blocks of docs/deploy/reverse-proxy.md. */
export interface Nginx {
  readonly httpsPort: number;
  readonly httpPort: number;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

/** Starts nginx before a server on `port`; ask `available.ts` first whether there is one. */
export async function startNginx(port: number): Promise<Nginx> {
  if (nginx === undefined) throw new Error('there is no nginx; ask available.ts first');
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-nginx-'));
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  const certificate = join(root, 'tests/fixtures/self-signed.pem');
  const servers = blocksOfPage()
    .replace('listen 443 ssl', `listen 127.0.0.1:${httpsPort} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${httpPort}`)
    .replace(/(ssl_certificate(?:_key)?) +\S+;/g, `$1 ${certificate};`)
    .replace('127.0.0.1:3001', `127.0.0.1:${port}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
     events {} http { access_log off; ${paths.join(' ')} ${servers} }\n`,
  );
  const server = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], { stdio: 'pipe' });
  let said = '';
  server.stderr.on('data', (text: Buffer) => (said += text.toString()));
  await untilListening(server, httpsPort, () => said);
  return {
    httpsPort,
    httpPort,
    async close() {
      if (server.exitCode === null) {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The `nginx` block of the page, so that the test holds what the page says. */
function blocksOfPage(): string {
  const page = readFileSync(join(root, 'docs/deploy/reverse-proxy.md'), 'utf8');
  const block = /```nginx\n([\s\S]*?)```/.exec(page)?.[1];
  if (block === undefined) throw new Error('docs/deploy/reverse-proxy.md has no block of nginx');
  return block;
}

async function untilListening(server: ChildProcess, port: number, said: () => string): Promise<void> {
  const until = Date.now() + 30_000;
  while (Date.now() < until) {
    if (server.exitCode !== null) throw new Error(`nginx ended: ${said()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await wait(20);
  }
  throw new Error(`nginx does not listen: ${said()}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
