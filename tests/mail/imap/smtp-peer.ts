import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What a server has taken. */
export interface Taken {
  readonly from: string;
  readonly to: readonly string[];
  /** Without the dots that SMTP puts before dots. */
  readonly data: string;
}

/** How a server behaves; an answer is a line such as `451 later`. */
export interface Manner {
  /** To a recipient. */
  recipient?: (address: string) => string;
  /** To the whole mail. `cut` closes the connection once it has the mail, `silent` keeps it and says nothing. */
  end?: () => string;
  /** Closes the connection when it is asked for this command. */
  cutAt?: string;
  user?: string;
  password?: string;
}

export interface SmtpPeer {
  readonly port: number;
  readonly taken: readonly Taken[];
  manner: Manner;
  close(): Promise<void>;
}

/** A server on loopback that takes mail as RFC 5321 says, with AUTH PLAIN, and keeps it in memory. */
export async function startSmtp(manner: Manner = {}): Promise<SmtpPeer> {
  const sockets = new Set<Socket>();
  const taken: Taken[] = [];
  const peer = { manner };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    serve(socket, peer, taken);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    get manner() {
      return peer.manner;
    },
    set manner(next) {
      peer.manner = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serve(socket: Socket, peer: { manner: Manner }, taken: Taken[]): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let [from, data, rest, isData] = ['', '', '', false];
  let to: string[] = [];
  say('220 peer ESMTP');
  const end = () => {
    const answer = peer.manner.end?.() ?? '250 taken';
    if (answer === 'cut' || answer === 'silent' || answer.startsWith('250'))
      taken.push({ from, to, data: data.replace(/^\.\./gm, '.') });
    [to, data, isData] = [[], '', false];
    if (answer === 'cut') socket.destroy();
    else if (answer !== 'silent') say(answer);
  };
  const command = (line: string) => {
    const word = line.slice(0, 4).toUpperCase();
    if (peer.manner.cutAt === word) return socket.destroy();
    if (word === 'EHLO') return say('250-peer\r\n250-8BITMIME\r\n250 AUTH PLAIN');
    if (word === 'AUTH') return say(isKnown(line, peer.manner) ? '235 welcome' : '535 5.7.8 no');
    if (word === 'MAIL') from = between(line);
    if (word === 'RCPT') {
      const answer = peer.manner.recipient?.(between(line)) ?? '250 fine';
      if (answer.startsWith('250')) to = [...to, between(line)];
      return say(answer);
    }
    if (word === 'DATA') {
      isData = true;
      return say('354 go on');
    }
    if (word === 'STAR') return say('502 no TLS here');
    if (word === 'QUIT') return socket.end('221 bye\r\n');
    return say('250 fine');
  };
  socket.setEncoding('latin1').on('data', (text) => {
    rest += text;
    for (let at = rest.indexOf('\r\n'); at >= 0; at = rest.indexOf('\r\n')) {
      const line = rest.slice(0, at);
      rest = rest.slice(at + 2);
      if (!isData) command(line);
      else if (line === '.') end();
      else data += `${line}\r\n`;
    }
  });
}

function between(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}

function isKnown(line: string, { user, password }: Manner): boolean {
  const [, name, pass] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    .toString()
    .split('\0');
  return user === undefined || (name === user && pass === password);
}
