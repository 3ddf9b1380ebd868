import { dayOf } from '../../budget/spend.ts';
import { EngineError } from '../../base/error.ts';
import { firstId } from '../../base/id.ts';
import { OPEN_STATUSES } from '../../run/run.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import type { Change, Reader, Store } from '../../store/store.ts';
import { isTaken, type Shadow, type ShadowProgress, type ShadowResult } from './shadow.ts';

/** The row of the shadow. Its progress is `shadow.<id>`, a result `shadow.<id>.<mail>`, so that no late write outlives a drop. */
const ROW = 'shadow';
const PAGE = 500;
/** Time after which a mail whose runs are not over is no longer waited for. */
const WAIT_MS = 7 * 24 * 3_600_000;

const progressRow = (id: string) => `${ROW}.${id}`;
const resultPrefix = (id: string) => `${progressRow(id)}.`;

/** The shadow; undefined where there is none. */
export async function readShadow(reader: Reader): Promise<Shadow | undefined> {
  const row = await reader.get('meta', { name: ROW });
  return row && bodyOf<Shadow>('meta', row);
}

/** The progress of a shadow; undefined once it was dropped. */
export async function readProgress(reader: Reader, { id }: Shadow): Promise<ShadowProgress | undefined> {
  const row = await reader.get('meta', { name: progressRow(id) });
  return row && bodyOf<ShadowProgress>('meta', row);
}

/** Begins a shadow. `CONFLICT` where there is one. */
export async function beginShadow(store: Store, shadow: Shadow): Promise<void> {
  const progress: ShadowProgress = { spent: { day: shadow.startedAt.slice(0, 10), cost: 0 }, cost: 0 };
  try {
    await store.apply([
      { op: 'insert', table: 'meta', row: { name: ROW, body: JSON.stringify(shadow) } },
      { op: 'insert', table: 'meta', row: { name: progressRow(shadow.id), body: JSON.stringify(progress) } },
    ]);
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'STORE_CONFLICT') throw alreadyThere(cause);
    throw cause;
  }
}

/** The error of a start beside another shadow. */
export function alreadyThere(cause?: unknown): EngineError {
  return new EngineError('CONFLICT', 'there is a shadow already', { hint: 'callsheet shadow drop ends it', cause });
}

/** Ends the shadow and deletes everything of it. False where there is none. */
export async function dropShadow(store: Store): Promise<boolean> {
  const names = (await listNames(store, `${ROW}.`)).concat(ROW);
  const isThere = (await store.get('meta', { name: ROW })) !== undefined;
  await store.apply(names.map((name) => ({ op: 'delete', table: 'meta', where: { name } })));
  return isThere;
}

/** Stores the progress, and a result with it. `STORE_CONFLICT` once the shadow was dropped: nothing is stored then. */
export async function saveProgress(
  store: Store,
  { id }: Shadow,
  progress: ShadowProgress,
  result?: ShadowResult,
): Promise<void> {
  const changes: Change[] = [
    { op: 'update', table: 'meta', key: { name: progressRow(id) }, set: { body: JSON.stringify(progress) } },
  ];
  if (result !== undefined) {
    const row = { name: resultPrefix(id) + result.mailId, body: JSON.stringify(result) };
    changes.push({ op: 'put', table: 'meta', row });
  }
  await store.apply(changes);
}

/** All results of a shadow, in the order of the mails. */
export async function listResults(reader: Reader, { id }: Shadow): Promise<ShadowResult[]> {
  const prefix = resultPrefix(id);
  const rows = await reader.list('meta', { where: [...startsWith(prefix)], order: [['name', 'asc']] });
  return rows.map((row) => bodyOf<ShadowResult>('meta', row));
}

/** Ids of the mails that have a result. */
export async function listTried(reader: Reader, { id }: Shadow): Promise<Set<string>> {
  const prefix = resultPrefix(id);
  return new Set((await listNames(reader, prefix)).map((name) => name.slice(prefix.length)));
}

/** Mails that the shadow takes, that have no result, and whose runs are over, the oldest first. */
export async function listDue(
  reader: Reader,
  { startedAt, percent }: Shadow,
  { now, tried }: { readonly now: number; readonly tried: ReadonlySet<string> },
): Promise<string[]> {
  const due: string[] = [];
  const first = firstId('mail', Math.max(Date.parse(startedAt), now - WAIT_MS));
  for (let after = first; ;) {
    const rows = await reader.list('mail', {
      where: [
        ['id', '>', after],
        ['state', '=', 'kept'],
      ],
      order: [['id', 'asc']],
      limit: PAGE,
      bodies: false,
    });
    for (const { id } of rows)
      if (isTaken(id, percent) && !tried.has(id) && !(await hasOpenRun(reader, id))) due.push(id);
    const last = rows.at(-1)?.id;
    if (last === undefined || rows.length < PAGE) return due;
    after = last;
  }
}

/** Empties results whose mail or run was deleted: they repeat its words. */
export async function forgetDeleted(store: Store, shadow: Shadow): Promise<void> {
  for (const result of await listResults(store, shadow)) {
    if (result.changed.length === 0) continue;
    const mail = await store.get('mail', { id: result.mailId });
    const runs = await store.list('run', { where: [['id', 'in', [...result.runIds]]], bodies: false });
    if (mail?.state === 'kept' && runs.length === result.runIds.length) continue;
    const progress = await readProgress(store, shadow);
    if (progress === undefined) return;
    const rest = { ...result, played: 0, missed: 0, changed: [], leftOut: 'the mail or its run was deleted' };
    await saveProgress(store, shadow, progress, rest);
  }
}

/** The cost of today; 0 where the last request was on another day. */
export function spentToday({ spent }: ShadowProgress, now: number): number {
  return spent.day === dayOf(now) ? spent.cost : 0;
}

async function hasOpenRun(reader: Reader, mailId: string): Promise<boolean> {
  const open = await reader.list('run', {
    where: [
      ['mail', '=', mailId],
      ['status', 'in', [...OPEN_STATUSES]],
    ],
    limit: 1,
    bodies: false,
  });
  return open.length > 0;
}

async function listNames(reader: Reader, prefix: string): Promise<string[]> {
  return (await reader.list('meta', { where: [...startsWith(prefix)], bodies: false })).map(({ name }) => name);
}

/** Names that begin with a prefix: those of rows are ASCII below `~`. */
function startsWith(prefix: string) {
  return [
    ['name', '>=', prefix],
    ['name', '<', `${prefix}~`],
  ] as const;
}
