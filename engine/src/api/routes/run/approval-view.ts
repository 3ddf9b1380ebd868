import { type Approval, type ApprovalRecord, type Remember, viewApproval } from '../../../guard/approval.ts';
import { alwaysTargets } from '../../../guard/always.ts';
import { recordOf } from '../../../run/run.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import type { Condition, Reader } from '../../../store/store.ts';
import { type CallTitle, callTitle } from '../../../tool/call-title.ts';
import type { Origin } from '../../../workspace/item.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryIdPrefix, queryText, queryWord, type WithQuery } from '../../http/query.ts';
import type { Rows } from '../../http/rows.ts';

/** An approval with what a person needs to decide it. */
export interface ApprovalView extends Approval {
  /** What the call does, and on what. */
  readonly title: CallTitle;
  /** Id of the tool call within the message at `place`. */
  readonly callId: string;
  /** Name of the agent that a person talks with, or of the participant of a chat, if it asks itself. */
  readonly agentName?: string;
  /** The chat whose participant asks. */
  readonly chatId?: string;
  /** The mail that the run is about. */
  readonly email?: Origin['email'];
  /** For what else a person may allow the call while it is pending; empty where only this one call can be allowed. */
  readonly canRemember?: readonly Remember[];
  /** Who answered it, for people to read. */
  readonly decidedByName?: string;
}

const ENDED = ['allowed', 'denied', 'answered', 'lapsed', 'expired'] as const;
const STATUSES = ['pending', ...ENDED, 'ended'] as const;

/** The answer of `GET /api/approvals`: pending ones oldest first, in the order to answer them; all others newest first. */
export async function listApprovals({ store, users }: Rows, ctx: WithQuery): Promise<Page<ApprovalView>> {
  const status = queryWord(ctx, 'status', STATUSES);
  const runId = queryText(ctx, 'runId');
  const isQueue = status === 'pending';
  const list = isQueue ? 'approvals.pending' : 'approvals';
  const page = readPage(ctx, list);
  const where: Condition<'approval'>[] = [...queryIdPrefix(ctx)];
  if (status === 'ended') where.push(['status', 'in', ENDED]);
  else if (status !== undefined) where.push(['status', '=', status]);
  if (runId !== undefined) where.push(['run', '=', runId]);
  const load = (after: string | undefined, limit: number) =>
    store.list('approval', {
      where: after === undefined ? where : [...where, ['id', isQueue ? '>' : '<', after]],
      order: [['id', isQueue ? 'asc' : 'desc']],
      limit,
    });
  const { items, nextCursor } = await pageOfRows(list, { ...page, load });
  const records = items.map((row) => bodyOf<ApprovalRecord>('approval', row));
  const views = await viewApprovals(store, records);
  return { items: await Promise.all(views.map((view) => withDecider(users, view))), nextCursor };
}

/** An approval with the name of the person who answered it. */
export async function withDecider(users: Rows['users'], view: ApprovalView): Promise<ApprovalView> {
  const name = view.decidedBy === undefined ? undefined : await users.nameOf(view.decidedBy);
  return name === undefined ? view : { ...view, decidedByName: name };
}

/** The approvals with their titles and the mails of their runs. */
export function viewApprovals(reader: Reader, records: readonly ApprovalRecord[]): Promise<ApprovalView[]> {
  return Promise.all(
    records.map(async (record) => {
      const about = await runFacts(reader, record);
      const title = callTitle(record.tool, record.arguments, record.preview);
      // A call is named by its turn and its id.
      const callId = record.call.slice(record.call.indexOf('/') + 1);
      const canRemember = record.status === 'pending' ? { canRemember: rememberable(record) } : {};
      return { ...viewApproval(record), callId, title, ...canRemember, ...about };
    }),
  );
}

/** A call whose outcome nobody knows, and one of an older version, can be allowed once only. */
function rememberable({ asked }: ApprovalRecord): readonly Remember[] {
  // A question has no guard that asks.
  if (asked === undefined) return [];
  const targets = alwaysTargets(asked.asks);
  return typeof targets === 'string' || targets.length === 0 ? ['run'] : ['run', 'always'];
}

/** What the run of an approval says of it. */
async function runFacts(
  reader: Reader,
  { runId, requestedBy }: ApprovalRecord,
): Promise<Pick<ApprovalView, 'agentName' | 'chatId' | 'email'>> {
  const row = await reader.get('run', { id: runId });
  try {
    if (row === undefined) return {};
    const { origin, run } = recordOf(row);
    const { agentId, agentName, trigger } = run;
    return {
      ...(agentName !== undefined && agentId === requestedBy.agentId && { agentName }),
      ...(trigger.kind === 'chat' && trigger.chatId !== undefined && { chatId: trigger.chatId }),
      ...(origin.email && { email: origin.email }),
    };
  } catch {
    // The run is damaged. Its approval can still be decided.
    return {};
  }
}
