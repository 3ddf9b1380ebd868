import type { MailSummary } from '../../../mail/mail.ts';
import { mailOf } from '../../../mail/mail-store.ts';
import { type Run, recordOf } from '../../../run/run.ts';
import type { Reader, Row } from '../../../store/store.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { listItems } from '../../../workspace/items.ts';

/** Largest number of runs for one page of mails, and of items for one workspace. */
const MAX_RUNS = 1000;
const MAX_ITEMS = 50;

/** A mail in a list: the summary and its routing. */
export interface MailView extends MailSummary {
  readonly routed: boolean;
  /** Why no director got the mail, or which director could not; else `''`. */
  readonly note: string;
  /** Id of an earlier mail with the same Message-ID. */
  readonly duplicateOf?: string;
  /** Parts that a limit omitted when the mail was parsed. */
  readonly notes: readonly string[];
  /** ISO 8601; when the mail was removed from its account. Absent while it exists there. */
  readonly removedAt?: string;
}

/** An item without its data. */
export interface ItemView {
  readonly id: string;
  readonly label?: string;
  readonly mimeType: string;
  readonly revision: number;
  readonly createdBy: WorkspaceItem['context']['createdBy'];
  readonly agentName?: string;
  readonly updated: string;
}

/** A run under its mail. */
export type RunView = Pick<
  Run,
  'id' | 'directorId' | 'directorName' | 'status' | 'waitingFor' | 'workspaceId' | 'scripted' | 'error' | 'summary'
> & { readonly items: readonly ItemView[] };

/** The mail of a row. */
export function viewMail(row: Row<'mail'>): MailView {
  const { summary, routing, notes, duplicateOf, removedAt } = mailOf(row);
  return {
    ...summary,
    routed: row.routed === 1,
    note: routing.note,
    notes: notes ?? [],
    ...(duplicateOf !== undefined && { duplicateOf }),
    ...(removedAt !== undefined && { removedAt }),
  };
}

/** The runs of these mails with their items, by mail id; oldest run first. */
export async function runsOfMails(reader: Reader, mailIds: readonly string[]): Promise<ReadonlyMap<string, RunView[]>> {
  const views = new Map<string, RunView[]>(mailIds.map((id) => [id, []]));
  if (mailIds.length === 0) return views;
  const rows = await reader.list('run', { where: [['mail', 'in', mailIds]], order: [['id', 'asc']], limit: MAX_RUNS });
  const items = new Map<string, Promise<ItemView[]>>();
  for (const row of rows) {
    const { run } = recordOf(row);
    const known = items.get(run.workspaceId) ?? itemsOf(reader, run.workspaceId);
    items.set(run.workspaceId, known);
    views.get(row.mail)?.push(viewRun(run, await known));
  }
  return views;
}

async function itemsOf(reader: Reader, workspaceId: string): Promise<ItemView[]> {
  return (await listItems(reader, workspaceId, { limit: MAX_ITEMS })).map(viewItem);
}

/** An item in a list. */
export function viewItem({ id, label, mimeType, revision, updated, context }: WorkspaceItem): ItemView {
  const agentName = context.agent?.name;
  return {
    id,
    ...(label !== undefined && { label }),
    mimeType,
    revision,
    createdBy: context.createdBy,
    ...(agentName !== undefined && { agentName }),
    updated,
  };
}

function viewRun(run: Run, items: readonly ItemView[]): RunView {
  const { id, directorId, directorName, status, waitingFor, workspaceId, scripted, error, summary } = run;
  return {
    id,
    directorId,
    directorName,
    status,
    ...(waitingFor !== undefined && { waitingFor }),
    workspaceId,
    scripted,
    ...(error !== undefined && { error }),
    summary,
    items,
  };
}
