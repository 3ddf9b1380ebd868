import { isRecord } from '../../../base/json.ts';
import { isoTime } from '../../../base/clock.ts';
import { listDraftEdits } from '../../../run/draft-edit.ts';
import { recordOf, type Run } from '../../../run/run.ts';
import { listBounded } from '../../../store/bounded-list.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import type { Reader, Row } from '../../../store/store.ts';
import type { EntryBody } from '../../../trace/entry.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';

/** Runs whose entries are read, newest first, and entries of one. */
const MAX_RUNS = 20;
const MAX_ENTRIES = 2000;
/** An entry, and an edit that a run keeps, has only the beginning of a longer text. */
const CUT = /\[cut(?:: \d+ of \d+ characters)?\]$/;
const NO_CHANGE: readonly string[] = [];

/** What the records of the runs tell about one revision of an item. */
export interface RevisionRecord {
  /** ISO 8601. */
  readonly at?: string;
  readonly by?: { readonly kind: 'user' | 'agent' | 'director' | 'tool'; readonly name?: string };
  readonly runId?: string;
  /** The fields that were set; none where it was deleted or restored. */
  readonly changed?: readonly string[];
  readonly action?: 'deleted' | 'restored';
  /** The whole text at that revision. */
  readonly text?: string;
}

const ACTIONS: Readonly<Record<string, Pick<RevisionRecord, 'changed' | 'action'>>> = {
  item_removed: { action: 'deleted', changed: NO_CHANGE },
  item_restored: { action: 'restored', changed: NO_CHANGE },
};

/** The records about an item by its revision. Reads the entries of the newest runs of its workspace, a bounded part of them. */
export async function readRevisionRecords(
  reader: Reader,
  workspaceId: string,
  item: WorkspaceItem,
): Promise<Map<number, RevisionRecord>> {
  const records = new Map<number, RevisionRecord>();
  let characters = 0;
  for (const run of await runsOf(reader, workspaceId, item)) {
    const { rows } = await entriesOf(reader, run.id, characters);
    for (const row of rows) {
      characters += row.body.length;
      const [revision, record] = (row.body.includes(item.id) && recordIn(row, run, item.id)) || [];
      if (revision === undefined || record === undefined) continue;
      records.set(revision, { ...record, ...records.get(revision) });
    }
  }
  addOwn(records, item);
  await addDraft(reader, records, workspaceId, item);
  fillTexts(records, item.revision);
  return records;
}

/** The runs that may have written an item: those on its mail in this workspace, else the first one and the last writer. */
async function runsOf(reader: Reader, workspaceId: string, { context }: WorkspaceItem): Promise<Run[]> {
  const mail = context.email?.id;
  const ofMail =
    mail === undefined
      ? []
      : await reader.list('run', { where: [['mail', '=', mail]], order: [['id', 'desc']], limit: 5 * MAX_RUNS });
  const named = [...new Set([context.runId ?? workspaceId, workspaceId])];
  const others = await Promise.all(
    named.filter((id) => !ofMail.some((row) => row.id === id)).map((id) => reader.get('run', { id })),
  );
  return [...ofMail, ...others]
    .flatMap((row) => (row === undefined ? [] : [recordOf(row).run]))
    .filter((run) => run.workspaceId === workspaceId)
    .slice(0, MAX_RUNS);
}

/** The newest entries of a run, as far as the answer has room for them. */
function entriesOf(reader: Reader, runId: string, before: number) {
  const load = (last: Row<'entry'> | undefined, limit: number) =>
    reader.list('entry', {
      where: [['scope', '=', runId], ...(last === undefined ? [] : [['seq', '<', last.seq] as const])],
      order: [['seq', 'desc']],
      limit,
    });
  return listBounded(load, { limit: MAX_ENTRIES, sizeOf: ({ body }) => body.length, before });
}

