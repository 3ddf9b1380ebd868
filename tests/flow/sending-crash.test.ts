import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerBody } from '../../engine/src/run/ledger.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { isFull } from '../available.ts';
import { type SmtpPeer, startSmtp } from '../mail/imap/smtp-peer.ts';
import { brokenTranscripts, leftOpen } from './faults.ts';
import { describeKills, drain, killCount, killLoop, type Kills } from './kill-loop.ts';

const KILLS = killCount(6, 100, isFull);
const PER_LIFE = 5;
const MAILS = KILLS * PER_LIFE;

/** Nobody listens at its IMAP server, so nothing can be looked up in Sent, and nothing is kept there. */
const team = (port: number) =>
  [
    'id: team\nprovider: imap\nemail: team@example.org',
    'imap: { host: 127.0.0.1, port: 1, secure: false }',
    `smtp: { host: 127.0.0.1, port: ${port}, secure: false }`,
    'auth: { user: team, pass: "${env:TEAM_PASSWORD}" }\n',
  ].join('\n');
const CONFIG: Readonly<Record<string, string>> = {
  'settings.yaml': 'fetch: { everySeconds: 1 }\nruns: { concurrency: 8 }\nroots: { lab: ./lab }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\n',
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [mail_send, notebook_create_file]\npermissions: { allow: [mail_send(to=*), notebook_create_file] }\nuntrusted: { act: [mail_send, notebook_create_file] }\nscope: { notebooks: [lab], operations: [create] }\n',
  'filters/all.yaml': 'id: all\nfield: Subject\nregex: ^Letter\ndirectorId: boss\n',
};

const letter = (n: number) =>
  [
    `From: client${n}@example.com\nTo: me@example.org\nSubject: Letter ${n}`,
    `Date: Mon, 05 Jan 2026 10:00:00 +0000\nMessage-ID: <${n}@example.com>\n`,
    `Letter number ${n}.\n`,
  ].join('\n');

interface Call extends LedgerBody {
  readonly state: string;
}

describe(`a process that is killed ${KILLS} times while it sends`, () => {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-sending-crash-'));
  const folderOf = (name: string) => join(root, name);
  const [inbox, outbox, carried, lab] = [folderOf('inbox'), folderOf('outbox'), folderOf('carried'), folderOf('lab')];
  let smtp: SmtpPeer;
  let store: Store;
  let kills: Kills;
  let calls: readonly Call[];
  /** Subjects of all that went out, either way. */
  let out: readonly string[];
  let taken = 0;

  /** Takes what lies in the outbox and carries it on, as other programs do at any time. */
  const carry = () => {
    for (const name of existsSync(outbox) ? readdirSync(outbox) : [])
      if (!name.startsWith('.')) renameSync(join(outbox, name), join(carried, `${taken++}.eml`));
  };

  beforeAll(
    async () => {
      smtp = await startSmtp();
      for (const folder of [inbox, carried, lab]) mkdirSync(folder);
      for (const [name, text] of Object.entries({ ...CONFIG, 'accounts/team.yaml': team(smtp.port) })) {
        mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
        writeFileSync(join(root, 'config', name), text);
      }
      const carrier = setInterval(carry, 5);
      const env = { ROOT: root, MAILS: String(MAILS) };
      kills = await killLoop({
        worker: 'sending-worker.ts',
        kills: KILLS,
        env,
        points: ['in-effect', 'in-effect', 'before-commit', 'in-effect', 'after-effect', 'after-commit'],
        lifeMs: 500,
        maxPasses: 4,
        provoked: { point: 'in-effect' },
        onLife(n) {
          for (let k = n * PER_LIFE; k < (n + 1) * PER_LIFE; k++) writeFileSync(join(inbox, `${k}.eml`), letter(k));
        },
      });
      await drain('sending-worker.ts', env);
      clearInterval(carrier);
      carry();
      store = openSqlite({ dir: join(root, 'data') });
      calls = (await store.list('ledger')).map(({ state, body }) => ({ ...(JSON.parse(body) as LedgerBody), state }));
      const raw = readdirSync(carried).map((name) => readFileSync(join(carried, name), 'utf8'));
      out = [...raw, ...smtp.taken.map(({ data }) => data)].map((mail) => /^Subject: (.*)\r$/m.exec(mail)?.[1] ?? mail);
      const asked = calls.filter(({ approvalId }) => approvalId !== undefined).length;
      process.stderr.write(
        `sending loop: ${describeKills(kills)}; ${MAILS} mails came, ${taken} went into the outbox and ` +
          `${smtp.taken.length} over SMTP, a person was asked of ${asked}\n`,
      );
    },
    KILLS * 6000 + 120_000,
  );

  afterAll(async () => {
    await store?.close();
    await smtp?.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('has made the file of each mail once, and no call has met its own file', async () => {
    const files = calls.filter(({ tool }) => tool === 'notebook_create_file');
    expect(files.map(({ state }) => state)).toEqual(Array(MAILS).fill('done'));
    const texts = Array.from({ length: MAILS }, (_, n) => readFileSync(join(lab, `${n}.md`), 'utf8'));
    expect(texts).toEqual(texts.map((_, n) => `Letter number ${n}.\n`));
    expect(readdirSync(lab).filter((name) => name.endsWith('.md'))).toHaveLength(MAILS);
    const changes = await store.list('fileChange');
    expect(changes.map(({ state }) => state)).toEqual(Array(MAILS).fill('written'));
  });

  test('was killed where a mail was out that was not on record', () => {
    expect(kills.inside['in-effect']).toBeGreaterThan(0);
  });

  test('has sent no mail twice', () => {
    expect(out.filter((subject, n) => out.indexOf(subject) !== n)).toEqual([]);
  });

  test('has sent every mail, or asked a person', async () => {
    const unsure = new Set<string>();
    for (const { state, error, approvalId, arguments: args } of calls) {
      if (state === 'done') continue;
      expect({ state, code: error?.code }).toEqual({ state: 'denied', code: 'TOOL_OUTCOME_UNKNOWN' });
      const row = await store.get('approval', { id: approvalId ?? '' });
      expect(row?.status).toBe('denied');
      unsure.add(String(args['subject']));
    }
    expect(calls).toHaveLength(3 * MAILS);
    const wanted = Array.from({ length: MAILS }, (_, n) => [`Re: Letter ${n}`, `Notice ${n}`]).flat();
    const missing = wanted.filter((subject) => !out.includes(subject));
    expect(missing.filter((subject) => !unsure.has(subject))).toEqual([]);
  });

  test('has asked nobody of the outbox, into which it can look, nor of every mail over SMTP', () => {
    const asked = calls.filter(({ approvalId }) => approvalId !== undefined);
    expect(asked.filter(({ arguments: args }) => args['accountId'] !== 'team')).toEqual([]);
    expect(asked.length).toBeLessThan(MAILS);
  });

  test('has valid transcripts, and nothing left to do', async () => {
    expect(await brokenTranscripts(store)).toEqual([]);
    expect(await leftOpen(store)).toEqual([]);
  });
});
