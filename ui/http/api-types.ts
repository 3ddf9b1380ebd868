import type { MailView, RunView } from '../../engine/src/api/routes/mail/mail-view.ts';
import type { MailStateView } from '../../engine/src/api/routes/mail/mail-state.ts';
import type { StartedBy } from '../../engine/src/api/auth/starter.ts';
import type { DocumentState, Problem } from '../../engine/src/config/config.ts';
import type { SpendLine } from '../../engine/src/budget/spend.ts';
import type { MailContent } from '../../engine/src/mail/mail.ts';
import type { Plan } from '../../engine/src/run/plan/plan-record.ts';
import type { ServedRun } from '../../engine/src/run/run.ts';

// The types of the engine that the API sends. The viewer imports them here, so they cannot differ from the server.
export type { Todo } from '../../engine/src/agenda/agenda.ts';
export type { Task, TaskPriority, TaskStatus } from '../../engine/src/task/task.ts';
export type { Person, Role } from '../../engine/src/api/access.ts';
export type { Reminder } from '../../engine/src/agenda/reminders.ts';
export type { Notification } from '../../engine/src/notification/notification.ts';
export type { Chat, ChatMessage, ChatRound, Participant, Roaming, SpeakerStatus } from '../../engine/src/chat/chat.ts';
export type { ChangesView } from '../../engine/src/chat/roam/change-rows.ts';
export type { FolderChoices } from '../../engine/src/chat/roam/folder.ts';
export type { RoamingWarning } from '../../engine/src/chat/roam/warning.ts';
export type { CalendarPreview } from '../../engine/src/agenda/ical/preview.ts';
export type { Connection, ProbeResult } from '../../engine/src/api/routes/mail/accounts.ts';
export type { ItemHistory, ItemLink, ItemRevision } from '../../engine/src/api/routes/item/item-revisions.ts';
export type { ItemView, RunView } from '../../engine/src/api/routes/mail/mail-view.ts';
export type { FileTextView } from '../../engine/src/api/routes/mail/file-text.ts';
export type { MailFileView } from '../../engine/src/api/routes/mail/mail-file.ts';
export type { ObjectiveView } from '../../engine/src/api/routes/objective/objectives.ts';
export type { ReplyProposal } from '../../engine/src/api/routes/mail/reply.ts';
export type { RoutingTrial } from '../../engine/src/api/routes/config/config-try.ts';
export type { RetryResult as RunRetries } from '../../engine/src/api/routes/run/retry.ts';
export type { WrittenTest } from '../../engine/src/replay/test/write-test.ts';
export type { ChangedSides, ComparisonView, PlayedSide } from '../../engine/src/replay/changes.ts';
export type { Compared, Difference, ReplayReport, WordChange } from '../../engine/src/replay/difference.ts';
export type { ShadowView } from '../../engine/src/replay/shadow/shadow.ts';
export type { AuditLine } from '../../engine/src/trace/audit.ts';
export type { NodeView } from '../../engine/src/api/routes/diagnostics/trace.ts';
export type { RunComparison, RunConfig, RunDocument } from '../../engine/src/api/routes/diagnostics/run-config.ts';
export type { Page } from '../../engine/src/api/http/paging.ts';
export type { NodeLevel, UnifiedNode } from '../../engine/src/trace/trace-tree.ts';
export type { SpendLine };
export type { LearnProposal } from '../../engine/src/api/routes/memory/learn-proposals.ts';
export type { MemoryView } from '../../engine/src/memory/memory-view.ts';
export type { RunCost } from '../../engine/src/api/routes/run/spend.ts';
export type { AlwaysChanges } from '../../engine/src/api/routes/run/always.ts';
export type { ApprovalView } from '../../engine/src/api/routes/run/approval-view.ts';
export type { Preview } from '../../engine/src/tool/preview.ts';
export type { CallDraft } from '../../engine/src/run/turn/preview-call.ts';
export type { FetcherStatus, FetchResult } from '../../engine/src/intake/fetcher.ts';
export type { RunStatus } from '../../engine/src/run/run.ts';
export type { Conversation } from '../../engine/src/run/conversation/view-conversation.ts';
export type { AgentSession } from '../../engine/src/run/session/session.ts';
export type { Estimate } from '../../engine/src/api/routes/conversation/estimate.ts';
export type { UploadFacts } from '../../engine/src/file/upload/upload.ts';
export type { ConversationThread } from '../../engine/src/run/thread.ts';
export type { WorkspaceItem } from '../../engine/src/workspace/item.ts';

/** `GET /api/spend`. */
export interface SpendState {
  readonly items: readonly SpendLine[];
  /** The UTC day of now. */
  readonly today: string;
  readonly budget: { readonly maxCostPerDay?: number; readonly maxTokensPerDay?: number };
}

/** `GET /api/runs/:id`. */
export type Run = ServedRun & StartedBy & { readonly plan?: Plan };

/** `GET /api/emails?expand=runs`. */
export type MailEntry = MailView & { readonly state: MailStateView; readonly runs: readonly RunView[] };

/** `GET /api/emails/:id`. */
export type FullMail = MailView & MailContent & { readonly state: MailStateView };

/** `GET /api/config`. */
export interface ConfigState {
  readonly revision: string;
  /** Absolute path of the folder that file names are relative to. */
  readonly root?: string;
  readonly documents: readonly DocumentState[];
  readonly problems: readonly Problem[];
}
