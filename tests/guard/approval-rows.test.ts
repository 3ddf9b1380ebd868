import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { silentLogger } from '../../engine/src/base/log.ts';
import { addApproval, type ApprovalRecord, readApproval } from '../../engine/src/guard/approval.ts';
import { makeKey } from '../../engine/src/store/cipher.ts';
import { Draft } from '../../engine/src/store/draft.ts';
import { rotateKey } from '../../engine/src/store/sqlite/rotate-key.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import { findWords } from '../store/folder.ts';
import { folderAt, move } from '../store/move/endpoints.ts';

const home = mkdtempSync(join(tmpdir(), 'callsheet-approval-rows-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const WORD = 'quokka-marmalade';
const RECORD: ApprovalRecord = {
  ...{ id: 'appr_1', runId: 'run_1', threadId: 'th_1', tool: 'mail_send', status: 'pending' },
  arguments: { to: [`${WORD}@example.org`] },
  preview: { mimeType: 'text/plain', data: WORD },
  requestedBy: { directorId: 'boss' },
  reason: `no rule lists ${WORD}`,
  createdAt: '2026-11-22T12:00:00.000Z',
  expiresAt: '2026-11-24T12:00:00.000Z',
  escalateAt: '2026-11-23T12:00:00.000Z',
  hash: 'f00',
  asked: { asks: [{ guard: 'recipients', reason: `no rule lists ${WORD}`, rules: [] }], wasTainted: true },
  machine: 'run_1',
  call: '1/a',
};

test('a bound approval that expires is sealed, re-encrypted and moved whole, and stays due', async () => {
  const [dir, back] = [join(home, 'data'), join(home, 'back')];
  const [from, to] = [makeKey(), makeKey()];
  for (const folder of [dir, back]) mkdirSync(folder);
  const store = openSqlite({ dir, key: from });
  const draft = new Draft(store);
  await addApproval(draft, RECORD);
  await store.apply(draft.changes);
  await store.close();
  expect(findWords(dir, [WORD])).toEqual([]);
  expect(rotateKey(dir, { from, to }, silentLogger).left).toBe(0);
  await move(folderAt(dir), folderAt(back));
  const moved = openSqlite({ dir: back, key: to });
  expect(await readApproval(moved, RECORD.id)).toEqual(RECORD);
  const due = [['status', '=', 'pending'] as const, ['due', '=', Date.parse('2026-11-23T12:00:00.000Z')] as const];
  expect(await moved.list('approval', { where: due, bodies: false })).toHaveLength(1);
  await moved.close();
  expect(findWords(back, [WORD])).toEqual([]);
});
