import { isoTime } from '../base/clock.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { listAfter, type TimeCursor } from '../store/list-after.ts';
import type { Change, Condition, Reader, Row } from '../store/store.ts';

/** Longest text of a version that is kept, in characters. */
const MAX_TEXT = 100_000;
const CUT = '\n[cut]';

/** How a person changed what a run had drafted: a workspace item, or the arguments of a call that waited for approval. */
export interface DraftEdit {
  readonly runId: string;
  /** Id of the item or of the approval. */
  readonly id: string;
  readonly kind: 'item' | 'approval';
  readonly directorId: string;
  /** The agent that wrote the draft; absent where the director did. */
  readonly agentId?: string;
  /** The tool of the call. */
  readonly tool?: string;
  /** Label of the item. */
  readonly label?: string;
  /** The version of the model, and the one that the person left. At most 100,000 characters each. */
  readonly before: string;
  readonly after: string;
  /** True once the text was sent, saved as a draft, or allowed. */
  readonly isUsed: boolean;
  /** When the person changed it last, ISO 8601. */
  readonly at: string;
}

/** A person's new version of a draft. */
export interface NewVersion extends Omit<DraftEdit, 'at' | 'isUsed'> {
  readonly isUsed?: boolean;
  /** Revision of the item before and after the change. Together they tell whether the model has written in between. */
  readonly revisions?: { readonly before: number; readonly after: number };
}

type Body = Omit<DraftEdit, 'runId' | 'id' | 'directorId' | 'at'> & { readonly revision?: number };

/**
 * The changes that keep a person's new version beside the version of the model. Several changes of one draft are one
 * difference, from the model's version to the last one; it is gone where both are equal again.
 */
export async function noteDraftEdit(reader: Reader, version: NewVersion, now: number): Promise<Change[]> {
  const { runId, id, directorId, isUsed = false, revisions, before: given, after: text, ...rest } = version;
  const row = await reader.get('draftEdit', { run: runId, id });
  const known = row && bodyOf<Body>('draftEdit', row);
  const goesOn = known !== undefined && (revisions === undefined || known.revision === revisions.before);
  const before = goesOn ? known.before : cut(given);
  const after = cut(text);
  if (before === after)
    return row === undefined ? [] : [{ op: 'delete', table: 'draftEdit', where: { run: runId, id } }];
  const revision = revisions?.after ?? known?.revision;
  const body: Body = { ...rest, before, after, isUsed, ...(revision !== undefined && { revision }) };
  return [
    {
      op: 'put',
      table: 'draftEdit',
      row: { run: runId, id, director: directorId, at: now, body: JSON.stringify(body) },
    },
  ];
}

/** Which edits to list. */
export interface DraftEditQuery {
  /** Epoch milliseconds. */
  readonly since?: number | undefined;
  readonly directorId?: string | undefined;
  readonly runId?: string | undefined;
  readonly limit: number;
  /** The last edit of the page before. */
  readonly after?: TimeCursor | undefined;
}

/** Lists edits, the newest first. */
export async function listDraftEdits(reader: Reader, query: DraftEditQuery): Promise<DraftEdit[]> {
  const { since, directorId, runId, limit, after } = query;
  const where: Condition<'draftEdit'>[] = [];
  if (since !== undefined) where.push(['at', '>=', since]);
  if (directorId !== undefined) where.push(['director', '=', directorId]);
  if (runId !== undefined) where.push(['run', '=', runId]);
  const rows = await listAfter(reader, 'draftEdit', { where, by: ['at', 'desc'], ids: 'asc', limit, after });
  return rows.map(editOf);
}

function editOf(row: Row<'draftEdit'>): DraftEdit {
  const { revision: _own, ...body } = bodyOf<Body>('draftEdit', row);
  return { runId: row.run, id: row.id, directorId: row.director, ...body, at: isoTime(row.at) };
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT - CUT.length) + CUT;
}

/** Arguments of a call as text that a person can compare: a line for each, and long texts as they are. */
export function argumentsText(args: Readonly<Record<string, unknown>>): string {
  return Object.entries(args)
    .map(([name, value]) => {
      if (typeof value !== 'string') return `${name}: ${JSON.stringify(value)}`;
      return value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`;
    })
    .join('\n');
}
