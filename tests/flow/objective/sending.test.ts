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
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Objective } from '../../../engine/src/run/objective/objective.ts';
import { objectiveOf } from '../../../engine/src/run/objective/objective-rows.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { isFull } from '../../available.ts';
import { brokenTranscripts, leftOpen } from '../faults.ts';
import { describeKills, drain, killCount, killLoop, type Kills } from '../kill-loop.ts';
import { dropOrder, prepare } from './orders.ts';

const KILLS = killCount(3, 15, isFull);
const PER_LIFE = 2;
const MAILS = KILLS * PER_LIFE;
/** Time between two lives, in hours: longer than a follow-up waits. */
const APART = 3;

const DIRECTOR = `id: autopilot
name: Autopilot
mode: objective
apiConfigId: main
tools: [mail]
permissions: { allow: [mail_read, mail_draft, mail_send] }
untrusted: { act: [mail_send] }
objective:
  sendDrafts: allow
  followUp: { afterHours: 1, max: 1, workingHours: { start: '00:00', end: '24:00', days: [mon, tue, wed, thu, fri, sat, sun] } }
`;

describe(`a process that is killed ${KILLS} times while its objectives send mails and follow-ups`, () => {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-objective-sending-'));
  const [outbox, sent, drafts] = [join(root, 'outbox'), join(root, 'sent'), join(root, 'drafts')];
  let store: Store;
  let kills: Kills;
  let objectives: readonly Objective[];
  /** All that went out. */
  let out: readonly string[];
  let taken = 0;

  /** Takes what lies in the outbox and delivers it, as a mail program does at any time. */
  const carry = () => {
    for (const name of existsSync(outbox) ? readdirSync(outbox) : [])
      if (!name.startsWith('.')) renameSync(join(outbox, name), join(sent, `${taken++}.eml`));
  };

  beforeAll(
    async () => {
      prepare(root);
      mkdirSync(sent);
      writeFileSync(join(root, 'config', 'directors', 'autopilot.yaml'), DIRECTOR);
      const carrier = setInterval(carry, 5);
      const env: Record<string, string> = { ROOT: root, MAILS: String(MAILS), HOURS: '0' };
      try {
        kills = await killLoop({
          ...{ worker: 'objective/sending-worker.ts', kills: KILLS, env, lifeMs: 800, maxPasses: 12 },
          points: ['in-effect', 'before-commit', 'after-effect', 'in-effect', 'after-commit'],
          provoked: { point: 'in-effect' },
          onLife(n) {
            env['HOURS'] = String(n * APART);
            for (let k = n * PER_LIFE; k < (n + 1) * PER_LIFE; k++) dropOrder(root, k);
          },
        });
        // The follow-ups of the last mails fall due between the two.
        for (const more of [0, 1])
          await drain('objective/sending-worker.ts', { ...env, HOURS: String((KILLS + more) * APART) });
      } finally {
        clearInterval(carrier);
      }
      carry();
      store = openSqlite({ dir: join(root, 'data') });
      objectives = (await store.list('objective')).map(objectiveOf);
      out = readdirSync(sent).map((name) => readFileSync(join(sent, name), 'utf8'));
      process.stderr.write(`loop of sending objectives: ${describeKills(kills)}; ${out.length} mails left\n`);
    },
    KILLS * 45_000 + 120_000,
  );

  afterAll(async () => {
    await store?.close();
    rmSync(root, { recursive: true, force: true });
  });

  const story = () => objectives.map(({ history }) => history.map(({ text }) => text).join('\n')).join('\n\n');

  test('was killed where a mail was out that was not on record', () => {
    expect(kills.inside['in-effect']).toBeGreaterThan(0);
  });

  test('has sent each mail and each follow-up exactly once', () => {
    const to = out.map((mail) => /^To: .*?(client\d+)@/m.exec(mail)?.[1] ?? mail);
    const wanted = Array.from({ length: MAILS }, (_, n) => [`client${n}`, `client${n}`]).flat();
    expect(to.toSorted(), story()).toEqual(wanted.toSorted());
    const ids = out.map((mail) => /^Message-ID:\s*(\S+)/im.exec(mail)?.[1]);
    expect(new Set(ids).size).toBe(out.length);
  });

  test('has reached every objective, with one follow-up, and left no draft', () => {
    expect(
      objectives.map(({ status, outcome, followUp }) => `${status} ${outcome} ${followUp.sent}`),
      story(),
    ).toEqual(Array(MAILS).fill('done reached 1'));
    expect(readdirSync(drafts).filter((name) => name.endsWith('.eml'))).toEqual([]);
  });

  test('has asked nobody whether a mail left, since it can look', async () => {
    const approvals = await store.list('approval');
    expect(approvals.map(({ body }) => (JSON.parse(body) as { tool: string }).tool)).not.toContain('mail_send');
  });

  test('has valid transcripts, and nothing left to do', async () => {
    expect(await brokenTranscripts(store)).toEqual([]);
    expect(await leftOpen(store)).toEqual([]);
  });
});
