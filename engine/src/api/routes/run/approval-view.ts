import { type Approval, type ApprovalRecord, type Remember, viewApproval } from '../../../guard/approval.ts';
import { alwaysTargets } from '../../../guard/always.ts';
import { recordOf } from '../../../run/run.ts';
import type { Reader } from '../../../store/store.ts';
import { type CallTitle, callTitle } from '../../../tool/call-title.ts';
import type { Origin } from '../../../workspace/item.ts';

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