/** The revision that an entry tells about, if it is about the item. */
function recordIn(row: Row<'entry'>, run: Run, itemId: string): [number, RevisionRecord] | undefined {
  const { detail, result, agent } = bodyOf<EntryBody>('entry', row);
  const at = isoTime(row.at);
  if (detail['itemId'] === itemId && typeof detail['revision'] === 'number') {
    const about = ACTIONS[detail.action ?? ''] ?? changedBy(detail['changed']);
    return [detail['revision'], { at, runId: run.id, by: { kind: 'user' }, ...about }];
  }
  if (detail.tool !== 'workspace_add_item' && detail.tool !== 'workspace_update_item') return undefined;
  // Where a person changed the arguments, the result is one level deeper.
  const outer = isRecord(result) && isRecord(result['result']) ? result['result'] : result;
  const item = isRecord(outer) ? outer['item'] : undefined;
  if (!isRecord(item) || item['id'] !== itemId || typeof item['revision'] !== 'number') return undefined;
  const { data, encoding } = item;
  const isWhole = encoding === 'utf8' && typeof data === 'string' && !CUT.test(data);
  const name = agent?.name ?? run.agentName ?? run.directorName;
  const kind = agent === undefined && run.agentId === undefined ? 'director' : 'agent';
  const patch = isRecord(detail.request) ? detail.request['patch'] : undefined;
  const set = isRecord(patch) ? changedBy(Object.keys(patch)) : {};
  return [item['revision'], { at, runId: run.id, by: { kind, name }, ...set, ...(isWhole && { text: data }) }];
}

function changedBy(fields: unknown): Pick<RevisionRecord, 'changed'> {
  return Array.isArray(fields) ? { changed: fields.filter((field) => typeof field === 'string') } : {};
}

/** Adds what the item itself tells: who created it, and its present text. */
function addOwn(records: Map<number, RevisionRecord>, item: WorkspaceItem): void {
  const { created, updated, revision, context, deleted } = item;
  const { createdBy, agent, director } = context;
  const name = createdBy === 'director' ? director.name : agent?.name;
  const first: RevisionRecord = { at: created, by: { kind: createdBy, ...(name !== undefined && { name }) } };
  records.set(1, { ...first, ...records.get(1) });
  const last: RevisionRecord = {
    at: updated,
    ...(deleted && { action: 'deleted', changed: NO_CHANGE }),
    ...records.get(revision),
  };
  records.set(revision, item.encoding === 'utf8' ? { ...last, text: item.data ?? '' } : last);
}

/** The text before the last changes of a person, which the run keeps as their draft. */
async function addDraft(
  reader: Reader,
  records: Map<number, RevisionRecord>,
  workspaceId: string,
  item: WorkspaceItem,
): Promise<void> {
  const [edit] = (await listDraftEdits(reader, { runId: item.context.runId ?? workspaceId, limit: 100 })).filter(
    ({ id }) => id === item.id,
  );
  if (edit === undefined || edit.isUsed || edit.after !== item.data || CUT.test(edit.before)) return;
  let revision = item.revision;
  while (revision > 1 && records.get(revision)?.by?.kind === 'user') revision--;
  records.set(revision, { text: edit.before, ...records.get(revision) });
}

/** A revision that did not set the data has the text of its neighbour. */
function fillTexts(records: Map<number, RevisionRecord>, newest: number): void {
  const copy = (from: number, to: number, keeps: RevisionRecord | undefined) => {
    const text = records.get(from)?.text;
    if (text === undefined || keeps?.changed === undefined || keeps.changed.includes('data')) return;
    records.set(to, { text, ...records.get(to) });
  };
  const revisions = [...records.keys()].filter((revision) => revision <= newest).toSorted((a, b) => a - b);
  for (const revision of revisions) if (revision > 1) copy(revision - 1, revision, records.get(revision));
  for (const revision of revisions.toReversed()) if (revision > 1) copy(revision, revision - 1, records.get(revision));
}
