import type { MailSummary } from '../../../mail/mail.ts';
import { mailOf, type SentReply } from '../../../mail/mail-store.ts';
import { itemRuns } from '../../../run/item-runs.ts';
import { type Run, recordOf, summarise } from '../../../run/run.ts';
import type { Reader, Row } from '../../../store/store.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { listItems } from '../../../workspace/items.ts';

/** Largest number of runs for one page of mails, of items for one run, and of runs of a workspace with so many items. */
const MAX_RUNS = 1000;
const MAX_ITEMS = 50;
const MAX_FULL_RUNS = 4;

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
  /** Sent replies, oldest first; absent where there is none. In a list each `text` has at most 200 characters. */
  readonly replies?: readonly SentReply[];
}

/** An item without its data. */
export interface ItemView {
  readonly id: string;
  readonly label?: string;
  readonly mimeType: string;
  readonly revision: number;
  readonly createdBy: WorkspaceItem['context']['createdBy'];
  readonly agentName?: string;
  readonly tags?: readonly string[];
  readonly updated: string;
}

/** A run under its mail, with the items that it wrote. */
export type RunView = Pick<
  Run,
  | 'id'
  | 'directorId'
  | 'directorName'
  | 'status'
  | 'waitingFor'
  | 'limit'
  | 'until'
  | 'retryOf'
  | 'retriedBy'
  | 'workspaceId'
  | 'scripted'
  | 'error'
  | 'summary'
  | 'createdAt'
  | 'endedAt'
> & {
  /** True for the newest run of its director on this mail: lists fold the others. */
  readonly latest: boolean;
  readonly items: readonly ItemView[];
};

/** The mail of a row; with `isWhole` also the whole text of replies. */
export function viewMail(row: Row<'mail'>, { isWhole = false }: { readonly isWhole?: boolean } = {}): MailView {
  const { summary, routing, notes, duplicateOf, removedAt, replies } = mailOf(row);
  const shown = isWhole ? replies : replies?.map((reply) => ({ ...reply, text: summarise(reply.text) }));
  return {
    ...summary,
    routed: row.routed === 1,
    note: routing.note,
    notes: notes ?? [],
    ...(duplicateOf !== undefined && { duplicateOf }),
    ...(removedAt !== undefined && { removedAt }),
    ...(shown !== undefined && { replies: shown }),
  };
}

/**
 * The runs of these mails, by mail id. Runs of one director stand together, the newest first; directors are in the
 * order of their first runs.
 */
export async function runsOfMails(reader: Reader, mailIds: readonly string[]): Promise<ReadonlyMap<string, RunView[]>> {
  const views = new Map<string, RunView[]>(mailIds.map((id) => [id, []]));
  if (mailIds.length === 0) return views;
  const rows = await reader.list('run', { where: [['mail', 'in', mailIds]], order: [['id', 'asc']], limit: MAX_RUNS });
  const runs = rows.map((row) => recordOf(row).run);
  const spaces = Map.groupBy(runs, ({ workspaceId }) => workspaceId);
  const items = await Promise.all([...spaces].map(([id, users]) => itemsByRun(reader, id, users)));
  const itemsOf = new Map(items.flatMap((byRun) => [...byRun]));
  for (const [mailId, ofMail] of Map.groupBy(runs, ({ emailId = '' }) => emailId))
    for (const ofDirector of Map.groupBy(ofMail, ({ directorId }) => directorId).values())
      for (const [n, run] of ofDirector.toReversed().entries())
        views.get(mailId)?.push(viewRun(run, n === 0, itemsOf.get(run.id) ?? []));
  return views;
}

/** Items of a workspace by the run that wrote them; those of an unknown run are the oldest run's. `runs`: oldest first. */
async function itemsByRun(
  reader: Reader,
  workspaceId: string,
  runs: readonly Run[],
): Promise<ReadonlyMap<string, ItemView[]>> {
  const limit = MAX_ITEMS * Math.min(runs.length, MAX_FULL_RUNS);
  const items = await listItems(reader, workspaceId, { limit, newest: true });
  const runOf = await itemRuns(reader, items);
  const ids = new Set(runs.map(({ id }) => id));
  const oldest = runs[0]?.id ?? '';
  const known = (id: string | undefined) => (id !== undefined && ids.has(id) ? id : oldest);
  const byRun = Map.groupBy(items, (item) => known(runOf(item)));
  return new Map([...byRun].map(([id, own]) => [id, own.slice(-MAX_ITEMS).map(viewItem)]));
}

/** An item in a list. */
export function viewItem({ id, label, mimeType, revision, updated, tags = [], context }: WorkspaceItem): ItemView {
  const agentName = context.agent?.name;
  return {
    id,
    ...(label !== undefined && { label }),
    mimeType,
    revision,
    createdBy: context.createdBy,
    ...(agentName !== undefined && { agentName }),
    ...(tags.length > 0 && { tags }),
    updated,
  };
}

function viewRun(run: Run, latest: boolean, items: readonly ItemView[]): RunView {
  const { id, directorId, directorName, status, waitingFor, retryOf, retriedBy, workspaceId, scripted } = run;
  const { error, summary, createdAt, endedAt, limit, until } = run;
  return {
    ...{ id, directorId, directorName, status },
    ...(waitingFor !== undefined && { waitingFor }),
    ...(limit !== undefined && { limit }),
    ...(until !== undefined && { until }),
    ...(retryOf !== undefined && { retryOf }),
    ...(retriedBy !== undefined && { retriedBy }),
    ...{ workspaceId, scripted, latest },
    ...(error !== undefined && { error }),
    ...{ summary, createdAt },
    ...(endedAt !== undefined && { endedAt }),
    items,
  };
}
