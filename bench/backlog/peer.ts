/** Serves a backlog of mail until stdin ends: `node bench/backlog/peer.ts KIND ROOT COUNT`. */
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDovecot } from '../../tests/dovecot.ts';
import { GmailPeer } from '../../tests/mail/gmail/gmail-peer.ts';
import { startGraphPeer } from '../../tests/account/microsoft/graph-peer.ts';
import { type Kind, NEWEST, type Peer } from './kind.ts';

const [kind = '', root = '', count = ''] = process.argv.slice(2);
const COUNT = Number(count);
const TEXT = 'A line of text as people write them, not very long and not very short.\r\n'.repeat(40);
const FILE = Buffer.alloc(200_000, 'attached ').toString('base64').replace(/.{76}/g, '$&\r\n');

/** Mail number `n`; every twentieth has an attachment of 200 kB. */
function mail(n: number): Uint8Array {
  const subject = n === COUNT - 1 ? NEWEST : `Number ${n}`;
  const date = new Date(Date.UTC(2026, 0, 1) + n * 1000).toUTCString();
  const head = `From: Ann <ann@client.example>\r\nTo: team@example.org\r\nSubject: ${subject}\r\nDate: ${date}\r\nMessage-ID: <${n}@client.example>\r\nMIME-Version: 1.0\r\n`;
  const text = `Content-Type: text/plain; charset=utf-8\r\n\r\n${TEXT}`;
  if (n % 20 !== 0) return Buffer.from(head + text);
  const file = `Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=f.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${FILE}\r\n`;
  return Buffer.from(
    `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${text}\r\n--b\r\n${file}--b--\r\n`,
  );
}

const mails = function* () {
  for (let n = 0; n < COUNT; n++) yield mail(n);
};

/** Starts a server of each kind with all mails; `end` stops it. */
const START: Readonly<Record<Kind, () => Promise<{ peer: Peer; end: () => Promise<unknown> }>>> = {
  async folder() {
    const inbox = join(root, 'inbox');
    await mkdir(inbox);
    let n = 0;
    for (const bytes of mails()) {
      const path = join(inbox, `${n}.eml`);
      await writeFile(path, bytes);
      const at = 1_700_000_000 + n++;
      await utimes(path, at, at);
    }
    return { peer: {}, end: async () => {} };
  },
  async imap() {
    const server = await startDovecot();
    for (const bytes of mails()) server.deliver(bytes);
    const { port, user, password } = server;
    return { peer: { port, user, password }, end: () => server.remove() };
  },
  async gmail() {
    const gmail = new GmailPeer();
    for (const bytes of mails()) gmail.deliver(bytes);
    return { peer: { url: await gmail.start() }, end: () => gmail.close() };
  },
  async outlook() {
    const graph = await startGraphPeer();
    for (const bytes of mails()) graph.deliver(bytes);
    return { peer: { url: graph.api }, end: () => graph.close() };
  },
};

const { peer, end } = await START[kind as Kind]();
console.log(JSON.stringify(peer));
process.stdin.resume().on('end', () => void end().then(() => process.exit(0)));
