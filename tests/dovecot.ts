import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dovecot, root } from './available.ts';

/** A Dovecot of its own on loopback, with one user and a Maildir, in a folder that goes with it. */
export interface DovecotServer {
  /** Plain IMAP at first. */
  readonly port: number;
  /** TLS from the first byte on. */
  readonly tlsPort: number;
  readonly user: string;
  readonly password: string;
  /** Puts a mail into the inbox, as a delivery would; flags are Maildir letters (`S`, `FT`). */
  deliver(raw: Uint8Array, flags?: string): void;
  /** Gives the mail with this subject these flags while the server stands still, or takes it away. */
  refile(subject: string, flags: string | undefined): void;
  /** Has the server fail at the mail with this subject, which it may not read any more, or may again. */
  lock(subject: string, isLocked: boolean): void;
  /** Forgets all UIDs while it stands still, so that it gives new ones under a new UIDVALIDITY. */
  renumber(): void;
  /** Ends it at once, with all sessions. */
  kill(): Promise<void>;
  /** Starts it again on the same ports. */
  start(): Promise<void>;
  /** Ends it for good and removes the folder. */
  remove(): Promise<void>;
}

/**
 * Starts Debian's Dovecot (2.3); ask `available.ts` first whether there is one. With `tls` it has the self-signed certificate
 * of the fixtures, on both ports; else it knows nothing of TLS. `capability` is all that it says it can do.
 */
