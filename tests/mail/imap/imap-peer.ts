import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What is asked of the server about its mails. */
export interface Fetch {
  readonly uids: readonly number[];
  /** For the bytes, not for flags and sizes. */
  readonly isBody: boolean;
}

/** How a server behaves, where it is not as most are. */
export interface Manner {
  /** Lines that nobody asked for, told before the answer to a fetch, and after it. */
  before?: (fetch: Fetch) => string;
  after?: (fetch: Fetch) => string;
  /** How a fetch ends; anything but `OK` gives no mail. `cut` closes the connection. */
  end?: (fetch: Fetch) => string;
  /** What a search finds, in the ranges of RFC 4731: such as `COUNT 2 ALL 1,3`. It knows none else. */
  ranges?: (uids: readonly number[]) => string;
  /** How a sign-in ends. */
  login?: () => string;
  /** The bytes as they are given: `NIL` for none. */
  body?: (uid: number) => string | undefined;
}

export interface ImapPeer {
  readonly port: number;
  manner: Manner;
  /** How many have signed in. */
  readonly logins: number;
  /** Searches so far, as they were asked. */
  readonly searches: readonly string[];
  /** Puts a mail into the one mailbox; its UID. */
  deliver(raw: Uint8Array): number;
  close(): Promise<void>;
}

/** A server on loopback with one mailbox that speaks as much of RFC 9051 as a source asks, for what Dovecot never does. */
export async function startImap(manner: Manner = {}): Promise<ImapPeer> {
  const sockets = new Set<Socket>();
  const peer: Peer = { manner, mails: [], logins: 0, searches: [] };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    serve(socket, peer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get manner() {
      return peer.manner;
    },
    set manner(next) {
      peer.manner = next;
    },
    get logins() {
      return peer.logins;
    },
    searches: peer.searches,
    deliver: (raw) => peer.mails.push(Buffer.from(raw)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Peer {
  manner: Manner;
  /** By UID, from 1. */
  readonly mails: Buffer[];
  logins: number;
  readonly searches: string[];
}

function serve(socket: Socket, peer: Peer): void {
  let rest = '';
  let idling = '';
  const say = (text: string) => socket.write(`${text}\r\n`);
  say('* OK [CAPABILITY IMAP4rev1 IDLE] ready');
  socket.on('data', (data) => {
    const lines = (rest + data.toString('latin1')).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [tag = '', ...words] = line.split(' ');
      const what = words.join(' ').toUpperCase();
      if (tag === 'DONE') say(`${idling} OK done`);
      else if (what === 'IDLE') {
        idling = tag;
        say('+ idling');
      } else answer(what, { socket, peer, tag });
    }
  });
}

function answer(what: string, { socket, peer, tag }: { socket: Socket; peer: Peer; tag: string }): void {
  const say = (text: string) => socket.write(`${text}\r\n`);
  const { mails, manner } = peer;
  const top = mails.length;
  if (what.startsWith('LOGIN')) {
    peer.logins++;
    const end = manner.login?.() ?? 'OK signed in';
    return void (end === 'cut' ? socket.destroy() : say(`${tag} ${end}`));
  }
  if (what.startsWith('CAPABILITY')) say(`* CAPABILITY IMAP4rev1 IDLE${manner.ranges ? ' ESEARCH' : ''}`);
  if (what.startsWith('LIST')) say('* LIST () "/" INBOX');
  if (/^(EXAMINE|SELECT)/.test(what))
    say(`* FLAGS (\\Seen)\r\n* ${top} EXISTS\r\n* OK [UIDVALIDITY 1] stays\r\n* OK [UIDNEXT ${top + 1}] next`);
  if (what.startsWith('UID SEARCH')) {
    const uids = numbersOf(/UID ([\d:,*]+)$/.exec(what)?.[1] ?? '1:*', top);
    const isInRanges = what.startsWith('UID SEARCH RETURN');
    peer.searches.push(what);
    say(isInRanges ? `* ESEARCH (TAG "${tag}") UID ${manner.ranges?.(uids)}` : `* SEARCH ${uids.join(' ')}`.trimEnd());
  }
  const [, set = ''] = /^UID FETCH (\S+)/.exec(what) ?? [];
  if (set === '') return void say(`${tag} OK done`);
  const fetch = { uids: numbersOf(set, top), isBody: what.includes('BODY') };
  const end = manner.end?.(fetch) ?? 'OK done';
  if (end === 'cut') return void socket.destroy();
  const before = manner.before?.(fetch);
  if (before) say(before);
  if (end.startsWith('OK'))
    for (const uid of fetch.uids) {
      const raw = mails[uid - 1]!;
      const literal = `{${raw.length}}\r\n${raw.toString('latin1')}`;
      const body = fetch.isBody ? ` BODY[] ${manner.body?.(uid) ?? literal}` : '';
      const facts = `UID ${uid} FLAGS () RFC822.SIZE ${raw.length} INTERNALDATE "17-Jul-2026 02:44:25 +0000"`;
      socket.write(`* ${uid} FETCH (${facts}${body})\r\n`, 'latin1');
    }
  const after = manner.after?.(fetch);
  if (after) say(after);
  say(`${tag} ${end}`);
}

/** `1:3,7:*` of as many. */
function numbersOf(set: string, top: number): number[] {
  const wanted = set.split(',').flatMap((part) => {
    const [first = 1, last = first] = part.split(':').map((end) => (end === '*' ? top : Number(end)));
    // A set that ends in `*` names the last mail in any case.
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, n) => Math.min(first, last) + n);
  });
  return [...new Set(wanted)].filter((n) => n >= 1 && n <= top).sort((a, b) => a - b);
}