export async function startDovecot({ tls = false, capability = '' } = {}): Promise<DovecotServer> {
  if (dovecot === undefined) throw new Error('there is no Dovecot; ask available.ts first');
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-imap-'));
  chmodSync(folder, 0o755);
  const owner = process.getuid?.() === 0 ? userOf('nobody') : undefined;
  const own = (path: string) => {
    mkdirSync(path, { recursive: true });
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    return path;
  };
  const maildir = own(join(folder, 'mail'));
  for (const name of ['cur', 'new', 'tmp']) own(join(maildir, name));
  const [port, tlsPort] = [await freePort(), await freePort()];
  const [user, password] = ['team@example.org', 'correct-horse'];
  const file = join(folder, 'dovecot.conf');
  writeFileSync(file, config({ folder, maildir, port, tlsPort, tls, capability, password, owner }));
  const pem = readFileSync(join(root, 'tests/fixtures/self-signed.pem'));
  writeFileSync(join(folder, 'server.pem'), pem, { mode: 0o600 });

  let server: ChildProcess | undefined;
  const kill = async () => {
    const running = server;
    server = undefined;
    if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const closed = once(running, 'exit');
    // Its own process group: the sessions are processes of their own.
    process.kill(-running.pid, 'SIGKILL');
    await closed;
    // Those may go a moment later: until then the ports are taken, and the next one finds this one running.
    while (isGroupAlive(running.pid)) await wait(5);
  };
  const start = async () => {
    const said: string[] = [];
    server = spawn(dovecot!, ['-F', '-c', file], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (text) => said.push(String(text)));
    const running = server;
    while (!(await answers(port))) {
      if (running.exitCode !== null) throw new Error(`Dovecot ended with ${running.exitCode}:\n${said.join('')}`);
      await wait(20);
    }
  };
  const last = () => {
    if (server?.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGKILL');
  };
  process.once('exit', last);
  await start();
  let count = 0;
  const locked = new Map<string, readonly string[]>();
  const filesOf = (subject: string) =>
    ['new', 'cur']
      .flatMap((name) => readdirSync(join(maildir, name)).map((file) => join(maildir, name, file)))
      .filter((path) => readFileSync(path, 'utf8').includes(`Subject: ${subject}\r\n`));
  return {
    ...{ port, tlsPort, user, password, kill, start },
    deliver(raw, flags) {
      // Dovecot numbers new mails in the order of their names.
      const name = `${1_700_000_000 + count++}.${process.pid}.host`;
      const path = join(maildir, 'tmp', name);
      writeFileSync(path, raw);
      if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
      renameSync(path, flags === undefined ? join(maildir, 'new', name) : join(maildir, 'cur', `${name}:2,${flags}`));
    },
    refile(subject, flags) {
      for (const path of filesOf(subject))
        if (flags === undefined) rmSync(path);
        else renameSync(path, join(maildir, 'cur', `${basename(path).replace(/:2,.*$/, '')}:2,${flags}`));
    },
    lock(subject, isLocked) {
      if (isLocked) locked.set(subject, filesOf(subject));
      for (const path of locked.get(subject) ?? []) chmodSync(path, isLocked ? 0 : 0o644);
    },
    renumber() {
      const list = join(maildir, 'dovecot-uidlist');
      const [, before] = /^3 V(\d+) /.exec(readFileSync(list, 'utf8')) ?? [];
      for (const name of readdirSync(maildir)) if (name.startsWith('dovecot')) rmSync(join(maildir, name));
      // Left to itself it takes the time in seconds: the same again within one.
      writeFileSync(list, `3 V${Number(before) + 1} N1\n`);
      if (owner !== undefined) chownSync(list, owner.uid, owner.gid);
    },
    async remove() {
      await kill();
      process.removeListener('exit', last);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly folder: string;
  readonly maildir: string;
  readonly port: number;
  readonly tlsPort: number;
  readonly tls: boolean;
  readonly capability: string;
  readonly password: string;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/** As root it signs in users as `nobody`; else everything runs as whoever runs the tests. */
function config({ folder, maildir, port, tlsPort, tls, capability, password, owner }: Place): string {
  const { uid, gid } = owner ?? { uid: process.getuid!(), gid: process.getgid!() };
  const mine = userName(process.getuid!());
  return [
    `base_dir = ${folder}/run`,
    `state_dir = ${folder}/state`,
    `log_path = /dev/stderr`,
    'protocols = imap',
    'listen = 127.0.0.1',
    'disable_plaintext_auth = no',
    ...(tls ? ['ssl = yes', `ssl_cert = <${folder}/server.pem`, `ssl_key = <${folder}/server.pem`] : ['ssl = no']),
    `mail_location = maildir:${maildir}`,
    'first_valid_uid = 1',
    'mail_max_userip_connections = 3',
    ...(capability === '' ? [] : [`imap_capability = ${capability}`]),
    ...(owner === undefined ? [`default_internal_user = ${mine}`, `default_login_user = ${mine}`] : []),
    `passdb {\n  driver = static\n  args = password=${password}\n}`,
    `userdb {\n  driver = static\n  args = uid=${uid} gid=${gid} home=${folder}\n}`,
    'service imap-login {',
    ...(owner === undefined ? ['  chroot ='] : []),
    `  inet_listener imap {\n    port = ${port}\n  }`,
    `  inet_listener imaps {\n    port = ${tls ? tlsPort : 0}\n    ssl = ${tls ? 'yes' : 'no'}\n  }`,
    '}',
    ...(owner === undefined ? ['service anvil {\n  chroot =\n}', 'service stats {\n  chroot =\n}'] : []),
    '',
  ].join('\n');
}

/** Whether some process of a group lives, by `/proc`; one that is dead and that nobody has asked for does not. */
function isGroupAlive(group: number): boolean {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.some((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, , its] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(its) === group && state !== 'Z' && state !== 'X';
    } catch {
      return false;
    }
  });
}

function userOf(name: string): { uid: number; gid: number } {
  const [, , uid, gid] = (lines().find((line) => line.startsWith(`${name}:`)) ?? '').split(':').map(Number);
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${name} for Dovecot's sessions`);
  return { uid, gid };
}

function userName(uid: number): string {
  return (
    lines()
      .find((line) => line.split(':')[2] === String(uid))
      ?.split(':')[0] ?? String(uid)
  );
}

function lines(): string[] {
  return readFileSync('/etc/passwd', 'utf8').split('\n');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether a greeting comes: the port is open before the login process can answer. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('data', (data) => end(data.includes('* OK')));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
